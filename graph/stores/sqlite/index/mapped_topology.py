"""The topology of an embedded store from its index; where that is damaged, from the tables.

Also the state of the store that an index is built from, and the fingerprint that the index must match.
"""

from __future__ import annotations

import sqlite3
import struct
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from heapq import merge
from pathlib import Path
from typing import overload
from zlib import crc32

from graph.errors import StoreDamaged
from graph.mapped_file import BlockDamaged
from graph.model import Edge
from graph.protocols import Row
from graph.stores.serialization import decode_text
from graph.stores.sqlite import sqlite_queries as reading
from graph.stores.sqlite.index.edge_rows import EdgeRows
from graph.stores.sqlite.index.name_table import CompressedNameTable, PlainNameTable
from graph.topology import edge_row

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


_MOST_ROWS = 32_768
_MOST_DEGREES = 65_536


class MappedTopology:
    """A `Topology` over the files of an index. The number of a concept is the place of its name in the order of all names.

    What stands in a damaged block is asked of the truth instead. Should that know concepts that have come since the index was
    made, they are numbered after all others.
    """

    def __init__(self, arrows: EdgeRows, names: CompressedNameTable | PlainNameTable, truth: TableFallback) -> None:
        self._arrows = arrows
        self._table = names
        self._truth = truth
        self._rows: dict[int, Row] = {}
        self._degrees: dict[int, int] = {}
        self._true_names: Sequence[str] | None = None
        self._later: dict[str, int] = {}
        self._later_names: list[str] = []

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` where no claim is about it."""
        try:
            known_number = self._table.number(name)
        except BlockDamaged:
            names = self._names()
            place = bisect_left(names, name)
            known_number = place if place < len(names) and names[place] == name else None
        return self._later.get(name) if known_number is None else known_number

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        if number >= self._arrows.concepts:
            return self._later_names[number - self._arrows.concepts]
        try:
            return self._table.name(number)
        except BlockDamaged:
            return self._names()[number]

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first."""
        row = self._rows.get(number)
        return self._read(number, forward=True) if row is None else row

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first."""
        row = self._rows.get(~number)
        return self._read(number, forward=False) if row is None else row

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept, on either side."""
        degree = self._degrees.get(number)
        if degree is None:
            if len(self._degrees) >= _MOST_DEGREES:
                self._degrees.clear()
            degree = self._degrees[number] = self._degree(number)
        return degree

    def _degree(self, number: int) -> int:
        with suppress(BlockDamaged):
            if number < self._arrows.concepts:
                return self._arrows.degree(number)
        return len(self.outgoing(number).ends) + len(self.incoming(number).ends)

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Do nothing: every row is at hand."""

    def _read(self, number: int, *, forward: bool) -> Row:
        try:
            later = number >= self._arrows.concepts
            row = self._true_row(number, forward=forward) if later else self._arrows.row(number, forward=forward)
        except BlockDamaged:
            row = self._true_row(number, forward=forward)
        if len(self._rows) >= _MOST_ROWS:
            self._rows.clear()
        self._rows[number if forward else ~number] = row
        return row

    def _true_row(self, number: int, *, forward: bool) -> Row:
        return edge_row(self._truth.edges(self.name(number), forward=forward), self._assign_number, forward=forward)

    def _assign_number(self, name: str) -> int:
        number = self.number(name)
        if number is None:
            number = self._later[name] = self._arrows.concepts + len(self._later_names)
            self._later_names.append(name)
        return number

    def _names(self) -> Sequence[str]:
        if self._true_names is None:
            self._true_names = self._truth.names()
        return self._true_names


BELIEF = ("belief/belief.py", "belief/priors.py", "belief/data/priors.tsv")
"""The files that beliefs depend on, in the package: the digest of a graph covers its evidence, not the model of belief."""
_PACKAGE = Path(__file__).parents[3]
_FIT = struct.Struct("=16sI12s")


def fingerprint_of(digest: str, version: int) -> bytes | None:
    """Return the 28 bytes that an index of a store of this digest and version holds; `None` where they are not known."""
    made_with = _made_with()
    return None if made_with is None else _FIT.pack(bytes.fromhex(digest), version, made_with)


@cache
def _made_with() -> bytes | None:
    """Return the checksums of the model of belief and its priors: the code and the table, as they are installed."""
    try:
        return b"".join(struct.pack("=I", crc32((_PACKAGE / name).read_bytes())) for name in BELIEF)
    except OSError:
        return None
