"""Whether an embedded store is sound, each problem as a sentence with a remedy; and rebuilding what is derived in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from itertools import groupby, zip_longest

from graph.model import Evidence
from graph.stores import codec
from graph.stores.claim_records import derive_columns
from graph.stores.codec import decode_text, searchable_text, signed_key
from graph.stores.digest import alias_marks, claim_mark, digest_after, evidence_mark
from graph.stores.sqlite.claim_rows import recount_all, sentence_key
from graph.stores.sqlite.sqlite_queries import select_aliases, select_digest

_MEND = "mine or load the graph again into a new file"
_REMAKE = "`kgqa check --mend` makes them anew"
_MOST_PROBLEMS = 20
_SHOWN_CHARACTERS = 60
# Each word index, its column, the table that has the texts in a column of this name, and what it finds.
_WORD_INDEXES = (("concept_words", "name", "concept", "by words"), ("sentence_words", "text", "sentence", "sentences"))

Examine = Callable[[sqlite3.Connection], Iterator[str]]


def sqlite_problems(connection: sqlite3.Connection, *more: Examine) -> list[str]:
    """Verify the database, its references, digest, counts and word indexes, and `more`.

    Return each problem once, 20 of a kind at most.
    """
    findings: list[str] = []
    for examine in (_database, _references, _records, _sentences, _words, *more):
        try:
            for count, problem in enumerate(examine(connection), 1):
                findings.append(problem)
                if count == _MOST_PROBLEMS:
                    break
        except sqlite3.Error as error:
            findings.append(f"the file cannot be read to its end ({error}); {_MEND}")
    return list(dict.fromkeys(findings))


def _database(connection: sqlite3.Connection) -> Iterator[str]:
    for (message,) in connection.execute(f"PRAGMA integrity_check({_MOST_PROBLEMS})"):
        if message != "ok":
            yield f"the database is damaged ({' '.join(str(message).split())}); {_MEND}"


def _references(connection: sqlite3.Connection) -> Iterator[str]:
    for table, _, target, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of the table '{table}' names a {target} that is not there; {_MEND}"


def _records(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare the digest and the counts with the records that they follow from."""
    query = f"""
        SELECT claim.id, cause.name, effect.name, claim.relation, claim.polarity,
            claim.asserted, claim.negated, claim.hedged, claim.strength, claim.sense, ground.name,
            evidence.key, evidence.source, {codec.EVIDENCE_COLUMNS}
        FROM claim
        CROSS JOIN concept AS cause ON cause.id = claim.cause
        CROSS JOIN concept AS effect ON effect.id = claim.effect
        LEFT JOIN ground ON ground.id = claim.ground
        CROSS JOIN {codec.EVIDENCE_TABLES}
        WHERE evidence.claim = claim.id
        ORDER BY claim.id
    """
    marks = alias_marks(select_aliases(connection))
    for columns, rows in groupby(connection.execute(query), key=lambda row: row[1:11]):
        claim = codec.decode_claim(*columns[:4])
        records: list[Evidence] = []
        for row in rows:
            record = codec.decode_evidence(*row[13:])
            identity = record.hash(claim)
            marks += evidence_mark(identity, record)
            if (row[11], row[12]) != (signed_key(identity), codec.source_key(record.source)):
                yield f"evidence that '{claim.cause}' bears on '{claim.effect}' is not under its key; {_MEND}"
            records.append(record)
        marks += claim_mark(claim)
        # Claims of the first version have no grounds, and were counted in another way; those of the second have no sense.
        differ = any(stored not in (None, made) for stored, made in zip(columns[4:], derive_columns(records), strict=True))
        if columns[9] is not None and differ:
            yield f"the counts of '{claim.cause}' and '{claim.effect}' are not those of their evidence; {_REMAKE}"
    stored_digest, digest = select_digest(connection), digest_after("0", marks)
    if stored_digest != digest:
        yield f"the digest is {stored_digest}, but the records make {digest}; {_MEND}"


def _sentences(connection: sqlite3.Connection) -> Iterator[str]:
    for key, text in connection.execute("SELECT key, text FROM sentence"):
        if key != sentence_key(decode_text(text)):
            yield f"the sentence '{decode_text(text)[:_SHOWN_CHARACTERS]}' is not under its key; {_MEND}"


def _words(connection: sqlite3.Connection) -> Iterator[str]:
    for index, column, table, what in _WORD_INDEXES:
        with closing(sqlite3.connect(":memory:")) as fresh:
            fresh.execute(f"CREATE VIRTUAL TABLE {index} USING fts5({column}, content='', tokenize='porter unicode61')")
            _fill_word_index(fresh, index, column, connection.execute(f"SELECT id, {column} FROM {table} ORDER BY id"))
            with closing(_entries(connection, index)) as stored_entries, closing(_entries(fresh, index)) as made:
                differ = any(stored_entry != fresh_entry for stored_entry, fresh_entry in zip_longest(stored_entries, made))
        if differ:
            yield f"searching {what} does not find what it must; {_REMAKE}"


def _fill_word_index(connection: sqlite3.Connection, index: str, column: str, texts: sqlite3.Cursor) -> None:
    rows = ((number, searchable_text(decode_text(text))) for number, text in texts)
    connection.executemany(f"INSERT INTO {index} (rowid, {column}) VALUES (?, ?)", rows)


def _entries(connection: sqlite3.Connection, index: str) -> Generator[tuple[str, int, int]]:
    """Iterate over the terms of a word index, with the texts and places of each."""
    # Stores of earlier versions have an empty index of sentences that is not in the file.
    (schema,) = connection.execute("SELECT schema FROM pragma_table_list WHERE name = ?", (index,)).fetchone()
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{index}_entries USING fts5vocab({schema}, {index}, instance)")
    yield from connection.execute(f"SELECT term, doc, offset FROM temp.{index}_entries")


def repair_tables(connection: sqlite3.Connection) -> None:
    """Rebuild the counts and the word indexes."""
    recount_all(connection)
    for index, column, table, _ in _WORD_INDEXES:
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
        _fill_word_index(connection, index, column, connection.execute(f"SELECT id, {column} FROM {table}"))
