"""The arrows of an index: for each concept a row of the claims that it causes and one of those that cause it.

A row is contiguous, so that it mostly lies in one block: its ends, its beliefs, its senses, its kinds. `starts` holds for each
concept the number of claims before its row out and before its row in, and both totals at the end. In large graphs beliefs and
senses are positions in a table of their distinct values.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Any

from graph.mapped_file import BLOCK, BLOCK_BITS, MappedFile
from graph.protocols import Row
from graph.topology import EMPTY_ROW

SHAPE = Struct("=QQcc")
"""The numbers of concepts and claims; the formats of a belief and a sense: values ("d", "Q"), or positions in a table."""
POSITIONS = ("H", "I")  # the formats of positions in a table, smallest first
_START_BYTES = 8
_UNPACKED_AT_ONCE = 64


class EdgeRows:
    """The rows of a mapped file. Each method raises `BlockDamaged` if it reads a damaged block."""

    def __init__(self, file: MappedFile) -> None:
        self._file = file
        shape, end = file.section("shape")
        file.verify(shape, end)
        self.concepts: int
        self.concepts, _, belief, sense = SHAPE.unpack_from(file.bytes, shape)
        self._belief, self._sense = belief.decode(), sense.decode()
        self._starts_at, starts_end = file.section("starts")
        self._starts = _as_numbers(file.bytes[self._starts_at : starts_end], "I")
        self._rows_at = file.section("in")[0], file.section("out")[0]
        self._formats = tuple((kind, Struct(f"={kind}").size) for kind in ("I", self._belief, self._sense, "B"))
        self._width = sum(size for _, size in self._formats)
        self._tabled = self._belief in POSITIONS or self._sense in POSITIONS
        self._tables: dict[str, memoryview] = {}
        self._structs = _Structs("".join(kind for kind, _ in self._formats))

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
            # The parts of a long row stay mapped, for walks that read its beginning only.
            columns = []
            for kind, size in self._formats:
                columns.append(_as_numbers(file.bytes[first : first + count * size], kind))
                first += count * size
            ends, beliefs, signatures, kinds = columns
            row = Row(ends, beliefs, kinds, signatures)
        return self._with_values(row) if self._tabled else row

    def _bounds(self, number: int) -> tuple[int, int, int, int]:
        seen, first = self._file.seen, self._starts_at + number * _START_BYTES
        last = first + 2 * _START_BYTES - 1
        if not (seen[first >> BLOCK_BITS] and seen[last >> BLOCK_BITS]):
            self._file.verify(first, last + 1)
        starts, place = self._starts, 2 * number
        return starts[place], starts[place + 1], starts[place + 2], starts[place + 3]

    def _with_values(self, row: Row) -> Row:
        ends, beliefs, kinds, senses = row
        if self._belief in POSITIONS:
            beliefs = self._look_up("beliefs", "d", beliefs)
        if self._sense in POSITIONS:
            senses = self._look_up("senses", "Q", senses)
        return Row(ends, beliefs, kinds, senses)

    def _look_up(self, name: str, kind: str, positions: Sequence[Any]) -> list[Any]:
        table = self._tables.get(name)
        if table is None:
            start, end = self._file.section(name)
            self._file.verify(start, end)
            table = self._tables[name] = _as_numbers(self._file.bytes[start:end], kind)
        return list(map(table.__getitem__, positions))


class _Structs(dict[int, Struct]):
    """The layouts of rows by their number of claims."""

    def __init__(self, kinds: str) -> None:
        self._kinds = kinds

    def __missing__(self, count: int) -> Struct:
        layout = self[count] = Struct("=" + "".join(f"{count}{kind}" for kind in self._kinds))
        return layout


def _as_numbers(view: memoryview, kind: str) -> memoryview:
    return view.cast(kind)  # type: ignore[call-overload, no-any-return]
