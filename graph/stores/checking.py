"""Whether an embedded store is sound: each thing that is wrong, in a sentence that says how to mend it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from itertools import groupby, zip_longest

from graph.model import Evidence
from graph.stores import reading
from graph.stores.columns import (
    EVIDENCE_COLUMNS,
    EVIDENCE_TABLES,
    claim_of,
    evidence_of,
    indexed,
    number_of,
    source_id,
    text_of,
)
from graph.stores.counting import derived
from graph.stores.digest import alias_mark, claim_mark, evidence_mark, moved
from graph.stores.sentences import sentence_key

_MEND = "mine or load the graph again into a new file"
_REMAKE = "`kgqa check --mend` makes them anew"
_MOST_PROBLEMS = 20
_SHOWN = 60


Examine = Callable[[sqlite3.Connection], Iterator[str]]


def problems(connection: sqlite3.Connection, *more: Examine) -> list[str]:
    """Verify the database, its references, digest, counts and word indexes, and `more`.

    Return what is wrong, 20 of a kind at most, each once.
    """
    found: list[str] = []
    for examine in (_database, _references, _records, _sentences, _words, *more):
        found.extend(_examined(examine, connection))
    return list(dict.fromkeys(found))


def _examined(examine: Examine, connection: sqlite3.Connection) -> list[str]:
    found: list[str] = []
    try:
        for problem in examine(connection):
            found.append(problem)
            if len(found) == _MOST_PROBLEMS:
                break
    except sqlite3.Error as error:
        found.append(f"the file cannot be read to its end ({error}); {_MEND}")
    return found


def _database(connection: sqlite3.Connection) -> Iterator[str]:
    for (said,) in connection.execute(f"PRAGMA integrity_check({_MOST_PROBLEMS})"):
        if said != "ok":
            yield f"the database is damaged ({' '.join(str(said).split())}); {_MEND}"


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
    marks = sum(alias_mark(alias) for alias in reading.aliases(connection))
    for columns, rows in groupby(connection.execute(query), key=lambda row: row[1:11]):
        claim = claim_of(*columns[:4])
        records: list[Evidence] = []
        for row in rows:
            record = evidence_of(*row[13:])
            identity = record.hash(claim)
            marks += evidence_mark(identity, record)
            if (row[11], row[12]) != (number_of(identity), source_id(record.source)):
                yield f"evidence that '{claim.cause}' bears on '{claim.effect}' is not under its key; {_MEND}"
            records.append(record)
        marks += claim_mark(claim)
        # What counts once has changed since the first version, whose claims have no grounds; those of the second have no sense.
        differ = any(said not in (None, made) for said, made in zip(columns[4:], derived(records), strict=True))
        if columns[9] is not None and differ:
            yield f"the counts of '{claim.cause}' and '{claim.effect}' are not those of their evidence; {_REMAKE}"
    said, made = reading.digest(connection), moved("0", marks)
    if said != made:
        yield f"the digest is {said}, but the records make {made}; {_MEND}"


def _sentences(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare the keys of sentences with the sentences."""
    for key, text in connection.execute("SELECT key, text FROM sentence"):
        if key != sentence_key(text_of(text)):
            yield f"the sentence '{text_of(text)[:_SHOWN]}' is not under its key; {_MEND}"


def _words(connection: sqlite3.Connection) -> Iterator[str]:
    """Compare the word indexes with ones that are made anew."""
    for index, texts, what in (
        ("concept_words", "SELECT id, name FROM concept ORDER BY id", "by words"),
        ("sentence_words", "SELECT id, text FROM sentence ORDER BY id", "sentences"),
    ):
        with closing(sqlite3.connect(":memory:")) as fresh:
            fresh.execute(f"CREATE VIRTUAL TABLE {index} USING fts5(text, content='', tokenize='porter unicode61')")
            rows = ((number, indexed(text_of(text))) for number, text in connection.execute(texts))
            fresh.executemany(f"INSERT INTO {index} (rowid, text) VALUES (?, ?)", rows)
            with closing(_entries(connection, index)) as said, closing(_entries(fresh, index)) as made:
                differ = any(one != other for one, other in zip_longest(said, made))
        if differ:
            yield f"searching {what} does not find what it must; {_REMAKE}"


def _entries(connection: sqlite3.Connection, index: str) -> Generator[tuple[str, int, int]]:
    """Iterate over the terms of a word index, with the texts and places that they stand in."""
    # Stores of earlier versions have an index of sentences that is empty and not in the file.
    (schema,) = connection.execute("SELECT schema FROM pragma_table_list WHERE name = ?", (index,)).fetchone()
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{index}_entries USING fts5vocab({schema}, {index}, instance)")
    yield from connection.execute(f"SELECT term, doc, offset FROM temp.{index}_entries")
