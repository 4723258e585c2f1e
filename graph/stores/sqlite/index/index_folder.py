"""The folder of an index: one generation of it in a folder of its own, and a pointer that is replaced at once.

A generation is never changed once the pointer names it. Who has one mapped keeps it when another takes its place and its files
are deleted. Whatever is not named by the pointer was left by a crash, and goes when the next generation is made.

Where the index of a graph file lies: in a folder beside it, or in the user's cache where that cannot be written.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

POINTER = "current"
ARROWS, NAMES, WORDS = "arrows", "names", "words"
"""The files of a generation; only that of a large graph has words."""
_LOCK = "lock"
_GENERATION = re.compile(r"generation-([0-9]{1,15})")
_NAME_AT_MOST = 64


class Generations:
    """The generations of an index in `folder`, which need not be there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def current(self) -> Path | None:
        """Return the folder that the pointer names, or `None` where there is no pointer, or a damaged one."""
        try:
            with (self.folder / POINTER).open("rb") as file:
                name = file.read(_NAME_AT_MOST).decode("ascii", "replace").strip()
        except OSError:
            return None
        return self.folder / name if _GENERATION.fullmatch(name) else None

    def remove(self) -> None:
        """Delete all generations and their folder, unless it holds anything else. Raises `OSError`."""
        if self.folder.is_dir():
            with self._locked(wait=True):
                (self.folder / POINTER).unlink(missing_ok=True)
                self._remove_all_but(None)
                for name in (f"{POINTER}-new", _LOCK):
                    (self.folder / name).unlink(missing_ok=True)
                self.folder.rmdir()

    def is_damaged(self) -> bool:
        """Return whether there is a pointer that names no generation."""
        return file_exists(self.folder / POINTER) and (self.folder / POINTER).is_file() and self.current() is None

    def obstacle(self) -> str:
        """Return what stands where an index must be and can only be taken away by hand, or an empty string."""
        if file_exists(self.folder) and not self.folder.is_dir():
            return f"'{self.folder}' is no folder"
        files = (self.folder / name for name in (POINTER, f"{POINTER}-new", _LOCK))
        return next((f"'{file}' is a folder" for file in files if file_exists(file) and file.is_dir()), "")

    @contextmanager
    def new(self, *, wait: bool) -> Iterator[Path | None]:
        """Give the folder of a new generation to be filled, and then point to it, unless the block raises.

        Gives `None` where another process makes one and this one shall not `wait`. Raises `OSError`.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._locked(wait=wait) as locked:
            if not locked:
                yield None
                return
            last = max((int(match[1]) for name in self._names() if (match := _GENERATION.fullmatch(name))), default=0)
            made = self.folder / f"generation-{last + 1}"
            self._remove_all_but(self.current())
            try:
                made.mkdir()
                yield made
                _fsync_folder(made)
                self._point_to(made)
            finally:
                self._remove_all_but(self.current())

    def _point_to(self, generation: Path) -> None:
        new = self.folder / f"{POINTER}-new"
        with new.open("w", encoding="ascii") as file:
            file.write(f"{generation.name}\n")
            file.flush()
            os.fsync(file.fileno())
        _fsync_folder(self.folder)
        new.replace(self.folder / POINTER)
        _fsync_folder(self.folder)

    def _names(self) -> list[str]:
        return [entry.name for entry in self.folder.iterdir()]

    def _remove_all_but(self, generation: Path | None) -> None:
        for name in self._names():
            if _GENERATION.fullmatch(name) and (generation is None or name != generation.name):
                with suppress(OSError):
                    for file in (self.folder / name).iterdir():
                        file.unlink()
                    (self.folder / name).rmdir()

    @contextmanager
    def _locked(self, *, wait: bool) -> Iterator[bool]:
        """Hold the right to make a generation, or yield `False` where another process has it."""
        descriptor = os.open(self.folder / _LOCK, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            yield _lock(descriptor, wait=wait)
        finally:
            os.close(descriptor)


def file_exists(path: Path) -> bool:
    """Return whether there is a file that may be seen."""
    try:
        path.stat()
    except OSError:
        return False
    return True


def _lock(descriptor: int, *, wait: bool) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def index_folder_of(path: Path) -> Path | None:
    """Return the folder of the index of the graph at `path`; `None` where there is no place for one."""
    return folder_beside(path) if _may_write(path) and _may_write(path.parent) else folder_in_cache(path)


def folder_beside(path: Path) -> Path:
    """Return the folder beside a graph."""
    return path.with_name(f"{path.name}-index")


def folder_in_cache(path: Path) -> Path | None:
    """Return the folder for a graph in the user's cache, or `None` where the user has none."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    home = os.environ.get("HOME", "")
    # A relative path means nothing here: see the XDG Base Directory Specification.
    base = Path(cache) if cache.startswith("/") else Path(home, ".cache") if home.startswith("/") else None
    return None if base is None else base / "kgqa" / "index" / f"{path.name}-{crc32(os.fsencode(path)):08x}"


def _may_write(path: Path) -> bool:
    # What has no write bit at all was made to be read, and stays so for root too, whom the system would let write.
    try:
        return bool(path.stat().st_mode & _WRITE_BITS) and os.access(path, os.W_OK)
    except OSError:
        return False
