"""Making the tables and indexes of an empty embedded store."""

from __future__ import annotations

import sqlite3

from graph.stores.digest import EMPTY_DIGEST

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

    return resources.files("graph").joinpath("stores", name).read_text(encoding="utf-8")
