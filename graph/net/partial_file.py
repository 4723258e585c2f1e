"""The received part of a file: `FILE.part`, and beside it in `FILE.part.json` the file that it is a part of."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Self

from graph.errors import DiskFull, FetchBusy, OutputUnwritable, system_error_text

_DISK_FULL = ("no space left on device", "file too large", "disk quota exceeded")


class PartialFile:
    """A file that grows; it outlives the process and is renamed when it is whole.

    `size` is the number of bytes present, `resumed_size` the number of those from earlier processes, `whole` the final number,
    where it is known; `validator` is the ETag or date of the file, empty where the part cannot be continued. Raises `FetchBusy`
    where another process writes the part, `OutputUnwritable`, also where the part is a symbolic link, and `DiskFull`.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(target.name + ".part")
        self.address = self.validator = ""
        self.whole: int | None = None
        self.size = self.resumed_size = 0
        self._note = target.with_name(target.name + ".part.json")
        self._file: BinaryIO  # open inside the with block

    def __enter__(self) -> Self:
        try:
            if self._note.is_symlink():
                self._note.unlink()
            self._file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "r+b", buffering=0)
            if not self._acquire_lock():
                self._file.close()
                raise FetchBusy(self.target)
            self.size = self._file.seek(0, os.SEEK_END)
        except OSError as error:
            raise OutputUnwritable(self.path, system_error_text(error)) from error
        with suppress(OSError, ValueError, TypeError, AttributeError):
            note = json.loads(self._note.read_text(encoding="utf-8"))
            self.address, self.validator = str(note.get("address", "")), str(note.get("validator", ""))
            self.whole = note.get("whole") if isinstance(note.get("whole"), int) else None
        if self.size and not (self.address and self.validator):
            self._truncate()  # without a usable note
        self.resumed_size = self.size
        return self

    def __exit__(self, *_: object) -> None:
        if not self.size:
            self.path.unlink(missing_ok=True)
            self._note.unlink(missing_ok=True)
        # Last, as this releases the lock: the files that another process makes afterwards must stay.
        self._file.close()

    def restart(self, address: str, validator: str, whole: int | None) -> None:
        """Discard the part and begin that of the file of `whole` bytes at `address`; raise `DiskFull` where there is no room."""
        self._truncate()
        self.resumed_size = 0
        self.address, self.validator, self.whole = address, validator, whole
        free = shutil.disk_usage(self.path.parent).free
        if whole is not None and whole > free:
            raise DiskFull(self.path, f"{whole:,} bytes are needed, {free:,} are free")
        with self._writing():
            self._note.write_text(json.dumps({"address": address, "validator": validator, "whole": whole}), encoding="utf-8")

    def add(self, block: bytes) -> None:
        """Append bytes."""
        with self._writing():
            while block:
                written = self._file.write(block) or 0
                self.size += written
                block = block[written:]

    def finish(self) -> None:
        """Rename the part, which is whole, to the name of the file."""
        with self._writing():
            os.fsync(self._file.fileno())
            self.path.replace(self.target)
        self._note.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """Rename the part, which failed its verification, and return its new path."""
        aside = self.target.with_name(self.target.name + ".wrong")
        self.path.replace(aside)
        self._note.unlink(missing_ok=True)
        return aside

    def _acquire_lock(self) -> bool:
        """Lock the part; return false where another process holds the lock, or has just renamed the file that was opened."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except (BlockingIOError, FileNotFoundError):
            return False

    def _truncate(self) -> None:
        self._file.truncate(0)
        self._file.seek(0)
        self.size = 0

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = system_error_text(error)
            if reason in _DISK_FULL:
                raise DiskFull(self.path, f"{reason} after {self.size:,} bytes") from error
            raise OutputUnwritable(self.path, reason) from error
