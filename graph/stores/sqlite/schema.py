"""The tables and indexes of an empty embedded store, and stores of earlier versions.

Version 1 has neither contexts nor sketches nor the grounds of beliefs; version 2 has no senses, and stores a sentence as often as
it is used. Both can be read as they are: beliefs of version 1 rest on the numbers of groups alone, senses are unknown, and
sentences are read but not searched. Opening one to write upgrades it in one transaction, which keeps its content and its digest.
"""

from __future__ import annotations

import sqlite3

from graph.stores.codec import decode_text
from graph.stores.digest import EMPTY_DIGEST

APPLICATION_ID = 0x6B677161  # "kgqa"
SCHEMA_VERSION = 3


def create_schema(connection: sqlite3.Connection) -> None:
    """Create the tables and indexes of an empty store, all or none."""
    connection.executescript(f"BEGIN IMMEDIATE; {table_statements()} {read_script('indexes.sql')} COMMIT;")


def table_statements() -> str:
    """Return the statements that create the tables of an empty store."""
    return f"""
        {read_script("schema.sql")}
        INSERT INTO meta (key, value) VALUES ('digest', '{EMPTY_DIGEST}');
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = {SCHEMA_VERSION};
    """


def read_script(name: str) -> str:
    """Return the SQL script `name` of this folder: `indexes.sql` creates the indexes, `read-N.sql` shows version N as current."""
    from importlib import resources  # takes longer than opening an existing store

    return resources.files("graph").joinpath("stores", "sqlite", name).read_text(encoding="utf-8")


EARLIER_VERSIONS = (1, 2)
_MOVED_AT_ONCE = 10_000

_TEXTS_AFTER = """
    SELECT text, claim, key FROM evidence WHERE text IS NOT NULL AND (claim, key) > (?, ?) ORDER BY claim, key LIMIT ?
"""


def show_as_current(connection: sqlite3.Connection, version: int) -> None:
    """Let a store of an earlier `version` be read like a current one, without writing to it."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.executescript(read_script(f"read-{version}.sql"))


def upgrade_schema(connection: sqlite3.Connection, version: int) -> None:
    """Bring a store of an earlier `version` to the current one, completely or not at all, and derive its counts again."""
    from graph.stores.sqlite.claim_rows import recount_all, sentence_ids  # not needed to read

    connection.execute("BEGIN IMMEDIATE")
    try:
        for earlier in range(version, SCHEMA_VERSION):
            _execute_each(connection, f"upgrade-{earlier}.sql")
        last: tuple[int, int] = (-1, 0)
        while rows := connection.execute(_TEXTS_AFTER, (*last, _MOVED_AT_ONCE)).fetchall():
            ids = sentence_ids(connection, dict.fromkeys(decode_text(text) for text, _, _ in rows))
            moved = [(ids[decode_text(text)], claim, key) for text, claim, key in rows]
            connection.executemany("UPDATE evidence SET sentence = ? WHERE claim = ? AND key = ?", moved)
            last = moved[-1][1:]
        _execute_each(connection, "upgrade-texts.sql")
        recount_all(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION:d}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _execute_each(connection: sqlite3.Connection, script: str) -> None:
    # `executescript` would commit first.
    for statement in filter(str.strip, read_script(script).split(";")):
        connection.execute(statement)
