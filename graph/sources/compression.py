"""Compressed data as plain blocks: gzip, bzip2 and Zstandard, with any number of streams in a row."""

from __future__ import annotations

import bz2
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from graph.errors import InputUnreadable

MAGIC_LENGTH = 10
"""How many bytes are enough to know any of `COMPRESSIONS`."""

_BLOCK = 1 << 18
_PADDING = re.compile(rb"\0*")


class _Decoder(Protocol):
    """What takes one compressed stream apart; `errors` is what it raises on damaged data."""

    errors: tuple[type[Exception], ...]
    piece: int

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def plain(self, data: bytes) -> Iterator[bytes]: ...


class _Gzip:
    """A gzip member. DEFLATE makes at most 1,032 bytes of one, so that a piece never makes more than 4 MiB."""

    errors: tuple[type[Exception], ...] = (zlib.error,)
    piece = 1 << 12

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def plain(self, data: bytes) -> Iterator[bytes]:
        yield self._decoder.decompress(data)


class _Bzip2:
    """A bzip2 stream. A few dozen bytes of it may stand for 46 MB, so what comes out is asked for in blocks."""

    errors: tuple[type[Exception], ...] = (OSError, EOFError, ValueError)
    piece = 1 << 12

    def __init__(self) -> None:
        self._decoder = bz2.BZ2Decompressor()

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def plain(self, data: bytes) -> Iterator[bytes]:
        yield self._decoder.decompress(data, _BLOCK)
        while not (self.eof or self._decoder.needs_input):
            yield self._decoder.decompress(b"", _BLOCK)


class _Zstandard:
    """A Zstandard frame. Four bytes of it may stand for 128 KiB, so a piece never makes more than 16 MiB."""

    piece = 1 << 9

    def __init__(self) -> None:
        import zstandard

        self.errors: tuple[type[Exception], ...] = (zstandard.ZstdError,)
        self._decoder = zstandard.ZstdDecompressor().decompressobj()

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def plain(self, data: bytes) -> Iterator[bytes]:
        yield self._decoder.decompress(data)


@dataclass(frozen=True, slots=True)
class Compression:
    """A way of compressing files: its name, the suffix of its files, how its data begins and what takes it apart."""

    name: str
    suffix: str
    magic: re.Pattern[bytes]
    decoder: type[_Decoder]


COMPRESSIONS = (
    Compression("gzip", ".gz", re.compile(rb"\x1f\x8b\x08"), _Gzip),
    Compression("bzip2", ".bz2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)", re.DOTALL), _Bzip2),
    Compression("Zstandard", ".zst", re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", re.DOTALL), _Zstandard),
)
"""What is read without being told."""


def detect_compression(head: bytes) -> Compression | None:
    """Return how the data that begins with `head` is compressed, or `None`."""
    return next((compression for compression in COMPRESSIONS if compression.magic.match(head)), None)


def decompress(blocks: Iterable[bytes], compression: Compression, name: str) -> Iterator[bytes]:
    """Yield the plain data of compressed `blocks`, in blocks of about 256 KiB, in constant memory.

    Zero bytes behind a stream are padding. Raises `InputUnreadable` for damaged and for cut data, after everything before
    that place has been yielded; `name` is the file it names.
    """
    plain = _Decompressor(compression)
    for block in blocks:
        yield from plain.feed(block)
        if plain.damage:
            break
    yield from plain.flush()
    if plain.damage:
        place = f"is damaged near byte {plain.taken:,} ({plain.damage})"
    elif plain.open:
        place = f"is cut short after byte {plain.taken:,}"
    else:
        return
    raise InputUnreadable(name, f"its {compression.name} data {place}; {plain.given:,} bytes before that were read")


class _Decompressor:
    """The plain side of compressed data: what was taken in, what was given out, and whether a stream is open."""

    def __init__(self, compression: Compression) -> None:
        self.taken = 0
        self.given = 0
        self.damage = ""
        self._compression = compression
        self._decoder: _Decoder | None = None
        self._waiting: list[bytes] = []
        self._size = 0

    @property
    def open(self) -> bool:
        return self._decoder is not None

    def feed(self, block: bytes) -> Iterator[bytes]:
        """Yield what can be given out after `block`, until `damage` is set."""
        place = 0
        while place < len(block) and not self.damage:
            if self._decoder is None:
                padding = _PADDING.match(block, place)
                start = padding.end() if padding else place
                place, self.taken = start, self.taken + start - place
                if place == len(block):
                    return
                self._decoder = self._compression.decoder()
            piece = block[place : place + self._decoder.piece]
            place += len(piece)
            yield from self._decode_piece(self._decoder, piece)
            if self._decoder.eof:
                place -= len(self._decoder.unused_data)
                self.taken -= len(self._decoder.unused_data)
                self._decoder = None

    def flush(self) -> Iterator[bytes]:
        """Yield what still waits for a block to be full."""
        if self._waiting:
            yield b"".join(self._waiting)
        self._waiting, self._size = [], 0

    def _decode_piece(self, decoder: _Decoder, piece: bytes) -> Iterator[bytes]:
        try:
            for data in decoder.plain(piece):
                self._waiting.append(data)
                self._size += len(data)
                self.given += len(data)
                if self._size >= _BLOCK:
                    yield from self.flush()
        except decoder.errors as error:
            self.damage = str(error).lower()
        self.taken += len(piece)
