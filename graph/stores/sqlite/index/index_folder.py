"""The folder of an index: beside its graph, or in the user's cache if it cannot be written there.

It holds one generation of the index in a folder of its own, and a pointer that is replaced atomically. A generation never changes
once the pointer names it. A process that has one mapped keeps it when another takes its place and its files are deleted. Whatever
the pointer does not name was left by a crash, and is deleted when the next generation is built.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

from graph.stores.sqlite.sqlite_connection import may_write, sync_to_disk

ARROWS, NAMES, WORDS, HASHES = "arrows", "names", "words", "hashes"  # the files of a generation; only a large graph has words
POINTER = "current"
_NEW_POINTER = "current-new"
_LOCK = "lock"
_GENERATION = re.compile(r"generation-([0-9]{1,15})")
_LONGEST_POINTER = 64


class Generations:
    """The generations of an index in `folder`, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def current(self) -> Path | None:
        """Return the folder that the pointer names, or `None` if there is no pointer, or a damaged one."""
        try:
            with (self.folder / POINTER).open("rb") as file:
                name = file.read(_LONGEST_POINTER).decode("ascii", "replace").strip()
        except OSError:
            return None
        return self.folder / name if _GENERATION.fullmatch(name) else None

    def remove(self) -> None:
        """Delete all generations and their folder, unless it holds anything else. Raises `OSError`."""
        if self.folder.is_dir():
            with self._locked(wait=True):
                (self.folder / POINTER).unlink(missing_ok=True)
                self._remove_all_but(None)
                for name in (_NEW_POINTER, _LOCK):
                    (self.folder / name).unlink(missing_ok=True)
                self.folder.rmdir()

    def is_damaged(self) -> bool:
        """Return whether there is a pointer that names no generation."""
        return os.access(self.folder / POINTER, os.F_OK) and (self.folder / POINTER).is_file() and self.current() is None

    def obstacle(self) -> str:
        """Return what is in the place of an index and can only be removed by hand, or an empty string."""
        if os.access(self.folder, os.F_OK) and not self.folder.is_dir():
            return f"'{self.folder}' is no folder"
        files = (self.folder / name for name in (POINTER, _NEW_POINTER, _LOCK))
        return next((f"'{file}' is a folder" for file in files if os.access(file, os.F_OK) and file.is_dir()), "")

    @contextmanager
    def new(self, *, wait: bool) -> Iterator[Path | None]:
        """Give the folder of a new generation to be filled, and then point to it, unless the block raises.

        Gives `None` if another process builds one and this one shall not `wait`. Raises `OSError`.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._locked(wait=wait) as locked:
            if not locked:
                yield None
                return
            last = max(
                (int(match[1]) for entry in self.folder.iterdir() if (match := _GENERATION.fullmatch(entry.name))), default=0
            )
            generation = self.folder / f"generation-{last + 1}"
            self._remove_all_but(self.current())
            try:
                generation.mkdir()
                yield generation
                sync_to_disk(generation)
                (self.folder / _NEW_POINTER).write_text(f"{generation.name}\n", encoding="ascii")
                sync_to_disk(self.folder / _NEW_POINTER)
                sync_to_disk(self.folder)
                (self.folder / _NEW_POINTER).replace(self.folder / POINTER)
                sync_to_disk(self.folder)
            finally:
                self._remove_all_but(self.current())

    def _remove_all_but(self, generation: Path | None) -> None:
        for folder in list(self.folder.iterdir()):
            if _GENERATION.fullmatch(folder.name) and folder != generation:
                with suppress(OSError):
                    for file in folder.iterdir():
                        file.unlink()
                    folder.rmdir()

    @contextmanager
    def _locked(self, *, wait: bool) -> Iterator[bool]:
        """Hold the right to change generations, or give `False` if another process has it and this one shall not `wait`."""
        descriptor = os.open(self.folder / _LOCK, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
                locked = True
            except BlockingIOError:
                locked = False
            yield locked
        finally:
            os.close(descriptor)


def index_folder_of(path: Path) -> Path | None:
    """Return the folder in which the index of the graph at `path` is built; `None` if there is no place for one."""
    return _folder_beside(path) if may_write(path) and may_write(path.parent) else _folder_in_cache(path)


def index_folders(path: Path) -> list[Path]:
    """Return the folders in which the index of the graph at `path` may be, first the one in which it is built."""
    folders = dict.fromkeys((index_folder_of(path), _folder_beside(path), _folder_in_cache(path)))
    return [folder for folder in folders if folder is not None]


def _folder_beside(path: Path) -> Path:
    return path.with_name(f"{path.name}-index")


def _folder_in_cache(path: Path) -> Path | None:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    home = os.environ.get("HOME", "")
    # Relative paths are not valid: see the XDG Base Directory Specification.
    base = Path(cache) if cache.startswith("/") else Path(home, ".cache") if home.startswith("/") else None
    return None if base is None else base / "kgqa" / "index" / f"{path.name}-{crc32(os.fsencode(path)):08x}"
