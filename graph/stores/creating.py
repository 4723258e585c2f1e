"""Making the tables and indexes of an empty embedded store."""

from __future__ import annotations

import sqlite3

from graph.stores.digest import EMPTY

APPLICATION_ID = 0x6B677161  # "kgqa"
VERSION = 3


def create(connection: sqlite3.Connection) -> None:
    """Make the tables and indexes of an empty store, all or none."""
    connection.executescript(f"BEGIN IMMEDIATE; {tables()} {indexes()} COMMIT;")


def tables() -> str:
    """Return the statements that make the tables of an empty store."""
    return f"""
        {_statements("schema.sql")}
        INSERT INTO meta (key, value) VALUES ('digest', '{EMPTY}');
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = {VERSION};
    """


def indexes() -> str:
    """Return the statements that make the indexes of a store."""
    return _statements("indexes.sql")


def _statements(name: str) -> str:
    from importlib import resources  # takes longer than opening a store that is there

    return resources.files("graph").joinpath("stores", name).read_text(encoding="utf-8")
