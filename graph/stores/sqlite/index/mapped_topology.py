"""The topology of an embedded store from its index, or from the tables where the index is damaged.

Also the fingerprint of the state of a store, which its index must match, and the order in which concepts are numbered.
"""

from __future__ import annotations

import sqlite3
import struct
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache, cached_property
from heapq import merge
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from graph.errors import StoreDamaged
from graph.mapped_file import BlockDamaged
from graph.model import Edge
from graph.protocols import Row
from graph.stores.codec import decode_text
from graph.stores.sqlite.index.edge_rows import EdgeRows
from graph.stores.sqlite.index.name_table import CompressedNameTable, PlainNameTable
from graph.stores.sqlite.sqlite_queries import consistent_snapshot, select_digest, select_edges_at
from graph.topology import edge_row

ConnectionProvider = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Gives the connection to a store; raises an error of `graph.errors` if the database fails, or the store is closed."""

BELIEF = ("belief/belief.py", "belief/priors.py", "belief/data/priors.tsv")
"""The files of the package that beliefs depend on: the digest of a graph covers its evidence, not the model of belief."""
_FINGERPRINT = struct.Struct("=16sI12s")
_FILES = 1
"""The version of what files an index has; 1 added the hashes of claims."""


def current_fingerprint(connection: sqlite3.Connection) -> bytes | None:
    """Return the 28 bytes that the index of a store must hold to fit its present state; `None` if they cannot be computed."""
    digest, version = select_digest(connection), int(connection.execute("PRAGMA user_version").fetchone()[0])
    checksums = _belief_checksums()
    return None if checksums is None else _FINGERPRINT.pack(bytes.fromhex(digest), version | _FILES << 16, checksums)


@cache
def _belief_checksums() -> bytes | None:
    package = Path(__file__).parents[3]
    try:
        return b"".join(struct.pack("=I", crc32((package / name).read_bytes())) for name in BELIEF)
    except OSError:
        return None


def names_by_number(connection: sqlite3.Connection) -> Iterator[tuple[bytes, int]]:
    """Iterate over the names of all concepts in the order of their code points, each with the id of the concept."""
    query = "SELECT CAST(name AS BLOB), id FROM concept WHERE name {} x'' ORDER BY name"
    # Names with lone surrogates are stored as bytes, and SQLite sorts bytes after all texts.
    byte_names = connection.execute(query.format(">=")).fetchall()
    texts = connection.execute(query.format("<"))
    return merge(texts, byte_names) if byte_names else texts


class TableFallback(NamedTuple):
    """The tables of the store at `url`, of which an index with this `fingerprint` was built."""

    url: str
    fingerprint: bytes
    connected: ConnectionProvider

    def edges(self, name: str, *, forward: bool) -> Sequence[Edge]:
        """Return the edges out of a concept, or into it."""
        with self.connected() as connection:
            return select_edges_at(connection, name, forward=forward)

    def concept_ids(self) -> array[int]:
        """Return the ids of all concepts, which never change, by number. Raises `StoreDamaged` if the graph has changed."""
        with self.connected() as connection, consistent_snapshot(connection):
            if current_fingerprint(connection) != self.fingerprint:
                raise StoreDamaged(self.url, "its index is, and it was written to since it was opened")
            return array("q", (concept_id for _, concept_id in names_by_number(connection)))

    def name(self, concept_id: int) -> str:
        """Return the name of a concept by its id."""
        with self.connected() as connection:
            return decode_text(connection.execute("SELECT name FROM concept WHERE id = ?", (concept_id,)).fetchone()[0])


_MOST_ROWS = 32_768
_MOST_DEGREES = 65_536


class MappedTopology:
    """A `Topology` over the files of an index. The number of a concept is the position of its name among all names.

    What is in a damaged block is read from the tables instead. Concepts that the tables have and the index has not, because they
    were added later, get numbers after all others.
    """

    def __init__(self, arrows: EdgeRows, names: CompressedNameTable | PlainNameTable, tables: TableFallback) -> None:
        self._arrows = arrows
        self._names = names
        self._tables = tables
        self._rows: dict[int, Row] = {}
        self._degrees: dict[int, int] = {}
        self._later: dict[str, int] = {}
        self._later_names: list[str] = []

    @cached_property
    def _concept_ids(self) -> array[int]:
        return self._tables.concept_ids()

    def _name_in_tables(self, number: int) -> str:
        return self._tables.name(self._concept_ids[number])

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` if no claim is about it."""
        try:
            known_number = self._names.number(name)
        except BlockDamaged:
            count = len(self._concept_ids)
            place = bisect_left(range(count), name, key=self._name_in_tables)
            known_number = place if place < count and self._name_in_tables(place) == name else None
        return self._later.get(name) if known_number is None else known_number

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        if number >= self._arrows.concepts:
            return self._later_names[number - self._arrows.concepts]
        try:
            return self._names.name(number)
        except BlockDamaged:
            return self._name_in_tables(number)

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
            try:
                degree = self._arrows.degree(number) if number < self._arrows.concepts else None
            except BlockDamaged:
                degree = None
            if degree is None:
                degree = len(self.outgoing(number).ends) + len(self.incoming(number).ends)
            if len(self._degrees) >= _MOST_DEGREES:
                self._degrees.clear()
            self._degrees[number] = degree
        return degree

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Do nothing: every row is in memory."""

    def _read(self, number: int, *, forward: bool) -> Row:
        try:
            row = self._arrows.row(number, forward=forward) if number < self._arrows.concepts else None
        except BlockDamaged:
            row = None
        if row is None:
            row = edge_row(self._tables.edges(self.name(number), forward=forward), self._assign_number, forward=forward)
        if len(self._rows) >= _MOST_ROWS:
            self._rows.clear()
        self._rows[number if forward else ~number] = row
        return row

    def _assign_number(self, name: str) -> int:
        number = self.number(name)
        if number is None:
            number = self._later[name] = self._arrows.concepts + len(self._later_names)
            self._later_names.append(name)
        return number
