"""The cache of replies in an SQLite file: safe for several processes, bounded, and replaced where damaged."""

from __future__ import annotations

import fcntl
import json
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import astuple
from errno import EEXIST
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from kgqa.readers.chat.chat_client import ChatReply, ReplyToken

CACHE_FORMAT = 1
"""The version of the stored form of a reply; it is part of each key."""
MOST_BYTES = 64 << 20
_SHARE_AFTER_EVICTION = 0.9
"""The share of the limit that remains after eviction."""
_WAIT_S = 20.0
_DAMAGED = ".damaged"
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, reply TEXT NOT NULL, checksum INTEGER NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL
) WITHOUT ROWID
"""
Result = TypeVar("Result")


def reply_key(url: str, body: Mapping[str, Any]) -> str:
    """Return the key of a reply: a hash of the server and the whole request, without the API key."""
    text = json.dumps([CACHE_FORMAT, url, body], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


class ReplyCache:
    """The replies in the file at `path`, at most `most` bytes; the least recently used are evicted.

    A file that cannot be used is no error: `note` receives one message, and replies are no longer stored. A damaged file is
    renamed to FILE.damaged and replaced.
    """

    def __init__(self, path: Path, note: Callable[[str], None], most: int = MOST_BYTES) -> None:
        self._path = path
        self._note = note
        self._most = most
        self._usable = True

    def get(self, key: str) -> ChatReply | None:
        """Return the reply under a key, if there is one."""

        def look(connection: sqlite3.Connection) -> ChatReply | None:
            row = connection.execute("SELECT reply, checksum FROM replies WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            reply = _decode_reply(*row)
            if reply is None:
                connection.execute("DELETE FROM replies WHERE key = ?", (key,))
            else:
                connection.execute("UPDATE replies SET used = ? WHERE key = ?", (time.time(), key))
            return reply

        return self._do(look)

    def put(self, key: str, reply: ChatReply) -> None:
        """Store a reply under a key."""
        text = json.dumps(astuple(reply))
        row = (key, text, crc32(text.encode("utf-8")), len(text) + len(key), time.time())

        def keep(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", row)
            (size,) = connection.execute("SELECT COALESCE(SUM(size), 0) FROM replies").fetchone()
            if size <= self._most:
                return
            for oldest, reply_size in connection.execute("SELECT key, size FROM replies ORDER BY used").fetchall():
                connection.execute("DELETE FROM replies WHERE key = ?", (oldest,))
                size -= reply_size
                if size <= _SHARE_AFTER_EVICTION * self._most:
                    return

        self._do(keep)

    def _do(self, work: Callable[[sqlite3.Connection], Result]) -> Result | None:
        """Run a transaction, and once more after a damaged file is replaced; return `None` where the file cannot be used."""
        if not self._usable:
            return None
        try:
            try:
                return self._run_transaction(work)
            except sqlite3.DatabaseError as error:
                # Damaged or foreign, rather than locked, full or read-only.
                foreign = any(words in str(error) for words in ("no such column", "has no column", "columns but"))
                if not foreign and error.sqlite_errorcode not in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
                    raise
                self._put_aside()
                return self._run_transaction(work)
        except (sqlite3.Error, OSError) as error:
            self._usable = False
            why = str(getattr(error, "strerror", None) or error).lower()
            self._note(f"the cache of chat answers cannot be used, so nothing is kept: {why}: '{self._path}'")
            return None

    def _run_transaction(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._path, timeout=_WAIT_S, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                if connection.execute("SELECT 1 FROM sqlite_schema WHERE tbl_name != 'replies'").fetchone():
                    raise OSError(EEXIST, "it is the file of another program")
                connection.execute(_TABLE)
                result = work(connection)
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
            return result

    def _put_aside(self) -> None:
        """Rename a damaged file, unless another process has done so."""
        with self._path.with_name(f"{self._path.name}.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                with closing(sqlite3.connect(self._path, timeout=_WAIT_S, isolation_level=None)) as connection:
                    connection.execute(_TABLE)
                    sound = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
                    connection.execute("SELECT key, reply, checksum, size, used FROM replies LIMIT 1").fetchone()
            except sqlite3.DatabaseError:
                sound = False
            if sound:
                return
            for end in ("", "-journal", "-wal", "-shm"):
                part = self._path.with_name(f"{self._path.name}{end}")
                with suppress(FileNotFoundError):
                    part.replace(part.with_name(f"{self._path.name}{_DAMAGED}{end}"))
            self._note(f"the cache of chat answers was damaged and is begun anew; the old one is '{self._path.name}{_DAMAGED}'")


def _decode_reply(text: object, checksum: object) -> ChatReply | None:
    """Return a stored reply; `None` where its checksum does not match."""
    if not isinstance(text, str) or crc32(text.encode("utf-8", "replace")) != checksum:
        return None
    reply_text, tokens, *rest = json.loads(text)
    return ChatReply(reply_text, tuple(ReplyToken(word, logprob) for word, logprob in tokens), *rest)
