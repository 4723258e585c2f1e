"""A file that is written whole or not at all, packed as its name says."""

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
from tempfile import mkstemp
from typing import BinaryIO, TextIO, cast

from graph.errors import InputIsDirectory, OutputIsGraph, OutputUnwritable, system_error_text

STDOUT = "-"
_SQLITE_MAGIC = b"SQLite format 3\0"


@contextmanager
def write_atomically(path: str | Path) -> Iterator[TextIO]:
    """Give a file of UTF-8 text that takes the place of `path` when the block ends, and leaves nothing where it raises.

    A name that ends in .gz, .bz2 or .zst is packed; the same text gives the same bytes. `-` is standard output; pipes and
    devices are written as they are. Halves of surrogate pairs, which are no text, are replaced by a question mark.

    Raises `InputIsDirectory`, `OutputIsGraph` for a file that holds a graph, which is never written over, and
    `OutputUnwritable`.
    """
    try:
        with ExitStack() as stack:
            raw = stack.enter_context(_open_raw(str(path)))
            packed = stack.enter_context(_open_compressor(raw, str(path)))
            text = io.TextIOWrapper(packed, encoding="utf-8", errors="replace", newline="\n", write_through=False)
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
    """Give the bytes of the file: those of a new one beside it, which is renamed at the end."""
    if path == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if "\0" in path:
        raise OutputUnwritable(path.replace("\0", "\\0"), "a file name cannot hold a NUL character")
    target = Path(path).resolve()
    mode = _file_mode(target)
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
    number, name = mkstemp(prefix=".kgqa-", suffix=".part", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.chmod(stat.S_IMODE(mode) if mode else 0o666 & ~_umask())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _open_compressor(raw: BinaryIO, path: str) -> BinaryIO:
    """Return what packs into `raw` as the name says; when it is closed `raw` stays open."""
    if path.endswith(".gz"):
        return cast(BinaryIO, gzip.GzipFile("", "wb", 6, raw, mtime=0))
    if path.endswith(".bz2"):
        return cast(BinaryIO, bz2.BZ2File(raw, "wb"))
    if path.endswith(".zst"):
        import zstandard

        return cast(BinaryIO, zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False))
    return cast(BinaryIO, _UnclosedWriter(raw))


class _UnclosedWriter(io.BufferedIOBase):
    """Bytes passed on as they are; unlike the file below, it may be closed."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        return self._raw.write(data)


def _file_mode(path: Path) -> int:
    """Return what the file system says of a path, 0 where nothing is there."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return 0


def _is_graph(path: Path) -> bool:
    """Return whether a file is a database, as a graph is."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
    except PermissionError:
        return False


def _umask() -> int:
    """Return the permissions that new files do not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
