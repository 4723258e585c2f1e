"""The lock that one writing process holds on a store."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from graph.errors import StoreLocked


class WriterLock:
    """A lock on `FILE-lock`, held until it is released; a second one raises `StoreLocked`.

    The lock ends with the process that took it, also when that is killed: a file that is left behind locks nobody out. It
    is not taken on the store itself because closing any descriptor of a file drops all that SQLite has locked in it.
    """

    def __init__(self, url: str, path: Path) -> None:
        self._path = Path(f"{path}-lock")
        self._descriptor = self._locked(url)

    def _locked(self, url: str) -> int:
        while True:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                raise StoreLocked(url) from None
            if self._in_place(descriptor):
                return descriptor
            os.close(descriptor)

    def _in_place(self, descriptor: int) -> bool:
        # The holder before may have deleted the file between our opening and our locking of it.
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let the next writer in."""
        self._path.unlink(missing_ok=True)
        # A forked child may hold a copy of the descriptor, and closing ours alone would leave the lock with it.
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        os.close(self._descriptor)
