"""A file of an index: sections of bytes, mapped into memory, and a checksum for each block, compared when it is first read.

The first block is the header: magic, byte order, format, the fingerprint of what the file was built from, its size, and the
places of its sections; its last four bytes are its checksum. The sections follow, then the checksums of their blocks. Every byte
is covered by a checksum. Of a file that is cut off while it is mapped, what was not read yet counts as damaged.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping
from mmap import ACCESS_READ, mmap
from pathlib import Path
from zlib import crc32

FIT_BYTES = 32
FORMAT = 2
BLOCK_BITS = 12
BLOCK = 1 << BLOCK_BITS

_MAGIC = b"kgqa-ix\n"
_BYTE_ORDER = 0x01020304
# Magic, byte order, format, fit, size of the file, place of the checksums, checksum of the checksums, number of sections.
_HEADER = struct.Struct(f"=8sII{FIT_BYTES}sQQII")
_SECTION = struct.Struct("=8sQQ")
_SUM = struct.Struct("=I")

Piece = bytes | bytearray | memoryview
Sections = Mapping[str, Iterable[Piece]]
"""The content of a file of an index: sections in their order, each in any number of pieces."""


class BlockDamaged(Exception):
    """A block of a file is not what was written."""


class Unfit(Exception):
    """There is no file with the fingerprint that is needed and the format of this version of the package."""


class HeaderDamaged(Unfit):
    """A file is damaged at its beginning, or cut off, so that nothing can be read from it."""


class MappedFile:
    """A mapped file of an index with the fingerprint `fit`. Bytes can be read from `bytes` after `verify`.

    Raises `Unfit` if there is no such file, and `HeaderDamaged` if it is damaged at its beginning or cut off.
    """

    def __init__(self, path: Path, fit: bytes) -> None:
        try:
            with path.open("rb") as file:
                self._map = mmap(file.fileno(), 0, access=ACCESS_READ)
        except ValueError as error:
            raise HeaderDamaged("it is empty") from error
        except OSError as error:
            raise Unfit from error
        self.bytes = memoryview(self._map)
        self._sums_at, self._sums_crc, self._sections = _parse_header(self.bytes, fit)
        self._sums: memoryview | None = None
        self.seen = bytearray(self._sums_at >> BLOCK_BITS)
        """A byte for each block: 1 if its checksum was compared."""

    def has(self, name: str) -> bool:
        """Return whether there is a section of this name."""
        return name in self._sections

    def section(self, name: str) -> tuple[int, int]:
        """Return where a section begins and ends in `bytes`; raises `BlockDamaged` if there is none of this name."""
        try:
            return self._sections[name]
        except KeyError:
            raise BlockDamaged from None

    def verify(self, start: int, end: int) -> None:
        """Compare the checksums of the blocks from `start` to `end` unless that was done; raises `BlockDamaged`."""
        seen = self.seen
        for block in range(start >> BLOCK_BITS, (end + BLOCK - 1) >> BLOCK_BITS):
            if not seen[block]:
                self._verify_block(block)

    def damaged_blocks(self) -> int:
        """Read the whole file; return how many of its blocks are damaged: all of them if the checksums are."""
        damaged = 0
        for block in range(1, len(self.seen)):
            try:
                self._verify_block(block)
            except BlockDamaged:
                damaged += 1
        return damaged

    def holds(self, sections: Sections) -> bool:
        """Return whether the file holds these sections, whatever its checksums are."""
        if list(sections) != list(self._sections):
            return False
        for name, pieces in sections.items():
            at, end = self._sections[name]
            for piece in pieces:
                if self.bytes[at : at + len(piece)] != piece:
                    return False
                at += len(piece)
            if at != end:
                return False
        return True

    def _verify_block(self, block: int) -> None:
        # The system kills who reads a page that a file has lost.
        if self._map.size() < len(self.bytes):
            raise BlockDamaged
        if self._sums is None:
            sums = self.bytes[self._sums_at :]
            if crc32(sums) != self._sums_crc:
                raise BlockDamaged
            self._sums = sums.cast("I")
        start = block << BLOCK_BITS
        # The header was verified when the file was opened.
        if block and crc32(self.bytes[start : start + BLOCK]) != self._sums[block - 1]:
            raise BlockDamaged
        self.seen[block] = 1


def write_mapped_file(path: Path, fit: bytes, sections: Sections) -> None:
    """Write a file of an index, and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(bytes(BLOCK))
        sums = bytearray()
        rest = b""
        places: list[bytes] = []
        at = BLOCK

        def put(piece: Piece) -> None:
            nonlocal rest, at
            at += len(piece)
            data = rest + piece if rest else piece
            whole = len(data) & ~(BLOCK - 1)
            view = memoryview(data)
            for start in range(0, whole, BLOCK):
                sums.extend(_SUM.pack(crc32(view[start : start + BLOCK])))
            file.write(view[:whole])
            rest = bytes(view[whole:])

        for name, pieces in sections.items():
            start = at
            for piece in pieces:
                put(piece)
            places.append(_SECTION.pack(name.encode(), start, at - start))
            put(bytes(-at % 8))
        put(bytes(-at % BLOCK))
        file.write(sums)
        header = _HEADER.pack(_MAGIC, _BYTE_ORDER, FORMAT, fit, at + len(sums), at, crc32(sums), len(places)) + b"".join(places)
        header = header.ljust(BLOCK - _SUM.size, b"\0")
        file.seek(0)
        file.write(header + _SUM.pack(crc32(header)))
        file.flush()
        os.fsync(file.fileno())


def _parse_header(content: memoryview, fit: bytes) -> tuple[int, int, dict[str, tuple[int, int]]]:
    """Return where the checksums begin, the checksum of the checksums, and where each section begins and ends."""
    header = content[:BLOCK]
    if len(header) < BLOCK or crc32(header[: -_SUM.size]) != _SUM.unpack(header[-_SUM.size :])[0]:
        raise HeaderDamaged("its beginning is not what was written")
    magic, order, version, fits, size, sums_at, sums_crc, count = _HEADER.unpack_from(header)
    if (magic, order, version, fits) != (_MAGIC, _BYTE_ORDER, FORMAT, fit):
        raise Unfit
    if size != len(content):
        raise HeaderDamaged("its end is missing")
    entries = (_SECTION.unpack_from(header, _HEADER.size + place * _SECTION.size) for place in range(count))
    return sums_at, sums_crc, {name.rstrip(b"\0").decode(): (start, start + length) for name, start, length in entries}
