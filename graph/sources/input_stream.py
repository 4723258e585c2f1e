"""A file argument as blocks of bytes, lines of text or parsed items, whatever it is compressed with, in constant memory."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Self, TypeVar

from graph.errors import (
    FormatUnknown,
    GraphError,
    InputEmpty,
    InputIsDirectory,
    InputMissing,
    InputTooLong,
    InputUnreadable,
    system_error_text,
)
from graph.sources.article import Skipped
from graph.sources.compression import COMPRESSIONS, MAGIC_LENGTH, compression_of_name, decompress, detect_compression

ParsedItem = TypeVar("ParsedItem")

_ARCHIVE = "it is a {} archive; unpack it first"
_UTF_TEXT = "it is UTF-{0} text; convert it with: iconv -f UTF-{0} -t UTF-8"
_NOT_TEXT = (
    (re.compile(rb"PK\x03\x04"), _ARCHIVE.format("zip")),
    (re.compile(rb"7z\xbc\xaf\x27\x1c"), _ARCHIVE.format("7z")),
    (re.compile(rb"\xfd7zXZ\x00"), "it is xz data; unpack it first, or compress it with gzip, bzip2 or Zstandard"),
    (re.compile(rb"[^\0]{1,100}\0.{156,256}ustar", re.DOTALL), _ARCHIVE.format("tar")),
    (re.compile(rb"%PDF-"), "it is a PDF; save it as text first"),
    (re.compile(rb"SQLite format 3\0"), "it is an SQLite database"),
    (re.compile(rb"PAR1[\x15\x00]"), "it is a Parquet file"),
    (re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), _UTF_TEXT.format(32)),
    (re.compile(rb"\xff\xfe|\xfe\xff"), _UTF_TEXT.format(16)),
)
"""How files begin that are often taken for text by mistake, and what to say of them."""


def decode_utf8(line: bytes) -> str:
    """Return `line` as text; raise `ValueError` with the reason where it holds NUL bytes or is not UTF-8."""
    if b"\0" in line:
        raise ValueError(f"NUL byte at position {line.index(0)}")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte 0x{line[error.start]:02x} at position {error.start}") from None


def reason_not_text(head: bytes) -> str:
    """Return why a file that begins with `head` is not text: more than half of it cannot be decoded; empty where it is text."""
    for beginning, why in _NOT_TEXT:
        if beginning.match(head):
            return why
    bad, first, offset = 0, "", 0
    _, complete = codecs.utf_8_decode(head, "replace", False)  # without a character that the end cuts in two
    for line in head[:complete].split(b"\n"):
        try:
            decode_utf8(line)
        except ValueError as error:
            bad += len(line)
            first = first or str(error)
        offset += len(line) + 1
    return f"it is not UTF-8 text ({first})" if bad * 2 > len(head) else ""


LONGEST = 1 << 24  # the longest line, in bytes, that is read; a longer one is skipped
MOST_TEXT = 1 << 30  # the longest text, in bytes, that is read as a whole
OnSkip = Callable[[Skipped], None]  # receives every line or page that is left out
_RAW = 1 << 18
_BOM = b"\xef\xbb\xbf"


class InputStream:
    """The plain content of an open input, to be read once; `name` is its path or "stdin", `size` its bytes on disk or `None`.

    Raises `InputEmpty` and `InputUnreadable` when it is made; damage further on raises `InputUnreadable` after all before it.
    """

    def __init__(self, file: BinaryIO, name: str, size: int | None) -> None:
        self.name = name
        self.size = size
        self.bytes_read = 0
        self._file = file
        self._damage: InputUnreadable | None = None
        self._head = b""
        self._plain = self._plain_blocks()
        self._fill_head(1)
        if self._head.startswith(_BOM[:1]):
            self._fill_head(len(_BOM))
        self._head = self._head.removeprefix(_BOM)
        self._fill_head(1)
        if not self._head:
            raise self._damage or InputEmpty(name)
        if why := reason_not_text(self._head):
            raise InputUnreadable(name, why)

    @property
    def title(self) -> str:
        """The name of the file without folders and without the suffix of a compression, so that packing it changes nothing."""
        title = Path(self.name).name
        for compression in COMPRESSIONS:
            title = title.removesuffix(compression.suffix)
        return title or self.name

    def peek(self, size: int = 1 << 16) -> bytes:
        """Return the first `size` bytes, or fewer where the input is shorter, without taking them away."""
        self._fill_head(size)
        return self._head[:size]

    def blocks(self) -> Iterator[bytes]:
        """Yield the plain content in blocks of some 256 KiB, without a byte order mark."""
        head, self._head = self._head, b""
        if head:
            yield head
        yield from self._plain
        if self._damage:
            raise self._damage

    def lines(self, on_skip: OnSkip) -> Iterator[tuple[int, str]]:
        """Yield each line with its number, from 1, without its end; report those that are too long or not text to `on_skip`."""
        for number, line in enumerate(self._lines(), 1):
            try:
                if line is None:
                    raise ValueError(f"longer than {LONGEST >> 20} MiB")
                yield number, decode_utf8(line)
            except ValueError as error:
                on_skip(Skipped(f"line {number}", str(error)))

    def text(self, most: int = MOST_TEXT, remedy: str = "divide it") -> str:
        """Return the whole content; raise `InputUnreadable` where any of it cannot be read, `InputTooLong` over `most` bytes.

        Of a longer text, compressed or not, no more than `most` bytes and a block are held.
        """
        blocks, size = [], 0
        for block in self.blocks():
            blocks.append(block)
            size += len(block)
            if size > most:
                raise InputTooLong(self.name, f"its text is longer than {most >> 20:,} MiB; {remedy}")
        try:
            return decode_utf8(b"".join(blocks))
        except ValueError as error:
            raise InputUnreadable(self.name, str(error)) from None

    @property
    def reads_stdin(self) -> bool:
        """Whether this is the standard input that the process has now."""
        return sys.stdin is not None and self._file is sys.stdin.buffer

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if not self.reads_stdin:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _plain_blocks(self) -> Iterator[bytes]:
        raw = self._raw_blocks()
        head = b""
        for block in raw:
            head += block
            if len(head) >= MAGIC_LENGTH:
                break
        compression = detect_compression(head)
        if compression:
            yield from decompress(chain((head,), raw), compression, self.name)
            return
        promised = compression_of_name(self.name)
        if promised and reason_not_text(head):
            raise InputUnreadable(self.name, f"it is not {promised.name} data, whatever its name says")
        yield head
        yield from raw

    def _raw_blocks(self) -> Iterator[bytes]:
        """Yield the bytes of the file as they come, so that a slow pipe is not waited for."""
        read = self._file.read1 if isinstance(self._file, io.BufferedReader) else self._file.read
        try:
            while block := read(_RAW):
                self.bytes_read += len(block)
                yield block
        except IsADirectoryError:
            raise InputIsDirectory(self.name) from None
        except OSError as error:
            raise InputUnreadable(self.name, f"{system_error_text(error)} after byte {self.bytes_read:,}") from None

    def _fill_head(self, size: int) -> None:
        """Read on until `size` bytes wait in the head; damage on the way waits until the head has been yielded."""
        try:
            while len(self._head) < size and not self._damage and (block := next(self._plain, None)) is not None:
                self._head += block
        except InputUnreadable as damage:
            self._damage = damage

    def _lines(self) -> Iterator[bytes | None]:
        """Yield the lines, `None` for one that is too long; the rest of a line that damage cuts is not yielded."""
        held: list[bytes] = []
        size = 0
        for block in self.blocks():
            first, *remainder = block.split(b"\n")
            size += len(first)
            held = [*held, first] if size <= LONGEST else []
            if remainder:
                yield None if size > LONGEST else b"".join(held).removesuffix(b"\r")
                yield from (line.removesuffix(b"\r") for line in remainder[:-1])
                held, size = remainder[-1:], len(remainder[-1])
        if size:
            yield None if size > LONGEST else b"".join(held).removesuffix(b"\r")


FileArgument = str | Path | InputStream  # what names an input: a path, "-" for standard input, or a stream that is open already


def open_input(argument: FileArgument) -> InputStream:
    """Return an open input, a stream as it is; raise `InputMissing`, `InputIsDirectory`, `InputEmpty` or `InputUnreadable`."""
    if isinstance(argument, InputStream):
        return argument
    if str(argument) == "-":
        return _standard_input()
    path = Path(argument)
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        raise InputMissing(path) from None
    except IsADirectoryError:
        raise InputIsDirectory(path) from None
    except (OSError, ValueError) as error:
        raise InputUnreadable(path, system_error_text(error)) from None
    try:
        return InputStream(file, str(path), _bytes_left(file))
    except GraphError:
        file.close()
        raise


_opened_stdin: list[InputStream] = []


def _standard_input() -> InputStream:
    """Return standard input; opened once more, it is the same stream, so that a look at its format takes nothing away."""
    if sys.stdin is None:
        raise InputUnreadable("stdin", "it is closed")
    if not _opened_stdin or not _opened_stdin[0].reads_stdin:
        _opened_stdin[:] = [InputStream(sys.stdin.buffer, "stdin", _bytes_left(sys.stdin.buffer))]
    if not _opened_stdin[0].peek(1):
        raise InputEmpty("stdin")
    return _opened_stdin[0]


def _bytes_left(file: BinaryIO) -> int | None:
    """Return how many bytes a regular file has left to read, `None` for anything else."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_size - file.tell() if stat.S_ISREG(status.st_mode) else None


def read_items(
    path: FileArgument, read: Callable[[InputStream, OnSkip], Iterable[ParsedItem]], expected: str, on_skip: OnSkip
) -> Iterator[ParsedItem]:
    """Yield what `read` yields of a file, and pass on to `on_skip` what it skips; raise the errors of `open_input`.

    Where there is no item at all, raise `FormatUnknown` with the `expected` format and the first skip, or `InputEmpty` without
    one.
    """
    first_skip: Skipped | None = None

    def skip(skipped: Skipped) -> None:
        nonlocal first_skip
        first_skip = first_skip or skipped
        on_skip(skipped)

    with open_input(path) as stream:
        has_items = False
        for item in read(stream, skip):
            has_items = True
            yield item
        if has_items:
            return
        if first_skip is None:
            raise InputEmpty(stream.name)
        raise FormatUnknown(stream.name, expected, f"{first_skip.where}: {first_skip.why}")
