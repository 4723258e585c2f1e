"""Making anew what is derived in an embedded store, where it is not what the claims and their evidence make."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from graph.errors import StoreReadOnly
from graph.stores.columns import decode_text, searchable_text
from graph.stores.counting import recount_all

WORD_INDEXES = (("concept_words", "name", "concept"), ("sentence_words", "text", "sentence"))
"""Each word index with its column, which is called like that of the table whose texts it holds."""


def repair_store(url: str) -> None:
    """Make anew what is derived from the graph in the file at `url`: all of it, or its index alone where the file is only read.

    Raises what opening a store raises, and `StoreDamaged` where the truth itself cannot be read.
    """
    from graph.stores.embedded import EmbeddedStore

    try:
        store = EmbeddedStore.to_write(url)
    except StoreReadOnly:
        store = EmbeddedStore.to_read(url)
    with closing(store):
        store.repair()


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
