"""Opening the file of an embedded store, to read it beside a writer or to write it alone; what a failure of SQLite means.

At rest a store is one file with a rollback journal, which anybody can read, also from a read-only disk. While it is written it
has a write-ahead log beside it, so that readers continue with the last committed state.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from graph import errors
from graph.stores.sqlite import schema

BUSY_TIMEOUT_S = 5.0
_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_WRITING_CACHE_KIB = 65_536
_NEEDS_WRITING = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_WRITING = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
# SQLite reports "full" only for ENOSPC. A quota or a limit on the size of files shows as a failed write.
_FAILED_WRITES = frozenset(
    {
        *(sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC),
        *(sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE),
    }
)


@contextmanager
def translate_sqlite_errors(url: str, *, writing: bool = True) -> Iterator[None]:
    """Turn the errors of SQLite inside the block into those of `graph.errors`.

    If the block is not `writing`, only its temporary files can fill a disk.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _translate_sqlite_error(url, error, writing) from error


def _translate_sqlite_error(url: str, error: sqlite3.Error, writing: bool) -> errors.GraphError:
    code = getattr(error, "sqlite_errorcode", 0)
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_FULL or code in _FAILED_WRITES:
        return errors.StoreFull(url) if writing else errors.NoRoomBeside(url, _temporary_folder())
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return errors.StoreLocked(url)
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return errors.StoreReadOnly(url)
    if primary == sqlite3.SQLITE_CANTOPEN:
        return errors.InputUnreadable(url, str(error))
    return errors.StoreDamaged(url, str(error))


def _temporary_folder() -> str:
    """Return the folder of SQLite's temporary files; see "Temporary Files Used By SQLite", section 5."""
    folders = (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp")
    writable = (folder for folder in folders if folder and os.access(folder, os.W_OK | os.X_OK) and Path(folder).is_dir())
    return next(writable, ".")


def translate_os_error(url: str, error: OSError) -> errors.GraphError:
    """Return what an error of the file system means for a store that is opened to write."""
    if error.errno in _NO_WRITING:
        return errors.StoreReadOnly(url)
    if error.errno in _NO_ROOM:
        return errors.StoreFull(url)
    return errors.InputUnreadable(url, errors.system_error_text(error))


class WriterLock:
    """A lock on `FILE-lock`, held by one writing process until it is released; a second one raises `StoreLocked`.

    The lock ends with the process that took it, even a killed one: a file that is left behind locks nobody out. It is not on
    the store itself because closing any descriptor of a file drops all locks that SQLite has on it.
    """

    def __init__(self, url: str, path: Path) -> None:
        self._path = Path(f"{path}-lock")
        while True:
            self._descriptor = os.open(self._path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(self._descriptor)
                raise errors.StoreLocked(url) from None
            # The last holder may have deleted the file after it was opened and before it was locked here.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._descriptor), self._path.stat()):
                    return
            os.close(self._descriptor)

    def release(self) -> None:
        """Let the next writer in."""
        self._path.unlink(missing_ok=True)
        # A forked child may hold a copy of the descriptor; closing this one alone would leave the lock with it.
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        os.close(self._descriptor)


def connect_in_memory() -> sqlite3.Connection:
    """Return a connection to a new, empty store that is in no file."""
    connection = _connect(":memory:")
    schema.create_schema(connection)
    return connection


def connect_to_read(url: str) -> sqlite3.Connection:
    """Return a connection to the store at `url` that cannot write."""
    path = _existing_path(url)
    if not os.access(path, os.R_OK):
        raise errors.InputUnreadable(url, "permission denied")
    with translate_sqlite_errors(url):
        try:
            connection = _connect_after_rollback(path)
        except sqlite3.OperationalError as error:
            if not _has_log(path) or error.sqlite_errorcode & 0xFF not in _NEEDS_WRITING:
                raise
            why = "a writer was killed beside it and left a log that may not be folded in here"
            raise errors.InputUnreadable(url, why) from error
        if (version := _verify(url, connection, path)) in schema.EARLIER_VERSIONS:
            schema.show_as_current(connection, version)
    return connection


def connect_to_write(url: str, *, may_create: bool) -> tuple[sqlite3.Connection, WriterLock]:
    """Return a connection to the store at `url` that can write, and the lock that keeps other writers out.

    If it `may_create`, it creates a store if there is no file or an empty one.
    """
    path, lock = lock_to_write(url, may_create=may_create)
    new = not path.exists()
    try:
        with translate_sqlite_errors(url):
            return _connect_writing(url, path, may_create=may_create), lock
    except OSError as error:
        lock.release()
        raise translate_os_error(url, error) from error
    except errors.GraphError:
        if new:
            _remove_files(path)
        lock.release()
        raise


def lock_to_write(url: str, *, may_create: bool) -> tuple[Path, WriterLock]:
    """Return the path of the store at `url`, which can be written, and the lock that keeps other writers out.

    If it `may_create`, the file need not exist.
    """
    if _file_status(url) is not None or not may_create:
        path = _existing_path(url)
        if not may_write(path):
            raise errors.StoreReadOnly(url)
    else:
        path = Path(url).resolve()
        if not path.parent.is_dir():
            raise errors.InputMissing(path.parent)
    try:
        return path, WriterLock(url, path)
    except OSError as error:
        why = translate_os_error(url, error)
        if isinstance(why, errors.StoreReadOnly) and not path.exists():
            why = errors.OutputUnwritable(url, f"the folder '{path.parent}' may not be written")
        raise why from error


def close_journal(connection: sqlite3.Connection) -> None:
    """Leave a store that was written as one file again.

    If a reader still uses it, or the disk is full, the log stays beside the file: nothing is lost, and the next writer folds it
    in.
    """
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.OperationalError):
        if connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",):
            return
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _file_status(url: str) -> os.stat_result | None:
    try:
        return Path(url).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise errors.InputUnreadable(url, errors.system_error_text(error)) from error


def _existing_path(url: str) -> Path:
    """Return the path of the file at `url` without symbolic links, since the files beside it have its own name."""
    status = _file_status(url)
    if status is None:
        raise errors.StoreMissing(url)
    if stat.S_ISDIR(status.st_mode):
        raise errors.InputIsDirectory(url)
    if not stat.S_ISREG(status.st_mode):
        raise errors.StoreDamaged(url, "it is no regular file")
    return Path(url).resolve()


def may_write(path: Path) -> bool:
    """Return whether a file or folder exists and can be written."""
    # What has no write bit at all was made to be read, and stays so for root too, whom the system would let write.
    try:
        return bool(path.stat().st_mode & _WRITE_BITS) and os.access(path, os.W_OK)
    except OSError:
        return False


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the entries of a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)


def _connect_existing(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to a file in a mode of SQLite's addresses, and read from it once, which shows whether that is possible."""
    connection = _connect(f"{path.as_uri()}?mode={mode}")
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _connect_after_rollback(path: Path) -> sqlite3.Connection:
    """Connect without writing; first roll back the journal of a killed writer."""
    try:
        return _connect_unwritten(path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode not in (sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY):
            raise
        _connect_existing(path, "rw").close()
        return _connect_unwritten(path)


def _connect_unwritten(path: Path) -> sqlite3.Connection:
    """Connect without writing: beside a writer with its log, or to a file that nobody can write."""
    if not _has_log(path) and (not path.stat().st_mode & _WRITE_BITS or os.statvfs(path).f_flag & os.ST_RDONLY):
        return _connect_existing(path, "ro&immutable=1")
    try:
        return _connect_existing(path, "ro")
    except sqlite3.OperationalError as error:
        # The header of a file that was copied while it was written asks for a log, which cannot be made here.
        if error.sqlite_errorcode & 0xFF in _NEEDS_WRITING and not _has_log(path):
            return _connect_existing(path, "ro&immutable=1")
        raise


def _has_log(path: Path) -> bool:
    """Return whether the log or journal of a writer, which may have been killed, is beside the file."""
    return Path(f"{path}-wal").exists() or Path(f"{path}-journal").exists()


def _connect_writing(url: str, path: Path, *, may_create: bool) -> sqlite3.Connection:
    if may_create and not path.exists():
        _make_file(path)
    connection = _connect_existing(path, "rw")
    try:
        new = may_create and _is_blank(connection)
        version = schema.SCHEMA_VERSION if new else _verify(url, connection, path)
        for setting in ("journal_mode = WAL", f"cache_size = -{_WRITING_CACHE_KIB}", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {setting}")
        if new:
            schema.create_schema(connection)
        if version in schema.EARLIER_VERSIONS:
            schema.upgrade_schema(connection, version)
    except (sqlite3.Error, errors.GraphError):
        connection.close()
        raise
    return connection


def _make_file(path: Path) -> None:
    """Create an empty store under another name and rename it when it is complete, so that a kill never leaves half of one."""
    begun = Path(f"{path}-new")
    _remove_files(begun)
    try:
        with closing(_connect(f"{begun.as_uri()}?mode=rwc")) as connection:
            schema.create_schema(connection)
        begun.replace(path)
    finally:
        _remove_files(begun)


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Return whether a database holds nothing yet: no table, and no mark of another application."""
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return (*tables, *connection.execute("PRAGMA application_id").fetchone()) == (0, 0)


_PROGRAMS = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')"
_RECORD_VIEW = "CREATE VIEW record AS SELECT *, (SELECT text FROM sentence WHERE id = evidence.sentence) AS text FROM evidence"
"""The one view of a store, as schema.sql and upgrade-texts.sql make it."""


def _verify(url: str, connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of a store; close it and raise `StoreDamaged` or `StoreVersion` if it cannot be used."""
    try:
        application, version, pages, page_bytes = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("application_id", "user_version", "page_count", "page_size")
        )
        if _is_blank(connection):
            raise errors.StoreDamaged(url, "it is empty")
        if application != schema.APPLICATION_ID:
            raise errors.StoreDamaged(url, "another application wrote it")
        if version not in (*schema.EARLIER_VERSIONS, schema.SCHEMA_VERSION):
            raise errors.StoreVersion(url, str(version), str(schema.SCHEMA_VERSION))
        # A view or trigger may run any query in the place of a table, one without end, too.
        for kind, name, text in connection.execute(_PROGRAMS):
            if (kind, name, " ".join(text.split())) != ("view", "record", _RECORD_VIEW):
                raise errors.StoreDamaged(url, f"it has a {kind} '{name}', which kgqa did not make")
        # SQLite accepts a file whose last page is there in part. Beside a log the file may be shorter.
        if path.stat().st_size < pages * page_bytes and not Path(f"{path}-wal").exists():
            raise errors.StoreDamaged(url, "its end is missing")
    except (sqlite3.Error, errors.GraphError):
        connection.close()
        raise
    return version


def _remove_files(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
