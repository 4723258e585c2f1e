"""The store that an index is made of, as the index sees it: concepts in the order of their numbers."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from heapq import merge
from typing import overload

from graph.errors import StoreDamaged
from graph.model import Edge
from graph.stores import reading
from graph.stores.columns import decode_text
from graph.stores.index.fit import fingerprint_of

ConnectionProvider = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Gives the connection to a store; raises an error of `graph.errors` where the database fails, or the store is closed."""


def current_fingerprint(connection: sqlite3.Connection) -> bytes | None:
    """Return what an index must name to fit the store as it is now."""
    return fingerprint_of(reading.select_digest(connection), int(connection.execute("PRAGMA user_version").fetchone()[0]))


@contextmanager
def consistent_snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Let all that the block reads be of one state of the store."""
    begun = not connection.in_transaction
    if begun:
        connection.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        # SQLite has rolled back by itself after some failures.
        if begun and connection.in_transaction:
            connection.execute("ROLLBACK")


def names_by_number(connection: sqlite3.Connection) -> Iterator[tuple[bytes, int]]:
    """Iterate over the names of all concepts in the order of their code points, each with the id of the concept."""
    query = "SELECT CAST(name AS BLOB), id FROM concept WHERE name {} x'' ORDER BY name"
    # Names with lone surrogates are kept as bytes, and SQLite sorts bytes after all texts.
    byte_names = connection.execute(query.format(">=")).fetchall()
    texts = connection.execute(query.format("<"))
    return merge(texts, byte_names) if byte_names else texts


@dataclass(frozen=True, slots=True)
class TableFallback:
    """The store at `url`, which an index with this `fit` was made of; `connected` gives its connection."""

    url: str
    fit: bytes
    connected: ConnectionProvider

    def edges(self, name: str, *, forward: bool) -> Sequence[Edge]:
        """Return the edges out of a concept, or into it."""
        with self.connected() as connection:
            return reading.select_effects(connection, name) if forward else reading.select_causes(connection, name)

    def names(self) -> Sequence[str]:
        """Return all names in the order of their numbers. Raises `StoreDamaged` where the graph has changed since."""
        with self.connected() as connection, consistent_snapshot(connection):
            if current_fingerprint(connection) != self.fit:
                raise StoreDamaged(self.url, "its index is, and it was written to since it was opened")
            return _NamesByNumber(self.connected, array("q", (number for _, number in names_by_number(connection))))


class _NamesByNumber(Sequence[str]):
    """Names by their numbers, found through the ids of their concepts, which never change."""

    def __init__(self, connected: ConnectionProvider, ids: array[int]) -> None:
        self._connected = connected
        self._ids = ids

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self[position] for position in range(*number.indices(len(self)))]
        with self._connected() as connection:
            return decode_text(connection.execute("SELECT name FROM concept WHERE id = ?", (self._ids[number],)).fetchone()[0])
