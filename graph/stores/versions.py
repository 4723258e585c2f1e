"""Stores of the first version, which kept neither context nor sketches nor the grounds of beliefs.

They open to be read as they are: a belief then rests on the numbers of groups alone. Opened to be written, they are brought to
the version of today in one transaction; nothing that they hold is lost, and their digest stays.
"""

from __future__ import annotations

import sqlite3

from graph.stores.counting import recount_all

FIRST = 1

_SHOWN = """
    CREATE TEMP TABLE ground (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TEMP VIEW claim AS SELECT *, NULL AS ground FROM main.claim;
    CREATE TEMP VIEW evidence AS SELECT *, NULL AS context, NULL AS sketch FROM main.evidence;
"""
_ADDED = """
    CREATE TABLE ground (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    ALTER TABLE claim ADD COLUMN ground INTEGER REFERENCES ground (id);
    ALTER TABLE evidence ADD COLUMN context TEXT;
    ALTER TABLE evidence ADD COLUMN sketch BLOB;
"""


def show_as_current(connection: sqlite3.Connection) -> None:
    """Let a store of the first version be read like one of today, without writing to it."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.executescript(_SHOWN)


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Bring a store of the first version to `version`, wholly or not at all, and count its groups again."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in filter(str.strip, _ADDED.split(";")):
            connection.execute(statement)
        recount_all(connection)
        connection.execute(f"PRAGMA user_version = {version:d}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
