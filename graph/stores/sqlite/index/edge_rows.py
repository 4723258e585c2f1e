"""The arrows of an index: for each concept a row of the claims that it causes and one of those that cause it.

A row stands in one piece, so that it is mostly found in one block: its ends, its beliefs, its senses, its kinds. `starts` holds
for each concept the number of claims before its row out and before its row in, and both totals at the end. In large graphs
beliefs and senses are places in a table of the few values that there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct
from typing import Any

from graph.mapped_file import BLOCK, BLOCK_BITS, MappedFile
from graph.protocols import Row
from graph.topology import EMPTY_ROW

SHAPE = Struct("=QQcc")
"""The numbers of concepts and claims; the formats of a belief and a sense: themselves ("d", "Q"), or places in a table."""
PLACES = ("H", "I")
"""The formats of places in a table, smallest first."""
_START_BYTES = 8
_UNPACKED_AT_ONCE = 64


class EdgeRows:
    """The rows of a mapped file. Each method raises `Damaged` where it meets damage."""

    def __init__(self, file: MappedFile) -> None:
        self._file = file
        shape, end = file.section("shape")
        file.verify(shape, end)
        self.concepts: int
        self.claims: int
        self.concepts, self.claims, belief, sense = SHAPE.unpack_from(file.bytes, shape)
        self._belief, self._sense = belief.decode(), sense.decode()
        self._starts_at, starts_end = file.section("starts")
        self._starts = view_as_numbers(file.bytes[self._starts_at : starts_end], "I")
        self._rows_at = file.section("in")[0], file.section("out")[0]
        self._width = claim_width(self._belief, self._sense)
        self._tabled = self._belief in PLACES or self._sense in PLACES
        self._tables: dict[str, memoryview] = {}
        self._structs = _Structs(self._belief, self._sense)

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept."""
        out, into, out_end, into_end = self._bounds(number)
        return out_end - out + into_end - into

    def row(self, number: int, *, forward: bool) -> Row:
        """Return the row out of a concept, or that into it."""
        out, into, out_end, into_end = self._bounds(number)
        start, count = (out, out_end - out) if forward else (into, into_end - into)
        if not count:
            return EMPTY_ROW
        file = self._file
        first = self._rows_at[forward] + start * self._width
        last = first + count * self._width - 1
        if not (file.seen[first >> BLOCK_BITS] and file.seen[last >> BLOCK_BITS] and last - first < BLOCK):
            file.verify(first, last + 1)
        if count <= _UNPACKED_AT_ONCE:
            parts = self._structs[count].unpack_from(file.bytes, first)
            senses = 2 * count
            row = Row(parts[:count], parts[count:senses], parts[senses + count :], parts[senses : senses + count])
        else:
            ends, beliefs, signatures, kinds = self._mapped_row(first, count)
            row = Row(ends, beliefs, kinds, signatures)
        return self._with_values(row) if self._tabled else row

    def _bounds(self, number: int) -> tuple[int, int, int, int]:
        seen, first = self._file.seen, self._starts_at + number * _START_BYTES
        last = first + 2 * _START_BYTES - 1
        if not (seen[first >> BLOCK_BITS] and seen[last >> BLOCK_BITS]):
            self._file.verify(first, last + 1)
        starts, place = self._starts, 2 * number
        return starts[place], starts[place + 1], starts[place + 2], starts[place + 3]

    def _mapped_row(self, first: int, count: int) -> tuple[memoryview, ...]:
        """Return the four parts of a long row as they are mapped, for walks that look at its beginning only."""
        parts = []
        for kind, size in _formats(self._belief, self._sense):
            parts.append(view_as_numbers(self._file.bytes[first : first + count * size], kind))
            first += count * size
        return tuple(parts)

    def _with_values(self, row: Row) -> Row:
        """Return a row with the beliefs and senses whose places in their tables it holds."""
        ends, beliefs, kinds, senses = row
        if self._belief in PLACES:
            beliefs = _look_up(self._table("beliefs", "d"), beliefs)
        if self._sense in PLACES:
            senses = _look_up(self._table("senses", "Q"), senses)
        return Row(ends, beliefs, kinds, senses)

    def _table(self, name: str, kind: str) -> Sequence[Any]:
        table = self._tables.get(name)
        if table is None:
            start, end = self._file.section(name)
            self._file.verify(start, end)
            table = self._tables[name] = view_as_numbers(self._file.bytes[start:end], kind)
        return table


class _Structs(dict[int, Struct]):
    """How rows stand in their bytes, by how many claims they are of."""

    def __init__(self, belief: str, sense: str) -> None:
        self._formats = belief, sense

    def __missing__(self, count: int) -> Struct:
        made = self[count] = row_struct(count, *self._formats)
        return made


@lru_cache(maxsize=256)
def row_struct(count: int, belief: str, sense: str) -> Struct:
    """Return how a row of so many claims stands in its bytes."""
    return Struct("=" + "".join(f"{count}{kind}" for kind, _ in _formats(belief, sense)))


def view_as_numbers(view: memoryview, kind: str) -> memoryview:
    """Return bytes as the numbers of a format that stand in them."""
    return view.cast(kind)  # type: ignore[call-overload, no-any-return]


def _look_up(table: Sequence[Any], places: Sequence[Any]) -> list[Any]:
    return list(map(table.__getitem__, places))


def claim_width(belief: str, sense: str) -> int:
    """Return how many bytes a claim takes in a row."""
    return sum(size for _, size in _formats(belief, sense))


@lru_cache(maxsize=4)
def _formats(belief: str, sense: str) -> tuple[tuple[str, int], ...]:
    """Return the format and size of an end, a belief, a sense and a kind."""
    return tuple((kind, Struct(f"={kind}").size) for kind in ("I", belief, sense, "B"))
