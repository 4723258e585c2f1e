"""Making a store of very many statements: it is there wholly or not at all.

Two processes share the work: this one reads statements and makes rows of them, the other stores the rows in a file that bears
another name, `FILE-loading`, until it is whole. What a killed run leaves of that file is removed by the next.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from graph.errors import GraphError, StoreLocked, StoreUnfinished
from graph.model import Statement
from graph.protocols import Added
from graph.stores.connecting import lock_to_write
from graph.stores.failures import translate_os_error, translate_sqlite_errors
from graph.stores.filling import BulkInsert
from graph.stores.flattening import FlatClaims, flatten_claims
from graph.stores.identity import group_by_claim
from graph.stores.names import chunks
from graph.stores.writing import BATCH

LoadProgress = Callable[[int, bool], None]
"""What is told how many statements were taken, and whether these are all and are put in order now."""


def load_new(url: str, statements: Iterable[Statement], on_progress: LoadProgress = lambda seen, sorting: None) -> Added:
    """Make the store at the path `url`, where there is none, of `statements`.

    The store is what adding the statements to an empty one would make, down to its digest. Raises what opening a new store to
    write raises, `StoreFull`, `StoreUnfinished` where the process that stores was killed, and what `statements` raises.
    """
    path, lock = lock_to_write(url, may_create=True)
    loading = Path(f"{path}-loading")
    try:
        if path.exists():
            raise StoreLocked(url)  # somebody has made it just now
        loading.unlink(missing_ok=True)
        added = _load_in_process(url, loading, statements, on_progress)
        _put_in_place(url, loading, path)
    finally:
        loading.unlink(missing_ok=True)
        lock.release()
    return added


def _load_in_process(url: str, path: Path, statements: Iterable[Statement], on_progress: LoadProgress) -> Added:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_fill, args=(url, str(path), theirs, os.getpid()), daemon=True)
    _start(process)
    theirs.close()
    seen = 0
    try:
        with ours:
            for batch in chunks(statements, BATCH):
                _send(ours, flatten_claims(group_by_claim(batch)), url)
                seen += len(batch)
                on_progress(seen, False)
            on_progress(seen, True)
            _send(ours, None, url)
            return _answer(ours, url)
    finally:
        process.kill()
        process.join()


def _start(process: BaseProcess) -> None:
    """Start a process that Ctrl-C is not for."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send(pipe: Connection, rows: FlatClaims | None, url: str) -> None:
    if pipe.poll():
        _answer(pipe, url)
    try:
        pipe.send(rows)
    except (BrokenPipeError, ConnectionResetError):
        _answer(pipe, url)


def _answer(pipe: Connection, url: str) -> Added:
    """Return what the other process has to say; raise what went wrong there."""
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionResetError):
        raise StoreUnfinished(url) from None
    if isinstance(answer, Added):
        return answer
    raise answer


def _fill(url: str, path: str, pipe: Connection, parent: int) -> None:
    """Store the rows that come through `pipe`, and answer how much there is, or with an error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    # What SQLite sorts goes to the disk that the store goes to, which must have room for it anyway.
    os.environ["SQLITE_TMPDIR"] = str(Path(path).parent)
    try:
        with translate_sqlite_errors(url), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            filling = BulkInsert(connection)
            while (rows := pipe.recv()) is not None:
                filling.write(rows)
            answer: object = filling.finish()
    except EOFError:
        return
    except GraphError as error:
        answer = error
    with suppress(BrokenPipeError):
        pipe.send(answer)


def _exit_with_parent(parent: int) -> None:
    """End this process soon after its parent has ended."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _put_in_place(url: str, loading: Path, path: Path) -> None:
    """Give a whole file its name, once all of it is on the disk."""
    try:
        for name in (loading, path.parent):
            descriptor = os.open(name, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            if name == loading:
                loading.replace(path)
    except OSError as error:
        raise translate_os_error(url, error) from error
