"""Compressed data as plain blocks: gzip, bzip2 and Zstandard, with any number of streams in a row."""

from __future__ import annotations

import bz2
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from graph.errors import InputUnreadable

MAGIC_LENGTH = 10  # how many bytes are enough to know any of `COMPRESSIONS`
_BLOCK = 1 << 18


def _zstandard_decoder() -> tuple[Any, tuple[type[Exception], ...]]:
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj(), (zstandard.ZstdError,)


@dataclass(frozen=True, slots=True)
class Compression:
    """A compression: `decoder` returns a decoder of one stream, fed by `piece` bytes, and the errors that damaged data raises."""

    name: str
    suffix: str
    magic: re.Pattern[bytes]
    piece: int
    decoder: Callable[[], tuple[Any, tuple[type[Exception], ...]]]


# A piece of gzip data makes at most 4 MiB (DEFLATE: 1,032 times its length), of Zstandard 16 MiB (4 bytes: 128 KiB).
COMPRESSIONS = (
    Compression("gzip", ".gz", re.compile(rb"\x1f\x8b\x08"), 1 << 12, lambda: (zlib.decompressobj(wbits=31), (zlib.error,))),
    Compression(
        *("bzip2", ".bz2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)", re.DOTALL), 1 << 12),
        lambda: (bz2.BZ2Decompressor(), (OSError, EOFError, ValueError)),
    ),
    Compression(
        *("Zstandard", ".zst", re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", re.DOTALL), 1 << 9), _zstandard_decoder
    ),
)
"""The compressions that are read, known by the first bytes."""


def detect_compression(head: bytes) -> Compression | None:
    """Return how the data that begins with `head` is compressed, or `None`."""
    return next((compression for compression in COMPRESSIONS if compression.magic.match(head)), None)


def compression_of_name(name: str) -> Compression | None:
    """Return the compression that the suffix of a file name states, or `None`."""
    return next((compression for compression in COMPRESSIONS if name.endswith(compression.suffix)), None)


def decompress(blocks: Iterable[bytes], compression: Compression, name: str) -> Iterator[bytes]:
    """Yield the plain data of compressed `blocks`, in blocks of about 256 KiB; zero bytes behind a stream are padding.

    Raises `InputUnreadable` for damaged and for cut data, after everything before that place has been yielded.
    """
    taken = given = size = 0
    waiting: list[bytes] = []
    decoder: Any = None
    errors: tuple[type[Exception], ...] = ()
    damage = ""
    for block in blocks:
        place = 0
        while place < len(block) and not damage:
            if decoder is None:
                start = len(block) - len(block[place:].lstrip(b"\0"))
                place, taken = start, taken + start - place
                if place == len(block):
                    break
                decoder, errors = compression.decoder()
            piece = block[place : place + compression.piece]
            place, taken = place + len(piece), taken + len(piece)
            try:
                for data in _decoded_data(decoder, piece):
                    waiting.append(data)
                    size, given = size + len(data), given + len(data)
                    if size >= _BLOCK:
                        yield b"".join(waiting)
                        waiting, size = [], 0
            except errors as error:
                damage = str(error).lower()
            if decoder.eof:
                place, taken = place - len(decoder.unused_data), taken - len(decoder.unused_data)
                decoder = None
        if damage:
            break
    if waiting:
        yield b"".join(waiting)
    if damage or decoder is not None:
        place_text = f"is damaged near byte {taken:,} ({damage})" if damage else f"is cut short after byte {taken:,}"
        raise InputUnreadable(name, f"its {compression.name} data {place_text}; {given:,} bytes before that were read")


def _decoded_data(decoder: Any, piece: bytes) -> Iterator[bytes]:
    if isinstance(decoder, bz2.BZ2Decompressor):  # a few dozen bytes may stand for 46 MB
        yield decoder.decompress(piece, _BLOCK)
        while not (decoder.eof or decoder.needs_input):
            yield decoder.decompress(b"", _BLOCK)
    else:
        yield decoder.decompress(piece)
