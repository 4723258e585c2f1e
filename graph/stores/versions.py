"""Stores of earlier versions.

The first kept neither context nor sketches nor the grounds of beliefs; the second kept no senses, and a sentence as often as it
was used. They open to be read as they are: a belief of the first then rests on the numbers of groups alone, senses are unknown,
and sentences are read but not searched. Opened to be written, they are brought to the version of today in one transaction;
nothing that they hold is lost, and their digest stays.
"""

from __future__ import annotations

import sqlite3

from graph.stores.columns import decode_text
from graph.stores.sentences import sentence_ids

EARLIER_VERSIONS = (1, 2)
_MOVED_AT_ONCE = 10_000

_VIEWS_OF_EARLIER = {
    1: """
        CREATE TEMP TABLE ground (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TEMP VIEW claim AS SELECT *, NULL AS ground, NULL AS sense FROM main.claim;
        CREATE TEMP VIEW record AS SELECT *, NULL AS context, NULL AS sketch, NULL AS sentence FROM main.evidence;
    """,
    2: """
        CREATE TEMP VIEW claim AS SELECT *, NULL AS sense FROM main.claim;
        CREATE TEMP VIEW record AS SELECT *, NULL AS sentence FROM main.evidence;
    """,
}
_EMPTY_SENTENCES = """
    CREATE TEMP TABLE sentence (id INTEGER PRIMARY KEY, key INTEGER, text TEXT);
    CREATE VIRTUAL TABLE temp.sentence_words USING fts5(text, content='', tokenize='porter unicode61');
"""
_TO_SECOND = """
    CREATE TABLE ground (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    ALTER TABLE claim ADD COLUMN ground INTEGER REFERENCES ground (id);
    ALTER TABLE evidence ADD COLUMN context TEXT;
    ALTER TABLE evidence ADD COLUMN sketch BLOB;
"""
_TO_THIRD = """
    ALTER TABLE claim ADD COLUMN sense INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE sentence (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, text TEXT NOT NULL);
    CREATE VIRTUAL TABLE sentence_words USING fts5(text, content='', tokenize='porter unicode61');
    ALTER TABLE evidence ADD COLUMN sentence INTEGER REFERENCES sentence (id);
"""
_WITHOUT_TEXTS = """
    ALTER TABLE evidence DROP COLUMN text;
    CREATE INDEX evidence_sentence ON evidence (sentence) WHERE sentence IS NOT NULL;
    CREATE VIEW record AS
    SELECT *, (SELECT text FROM sentence WHERE id = evidence.sentence) AS text FROM evidence;
"""


def show_as_current(connection: sqlite3.Connection, version: int) -> None:
    """Let a store of an earlier `version` be read like one of today, without writing to it."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.executescript(_VIEWS_OF_EARLIER[version] + _EMPTY_SENTENCES)


def upgrade_schema(connection: sqlite3.Connection, version: int, current: int) -> None:
    """Bring a store of an earlier `version` to the `current` one, wholly or not at all, and count its groups again."""
    from graph.stores.counting import recount_all  # whoever only reads need not import it

    connection.execute("BEGIN IMMEDIATE")
    try:
        if version == EARLIER_VERSIONS[0]:
            _execute_each(connection, _TO_SECOND)
        _execute_each(connection, _TO_THIRD)
        _move_texts(connection)
        _execute_each(connection, _WITHOUT_TEXTS)
        recount_all(connection)
        connection.execute(f"PRAGMA user_version = {current:d}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _execute_each(connection: sqlite3.Connection, script: str) -> None:
    # `executescript` would commit first.
    for statement in filter(str.strip, script.split(";")):
        connection.execute(statement)


def _move_texts(connection: sqlite3.Connection) -> None:
    """Keep the text of each record as a sentence."""
    query = """
        SELECT text, claim, key FROM evidence
        WHERE text IS NOT NULL AND (claim, key) > (?, ?) ORDER BY claim, key LIMIT ?
    """
    last: tuple[int, int] = (-1, 0)
    while rows := connection.execute(query, (*last, _MOVED_AT_ONCE)).fetchall():
        ids = sentence_ids(connection, dict.fromkeys(decode_text(text) for text, _, _ in rows))
        moved = [(ids[decode_text(text)], claim, key) for text, claim, key in rows]
        connection.executemany("UPDATE evidence SET sentence = ? WHERE claim = ? AND key = ?", moved)
        last = moved[-1][1:]
