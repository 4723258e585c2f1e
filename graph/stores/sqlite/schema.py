"""Making the tables and indexes of an empty embedded store.

Stores of earlier versions.

The first kept neither context nor sketches nor the grounds of beliefs; the second kept no senses, and a sentence as often as it
was used. They open to be read as they are: a belief of the first then rests on the numbers of groups alone, senses are unknown,
and sentences are read but not searched. Opened to be written, they are brought to the version of today in one transaction;
nothing that they hold is lost, and their digest stays.
"""

from __future__ import annotations

import sqlite3

from graph.stores.digest import EMPTY_DIGEST
from graph.stores.serialization import decode_text
from graph.stores.sqlite.interned_texts import sentence_ids

APPLICATION_ID = 0x6B677161  # "kgqa"
SCHEMA_VERSION = 3


def create_schema(connection: sqlite3.Connection) -> None:
    """Make the tables and indexes of an empty store, all or none."""
    connection.executescript(f"BEGIN IMMEDIATE; {table_statements()} {index_statements()} COMMIT;")


def table_statements() -> str:
    """Return the statements that make the tables of an empty store."""
    return f"""
        {_read_script("schema.sql")}
        INSERT INTO meta (key, value) VALUES ('digest', '{EMPTY_DIGEST}');
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = {SCHEMA_VERSION};
    """


def index_statements() -> str:
    """Return the statements that make the indexes of a store."""
    return _read_script("indexes.sql")


def _read_script(name: str) -> str:
    from importlib import resources  # takes longer than opening a store that is there

    return resources.files("graph").joinpath("stores", "sqlite", name).read_text(encoding="utf-8")


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
    from graph.stores.sqlite.claim_rows import recount_all  # whoever only reads need not import it

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
