"""Opening the file of an embedded store, to read it beside a writer or to write it alone.

At rest a store is one file with a rollback journal, which anybody may read from anywhere, a read-only disk included. While it
is written it has a write-ahead log beside it, so that readers go on with the last state that was committed.

The lock that one writing process holds on a store.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path

from graph.errors import (
    GraphError,
    InputIsDirectory,
    InputMissing,
    InputUnreadable,
    OutputUnwritable,
    StoreDamaged,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
    StoreVersion,
    system_error_text,
)
from graph.stores.sqlite.schema import (
    APPLICATION_ID,
    EARLIER_VERSIONS,
    SCHEMA_VERSION,
    create_schema,
    show_as_current,
    upgrade_schema,
)
from graph.stores.sqlite.sqlite_errors import translate_os_error, translate_sqlite_errors


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


BUSY_TIMEOUT_S = 5.0
_WRITING_CACHE_KIB = 65_536
_NEEDS_WRITING = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def connect_in_memory() -> sqlite3.Connection:
    """Return a connection to a new, empty store that is in no file."""
    connection = _connect(":memory:")
    create_schema(connection)
    return connection


def connect_to_read(url: str) -> sqlite3.Connection:
    """Return a connection to the store at `url` that cannot write."""
    path = _existing_path(url)
    if not os.access(path, os.R_OK):
        raise InputUnreadable(url, "permission denied")
    with translate_sqlite_errors(url):
        try:
            connection = _connect_after_rollback(path)
        except sqlite3.OperationalError as error:
            if not _has_log(path) or _primary_code(error) not in _NEEDS_WRITING:
                raise
            why = "a writer was killed beside it and left a log that may not be folded in here"
            raise InputUnreadable(url, why) from error
        if (version := _verify(url, connection, path)) in EARLIER_VERSIONS:
            show_as_current(connection, version)
    return connection


def connect_to_write(url: str, *, may_create: bool) -> tuple[sqlite3.Connection, WriterLock]:
    """Return a connection to the store at `url` that may write, and the lock that keeps other writers out.

    Where it `may_create`, a store is made where there is no file, or an empty one.
    """
    path, lock = lock_to_write(url, may_create=may_create)
    new = not path.exists()
    try:
        with translate_sqlite_errors(url):
            return _connect_writing(url, path, may_create=may_create), lock
    except OSError as error:
        lock.release()
        raise translate_os_error(url, error) from error
    except GraphError:
        if new:
            _remove_files(path)
        lock.release()
        raise


def lock_to_write(url: str, *, may_create: bool) -> tuple[Path, WriterLock]:
    """Return the path of the store at `url`, which may be written, and the lock that keeps other writers out.

    Where it `may_create`, there may be no file.
    """
    if _file_status(url) is not None or not may_create:
        path = _existing_path(url)
        if not _may_write(path):
            raise StoreReadOnly(url)
    else:
        path = Path(url).resolve()
        if not path.parent.is_dir():
            raise InputMissing(path.parent)
    try:
        return path, WriterLock(url, path)
    except OSError as error:
        why = translate_os_error(url, error)
        if isinstance(why, StoreReadOnly) and not path.exists():
            why = OutputUnwritable(url, f"the folder '{path.parent}' may not be written")
        raise why from error


def close_journal(connection: sqlite3.Connection) -> None:
    """Leave a store that was written as one file again.

    Where a reader is still at it, or there is no room, the log stays beside the file: nothing is lost, and the next writer
    folds it in.
    """
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.OperationalError):
        if connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",):
            return
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _file_status(url: str) -> os.stat_result | None:
    """Return the status of the file at `url`, or `None` where there is none."""
    try:
        return Path(url).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputUnreadable(url, system_error_text(error)) from error


def _existing_path(url: str) -> Path:
    """Return the path of the file at `url`, without symbolic links: the files beside it go by its own name."""
    status = _file_status(url)
    if status is None:
        raise StoreMissing(url)
    if stat.S_ISDIR(status.st_mode):
        raise InputIsDirectory(url)
    if not stat.S_ISREG(status.st_mode):
        raise StoreDamaged(url, "it is no regular file")
    return Path(url).resolve()


def _may_write(path: Path) -> bool:
    # A file without any write bit was made to be read, and stays so for root too, whom the system would let write.
    return bool(path.stat().st_mode & _WRITE_BITS) and os.access(path, os.W_OK)


def _connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)


def _connect_after_rollback(path: Path) -> sqlite3.Connection:
    """Connect without writing; first roll back what a killed writer left, where it left a journal."""
    try:
        return _connect_unwritten(path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode not in (sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY):
            raise
        _verify_readable(_connect(f"{path.as_uri()}?mode=rw")).close()
        return _connect_unwritten(path)


def _connect_unwritten(path: Path) -> sqlite3.Connection:
    """Connect without writing: beside a writer with its log, or to a file that nobody can write as it stands."""
    still = not _has_log(path) and (not path.stat().st_mode & _WRITE_BITS or os.statvfs(path).f_flag & os.ST_RDONLY)
    if still:
        return _verify_readable(_connect(f"{path.as_uri()}?mode=ro&immutable=1"))
    try:
        return _verify_readable(_connect(f"{path.as_uri()}?mode=ro"))
    except sqlite3.OperationalError as error:
        # A file that was copied while it was written has a header that asks for a log, which cannot be made here.
        if _primary_code(error) in _NEEDS_WRITING and not _has_log(path):
            return _verify_readable(_connect(f"{path.as_uri()}?mode=ro&immutable=1"))
        raise


def _verify_readable(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return `connection` once it has read something; close it where it cannot."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _has_log(path: Path) -> bool:
    """Whether a writer is at work, or was killed: its log or journal is beside the file."""
    return Path(f"{path}-wal").exists() or Path(f"{path}-journal").exists()


def _primary_code(error: sqlite3.Error) -> int:
    """Return the code of an error without what SQLite adds to it."""
    return error.sqlite_errorcode & 0xFF


def _connect_writing(url: str, path: Path, *, may_create: bool) -> sqlite3.Connection:
    if may_create and not path.exists():
        _make_file(path)
    connection = _verify_readable(_connect(f"{path.as_uri()}?mode=rw"))
    try:
        new = may_create and _is_blank(connection)
        version = SCHEMA_VERSION if new else _verify(url, connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA cache_size = -{_WRITING_CACHE_KIB}")
        connection.execute("PRAGMA temp_store = MEMORY")
        if new:
            create_schema(connection)
        if version in EARLIER_VERSIONS:
            upgrade_schema(connection, version, SCHEMA_VERSION)
    except (sqlite3.Error, GraphError):
        connection.close()
        raise
    return connection


def _make_file(path: Path) -> None:
    """Make an empty store; it has another name until it is whole, so that a kill never leaves a file that is none."""
    begun = Path(f"{path}-new")
    _remove_files(begun)
    try:
        with closing(_connect(f"{begun.as_uri()}?mode=rwc")) as connection:
            create_schema(connection)
        begun.replace(path)
    finally:
        _remove_files(begun)


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Whether a database holds nothing yet: no table, and no mark of another application."""
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return (*tables, *connection.execute("PRAGMA application_id").fetchone()) == (0, 0)


def _verify(url: str, connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of a store; raise `StoreDamaged` or `StoreVersion`, and close it, where it is none that can be used."""
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if _is_blank(connection):
            raise StoreDamaged(url, "it is empty")
        if application != APPLICATION_ID:
            raise StoreDamaged(url, "another application wrote it")
        if version not in (*EARLIER_VERSIONS, SCHEMA_VERSION):
            raise StoreVersion(url, str(version), str(SCHEMA_VERSION))
        if _is_cut_off(connection, path):
            raise StoreDamaged(url, "its end is missing")
    except (sqlite3.Error, GraphError):
        connection.close()
        raise
    return version


def _is_cut_off(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is shorter than it says; SQLite itself overlooks a last page that is there in part."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    # Beside a log the file may be behind.
    return path.stat().st_size < int(pages) * int(page_bytes) and not Path(f"{path}-wal").exists()


def _remove_files(path: Path) -> None:
    """Remove what an attempt to make a store left behind."""
    for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm"), Path(f"{path}-journal")):
        with suppress(OSError):
            name.unlink(missing_ok=True)
