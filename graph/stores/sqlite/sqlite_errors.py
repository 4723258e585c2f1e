"""What a failure of SQLite or of the file system means for a store: the one place where such errors are translated."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.errors import (
    GraphError,
    InputUnreadable,
    NoRoomBeside,
    StoreDamaged,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    system_error_text,
)

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_WRITING = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

# SQLite says "full" only for ENOSPC. A quota or a limit on the size of files shows as a write that fails.
_FAILED_WRITES = frozenset(
    {
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_DIR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)


_TEMPORARY = ("/var/tmp", "/usr/tmp", "/tmp", ".")


@contextmanager
def translate_sqlite_errors(url: str, *, writing: bool = True) -> Iterator[None]:
    """Turn the errors of SQLite inside the block into those of `graph.errors`.

    Where the block is not `writing`, only temporary files can want for room.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _translate_sqlite_error(url, error, writing) from error


def translate_os_error(url: str, error: OSError) -> GraphError:
    """Return what an error of the file system, met while opening a store to write, means."""
    if error.errno in _NO_WRITING:
        return StoreReadOnly(url)
    if error.errno in _NO_ROOM:
        return StoreFull(url)
    return InputUnreadable(url, system_error_text(error))


def _translate_sqlite_error(url: str, error: sqlite3.Error, writing: bool) -> GraphError:
    code = getattr(error, "sqlite_errorcode", 0)
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_FULL or code in _FAILED_WRITES:
        return StoreFull(url) if writing else NoRoomBeside(url, _temporary_folder())
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(url)
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return StoreReadOnly(url)
    if primary == sqlite3.SQLITE_CANTOPEN:
        return InputUnreadable(url, str(error))
    return StoreDamaged(url, str(error))


def _temporary_folder() -> str:
    """Return the folder in which SQLite keeps what it sorts; see "Temporary Files Used By SQLite", section 5."""
    folders = [os.environ.get(name, "") for name in ("SQLITE_TMPDIR", "TMPDIR")]
    may_be = (folder for folder in (*folders, *_TEMPORARY) if folder and os.access(folder, os.W_OK | os.X_OK))
    return next((folder for folder in may_be if Path(folder).is_dir()), ".")
