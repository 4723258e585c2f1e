"""The names of all concepts in the order of their code points; the number of a concept is its position among them.

A large graph has its names in compressed buckets: neighbours share their beginnings, so that a name takes a third of its length.
The first name of each bucket is stored apart, uncompressed, for binary search. Other graphs have uncompressed names, so that
each can be read alone.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from struct import Struct

from graph.mapped_file import BLOCK, BLOCK_BITS, BlockDamaged, MappedFile, Piece

BUCKET = 64
_BETWEEN = b"\xff"  # no byte of UTF-8
_PLACE = Struct("=QQ")  # where a bucket, and where its first name ends; the first place precedes all buckets
_AT_ONCE = 1 << 16
_LEVEL = 1
_MOST_CACHED = 64
_END_BYTES = 4


def encode_name(name: str) -> bytes:
    """Return a name as it is stored: bytes that sort like the name."""
    return name.encode("utf-8", "surrogatepass")


def decode_name(stored: bytes) -> str:
    """Return the text that was stored as these bytes; raises `BlockDamaged` if they are no text."""
    try:
        return stored.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise BlockDamaged from error


class CompressedNameTable:
    """Names in compressed buckets, found by number or by binary search.

    Each method raises `BlockDamaged` if it reads a damaged block.
    """

    def __init__(self, file: MappedFile, concepts: int) -> None:
        self._file = file
        self._buckets_at, _ = file.section("buckets")
        self._heads_at, _ = file.section("heads")
        self._places_at, _ = file.section("places")
        self._buckets = (concepts + BUCKET - 1) // BUCKET
        self._cached: dict[int, list[bytes]] = {}

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        return decode_name(self._bucket(number // BUCKET)[number % BUCKET])

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None`."""
        wanted = encode_name(name)
        bucket = bisect_right(range(self._buckets), wanted, key=self._head) - 1
        if bucket < 0:
            return None
        names = self._bucket(bucket)
        return bucket * BUCKET + names.index(wanted) if wanted in names else None

    def _bucket(self, number: int) -> list[bytes]:
        names = self._cached.get(number)
        if names is None:
            start, _, end, _ = self._bounds(number)
            bucket = self._verified(self._buckets_at, start, end)
            try:
                names = zlib.decompress(bucket).split(_BETWEEN)
            except zlib.error as error:
                raise BlockDamaged from error
            if len(self._cached) >= _MOST_CACHED:
                self._cached.clear()
            self._cached[number] = names
        return names

    def _head(self, number: int) -> bytes:
        _, start, _, end = self._bounds(number)
        return bytes(self._verified(self._heads_at, start, end))

    def _bounds(self, number: int) -> tuple[int, int, int, int]:
        places = self._verified(self._places_at, number * _PLACE.size, (number + 2) * _PLACE.size)
        return (*_PLACE.unpack_from(places), *_PLACE.unpack_from(places, _PLACE.size))

    def _verified(self, base: int, start: int, end: int) -> memoryview:
        self._file.verify(base + start, base + end)
        return self._file.bytes[base + start : base + end]


def name_sections(names: Iterable[bytes]) -> dict[str, Iterable[Piece]]:
    """Return the sections of a file of compressed `names`, which are sorted; they are read when the first section is."""
    places, heads = bytearray(_PLACE.pack(0, 0)), bytearray()

    def buckets() -> Iterator[bytes]:
        rest, at = iter(names), 0
        while some := list(islice(rest, _AT_ONCE)):
            pieces = []
            for first in range(0, len(some), BUCKET):
                pieces.append(zlib.compress(_BETWEEN.join(some[first : first + BUCKET]), _LEVEL))
                heads.extend(some[first])
                at += len(pieces[-1])
                places.extend(_PLACE.pack(at, len(heads)))
            yield b"".join(pieces)

    return {"buckets": buckets(), "heads": (heads,), "places": (places,)}


class PlainNameTable:
    """Uncompressed names, found by number or by binary search. Each method raises `BlockDamaged` if it reads a damaged block."""

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
    """Return the sections of a file of uncompressed `names`, which are sorted; they are read when the first section is."""
    ends = array("I", (0,))

    def written() -> Iterator[bytes]:
        for name in names:
            ends.append(ends[-1] + len(name))
            yield name

    def places() -> Iterator[Piece]:
        yield memoryview(ends).cast("B")

    return {"names": written(), "ends": places()}
