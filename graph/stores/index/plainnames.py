"""The names of the concepts of a graph that is not large, as they are, each found without unpacking others."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from graph.stores.index.mapped import BLOCK, BLOCK_BITS, MappedFile, Piece
from graph.stores.index.nametable import decode_name, encode_name

_END_BYTES = 4


class PlainNameTable:
    """The names of a mapped file, found by number or by binary search. Each method raises `Damaged` where it meets damage."""

    def __init__(self, file: MappedFile, concepts: int) -> None:
        self._file = file
        self._concepts = concepts
        self._names_at, _ = file.section("names")
        start, end = file.section("ends")
        self._ends_at = start
        self._ends = file.bytes[start:end].cast("I")

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        return decode_name(self._stored_name(number))

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None`."""
        wanted = encode_name(name)
        place = bisect_left(range(self._concepts), wanted, key=self._stored_name)
        return place if place < self._concepts and self._stored_name(place) == wanted else None

    def _stored_name(self, number: int) -> bytes:
        file = self._file
        at = self._ends_at + number * _END_BYTES
        if not (file.seen[at >> BLOCK_BITS] and file.seen[(at + 2 * _END_BYTES - 1) >> BLOCK_BITS]):
            file.verify(at, at + 2 * _END_BYTES)
        start, end = self._names_at + self._ends[number], self._names_at + self._ends[number + 1]
        if not (file.seen[start >> BLOCK_BITS] and file.seen[end >> BLOCK_BITS] and end - start < BLOCK):
            file.verify(start, end)
        return bytes(file.bytes[start:end])


def plain_name_sections(names: Iterable[bytes]) -> dict[str, Iterable[Piece]]:
    """Return the sections of a file that holds `names`, which are in their order; they are read as the first one is written."""
    ends = array("I", (0,))

    def written() -> Iterator[bytes]:
        for name in names:
            ends.append(ends[-1] + len(name))
            yield name

    def places() -> Iterator[Piece]:
        yield memoryview(ends).cast("B")

    return {"names": written(), "ends": places()}
