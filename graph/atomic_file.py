"""A file that is written completely or not at all, compressed as its name says."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from graph.errors import InputIsDirectory, OutputIsGraph, OutputUnwritable, system_error_text
from graph.unfinished_files import unfinished_file, usual_mode

STDOUT = "-"
_SQLITE_MAGIC = b"SQLite format 3\0"


@contextmanager
def write_atomically(path: str | Path) -> Iterator[TextIO]:
    """Give a file of UTF-8 text that replaces `path` when the block ends, and leaves nothing if it raises.

    A file whose name ends in .gz, .bz2 or .zst is compressed; the same text gives the same bytes. `-` is standard output; pipes
    and devices are written directly. Lone surrogates, which are not text, are replaced by a question mark.

    Raises `InputIsDirectory`, `OutputIsGraph` for a file that holds a graph, which is never overwritten, and `OutputUnwritable`.
    """
    try:
        with ExitStack() as stack:
            raw = stack.enter_context(_open_raw(str(path)))
            compressed = stack.enter_context(_open_compressor(raw, str(path)))
            text = io.TextIOWrapper(compressed, encoding="utf-8", errors="replace", newline="\n", write_through=False)
            try:
                yield text
                text.flush()
            finally:
                with suppress(OSError, ValueError):
                    text.detach()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputUnwritable(path, system_error_text(error)) from error


@contextmanager
def _open_raw(path: str) -> Iterator[BinaryIO]:
    """Give a new file beside `path`, which is renamed at the end; an output that is no file is given directly."""
    if path == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if "\0" in path:
        raise OutputUnwritable(path.replace("\0", "\\0"), "a file name cannot hold a NUL character")
    target = Path(path).resolve()
    try:
        mode = target.stat().st_mode if target.exists() else 0
    except UnicodeEncodeError as error:
        raise OutputUnwritable(path, system_error_text(error)) from error
    if stat.S_ISDIR(mode):
        raise InputIsDirectory(path)
    if mode and not stat.S_ISREG(mode):
        with target.open("wb") as device:
            yield device
        return
    if mode and _is_graph(target):
        raise OutputIsGraph(path)
    if mode and not os.access(target, os.W_OK):
        raise OutputUnwritable(path, "permission denied")
    with unfinished_file(target.parent) as part:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.chmod(stat.S_IMODE(mode) if mode else usual_mode())
        part.replace(target)


def _open_compressor(raw: BinaryIO, path: str) -> BinaryIO:
    """Return a file that compresses into `raw` as the name says, and leaves `raw` open when it is closed."""
    if path.endswith(".gz"):
        return cast(BinaryIO, gzip.GzipFile("", "wb", 6, raw, mtime=0))
    if path.endswith(".bz2"):
        return cast(BinaryIO, bz2.BZ2File(raw, "wb"))
    if path.endswith(".zst"):
        import zstandard

        return cast(BinaryIO, zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False))
    return cast(BinaryIO, _UnclosedWriter(raw))


class _UnclosedWriter(io.BufferedIOBase):
    """A file that passes its bytes on, and leaves the file below open when it is closed."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        return self._raw.write(data)


def _is_graph(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
    except PermissionError:
        return False
