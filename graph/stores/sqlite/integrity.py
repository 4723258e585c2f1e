"""Whether an embedded store is sound: each thing that is wrong, in a sentence that says how to mend it.

Making anew what is derived in an embedded store, where it is not what the claims and their evidence make.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from itertools import groupby, zip_longest

from graph.model import Evidence
from graph.stores.claim_records import derive_columns
from graph.stores.digest import alias_mark, claim_mark, digest_after, evidence_mark
from graph.stores.serialization import (
    EVIDENCE_COLUMNS,
    EVIDENCE_TABLES,
    decode_claim,
    decode_evidence,
    decode_text,
    searchable_text,
    signed_key,
    source_key,
)
from graph.stores.sqlite import sqlite_queries as reading
from graph.stores.sqlite.claim_rows import recount_all
from graph.stores.sqlite.interned_texts import sentence_key

_MEND = "mine or load the graph again into a new file"
_REMAKE = "`kgqa check --mend` makes them anew"
_MOST_PROBLEMS = 20
_SHOWN_CHARACTERS = 60


Examine = Callable[[sqlite3.Connection], Iterator[str]]


def sqlite_problems(connection: sqlite3.Connection, *more: Examine) -> list[str]:
    """Verify the database, its references, digest, counts and word indexes, and `more`.

    Return what is wrong, 20 of a kind at most, each once.
    """
    findings: list[str] = []
    for examine in (_database, _references, _records, _sentences, _words, *more):
        findings.extend(_collect_problems(examine, connection))
    return list(dict.fromkeys(findings))


def _collect_problems(examine: Examine, connection: sqlite3.Connection) -> list[str]:
    findings: list[str] = []
    try:
        for problem in examine(connection):
            findings.append(problem)
            if len(findings) == _MOST_PROBLEMS:
                break
    except sqlite3.Error as error:
        findings.append(f"the file cannot be read to its end ({error}); {_MEND}")
    return findings


def _database(connection: sqlite3.Connection) -> Iterator[str]:
    for (message,) in connection.execute(f"PRAGMA integrity_check({_MOST_PROBLEMS})"):
        if message != "ok":
            yield f"the database is damaged ({' '.join(str(message).split())}); {_MEND}"


def _references(connection: sqlite3.Connection) -> Iterator[str]:
    for table, _, target, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of the table '{table}' names a {target} that is not there; {_MEND}"


def _records(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare the digest and the counts with the records that they were made from."""
    query = f"""
        SELECT claim.id, cause.name, effect.name, claim.relation, claim.polarity,
            claim.asserted, claim.negated, claim.hedged, claim.strength, claim.sense, ground.name,
            evidence.key, evidence.source, {EVIDENCE_COLUMNS}
        FROM claim
        CROSS JOIN concept AS cause ON cause.id = claim.cause
        CROSS JOIN concept AS effect ON effect.id = claim.effect
        LEFT JOIN ground ON ground.id = claim.ground
        CROSS JOIN {EVIDENCE_TABLES}
        WHERE evidence.claim = claim.id
        ORDER BY claim.id
    """
    marks = sum(alias_mark(alias) for alias in reading.select_aliases(connection))
    for columns, rows in groupby(connection.execute(query), key=lambda row: row[1:11]):
        claim = decode_claim(*columns[:4])
        records: list[Evidence] = []
        for row in rows:
            record = decode_evidence(*row[13:])
            identity = record.hash(claim)
            marks += evidence_mark(identity, record)
            if (row[11], row[12]) != (signed_key(identity), source_key(record.source)):
                yield f"evidence that '{claim.cause}' bears on '{claim.effect}' is not under its key; {_MEND}"
            records.append(record)
        marks += claim_mark(claim)
        # What counts once has changed since the first version, whose claims have no grounds; those of the second have no sense.
        differ = any(stored not in (None, made) for stored, made in zip(columns[4:], derive_columns(records), strict=True))
        if columns[9] is not None and differ:
            yield f"the counts of '{claim.cause}' and '{claim.effect}' are not those of their evidence; {_REMAKE}"
    stored, made = reading.select_digest(connection), digest_after("0", marks)
    if stored != made:
        yield f"the digest is {stored}, but the records make {made}; {_MEND}"


def _sentences(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare the keys of sentences with the sentences."""
    for key, text in connection.execute("SELECT key, text FROM sentence"):
        if key != sentence_key(decode_text(text)):
            yield f"the sentence '{decode_text(text)[:_SHOWN_CHARACTERS]}' is not under its key; {_MEND}"


def _words(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare the word indexes with ones that are made anew."""
    for index, texts, what in (
        ("concept_words", "SELECT id, name FROM concept ORDER BY id", "by words"),
        ("sentence_words", "SELECT id, text FROM sentence ORDER BY id", "sentences"),
    ):
        with closing(sqlite3.connect(":memory:")) as fresh:
            fresh.execute(f"CREATE VIRTUAL TABLE {index} USING fts5(text, content='', tokenize='porter unicode61')")
            rows = ((number, searchable_text(decode_text(text))) for number, text in connection.execute(texts))
            fresh.executemany(f"INSERT INTO {index} (rowid, text) VALUES (?, ?)", rows)
            with closing(_entries(connection, index)) as stored_entries, closing(_entries(fresh, index)) as made:
                differ = any(stored_entry != fresh_entry for stored_entry, fresh_entry in zip_longest(stored_entries, made))
        if differ:
            yield f"searching {what} does not find what it must; {_REMAKE}"


def _entries(connection: sqlite3.Connection, index: str) -> Generator[tuple[str, int, int]]:
    """Iterate over the terms of a word index, with the texts and places that they stand in."""
    # Stores of earlier versions have an index of sentences that is empty and not in the file.
    (schema,) = connection.execute("SELECT schema FROM pragma_table_list WHERE name = ?", (index,)).fetchone()
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{index}_entries USING fts5vocab({schema}, {index}, instance)")
    yield from connection.execute(f"SELECT term, doc, offset FROM temp.{index}_entries")


WORD_INDEXES = (("concept_words", "name", "concept"), ("sentence_words", "text", "sentence"))
"""Each word index with its column, which is called like that of the table whose texts it holds."""


def repair_tables(connection: sqlite3.Connection) -> None:
    """Make anew the counts and the word indexes."""
    recount_all(connection)
    for index, column, table in WORD_INDEXES:
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
        rows = (
            (number, searchable_text(decode_text(text)))
            for number, text in connection.execute(f"SELECT id, {column} FROM {table}")
        )
        connection.executemany(f"INSERT INTO {index} (rowid, {column}) VALUES (?, ?)", rows)
