"""What chat servers answered, kept on disk: in SQLite, safe for several processes, bounded, and thrown away where damaged."""

from __future__ import annotations

import fcntl
import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from kgqa.readers.chat.chat_reply import ChatReply, ReplyToken

CACHE_FORMAT = 1
"""Raised when what is kept changes its shape."""
MOST_BYTES = 64 << 20
_SHARE_AFTER_EVICTION = 0.9
"""The share of the most bytes that stays when the cache has grown too large."""
_WAIT_S = 20.0
_DAMAGED = ".damaged"
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, reply TEXT NOT NULL, checksum INTEGER NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL
) WITHOUT ROWID
"""


def reply_key(url: str, body: Mapping[str, Any]) -> str:
    """Return what an answer is kept under: the server and all of the request; the key of the user is no part of it."""
    text = json.dumps([CACHE_FORMAT, url, body], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


class ReplyCache:
    """The answers in the file at `path`, at most `most` bytes of them, those that were not used for longest going first.

    A cache only spares time: where it cannot be used, `note` is told once and it is done without. A damaged one is put aside as
    FILE.damaged and begun anew.
    """

    def __init__(self, path: Path, note: Callable[[str], None], most: int = MOST_BYTES) -> None:
        self._path = path
        self._note = note
        self._most = most
        self._usable = True

    def get(self, key: str) -> ChatReply | None:
        """Return the answer that is kept under a key, if there is one."""
        results: list[ChatReply | None] = [None]

        def look(connection: sqlite3.Connection) -> None:
            row = connection.execute("SELECT reply, checksum FROM replies WHERE key = ?", (key,)).fetchone()
            if row is None:
                return
            results[0] = _decode_reply(*row)
            if results[0] is None:
                connection.execute("DELETE FROM replies WHERE key = ?", (key,))
            else:
                connection.execute("UPDATE replies SET used = ? WHERE key = ?", (time.time(), key))

        self._do(look)
        return results[0]

    def put(self, key: str, reply: ChatReply) -> None:
        """Keep an answer under a key."""
        text = _encode_reply(reply)
        row = (key, text, crc32(text.encode("utf-8")), len(text) + len(key), time.time())

        def keep(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", row)
            self._bound(connection)

        self._do(keep)

    def _bound(self, connection: sqlite3.Connection) -> None:
        """Delete the answers that were not used for longest, where all take too much."""
        (size,) = connection.execute("SELECT COALESCE(SUM(size), 0) FROM replies").fetchone()
        if size <= self._most:
            return
        for key, reply_size in connection.execute("SELECT key, size FROM replies ORDER BY used").fetchall():
            connection.execute("DELETE FROM replies WHERE key = ?", (key,))
            size -= reply_size
            if size <= _SHARE_AFTER_EVICTION * self._most:
                return

    def _do(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do something with the cache, again after a damaged one was put aside."""
        if not self._usable:
            return
        try:
            try:
                self._run_transaction(work)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._put_aside()
                self._run_transaction(work)
        except (sqlite3.Error, OSError) as error:
            self._usable = False
            why = str(getattr(error, "strerror", None) or error).lower()
            self._note(f"the cache of chat answers cannot be used, so nothing is kept: {why}: '{self._path}'")

    def _run_transaction(self, work: Callable[[sqlite3.Connection], None]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._path, timeout=_WAIT_S, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.execute(_TABLE)
                work(connection)
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _put_aside(self) -> None:
        """Move a damaged cache out of the way, unless another process has done so meanwhile."""
        with _hold_lock(self._path.with_name(f"{self._path.name}.lock")):
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


@contextmanager
def _hold_lock(path: Path) -> Iterator[None]:
    """Hold a lock among processes."""
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Return whether an error says that the file is no sound cache, rather than that it is locked, full or not to be written."""
    message = str(error)
    foreign = "no such column" in message or "has no column" in message or "columns but" in message
    return foreign or error.sqlite_errorcode in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _encode_reply(reply: ChatReply) -> str:
    tokens = [[token.text, token.logprob] for token in reply.tokens]
    return json.dumps([reply.text, tokens, reply.finish, reply.prompt_tokens, reply.completion_tokens, reply.refused])


def _decode_reply(text: object, checksum: object) -> ChatReply | None:
    """Return an answer as it was kept; `None` where it has changed."""
    if not isinstance(text, str) or crc32(text.encode("utf-8", "replace")) != checksum:
        return None
    reply_text, tokens, finish, prompt, completion, refused = json.loads(text)
    return ChatReply(
        reply_text, tuple(ReplyToken(word, logprob) for word, logprob in tokens), finish, prompt, completion, refused
    )
