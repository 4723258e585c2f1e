"""A map over several processes: results in order, a bounded number of items in flight, no process left after an interruption."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

WorkItem = TypeVar("WorkItem")
WorkResult = TypeVar("WorkResult")

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def map_over_processes(
    work: Callable[[WorkItem], WorkResult],
    items: Iterable[WorkItem],
    workers: int,
    prepare: Callable[..., None],
    prepare_args: tuple[object, ...] = (),
) -> Generator[WorkResult, None, None]:
    """Yield `work(item)` for each item, in order; every process calls `prepare(*prepare_args)` before its first item.

    There are at most as many processes as items, and a single item or worker runs in this process. If the results are not read to
    the end, the processes are stopped at once. Raises `concurrent.futures.BrokenExecutor` if one was killed.
    """
    items = iter(items)
    first = list(itertools.islice(items, 2))
    items = itertools.chain(first, items)
    if workers <= 1 or len(first) <= 1:
        if first:
            prepare(*prepare_args)
        yield from map(work, items)
        return
    earlier_processes = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_start_worker, initargs=(os.getpid(), prepare, prepare_args)
    )
    pending: deque[Future[WorkResult]] = deque()
    finished = False
    try:
        for item in items:
            with _worker_environment():
                pending.append(pool.submit(work, item))
            if len(pending) > 2 * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
        finished = True
    finally:
        if not finished:
            for process in set(multiprocessing.active_children()) - earlier_processes:
                process.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _worker_environment() -> Iterator[None]:
    """Let processes that are started meanwhile inherit that they ignore Ctrl-C and have one arithmetic thread each."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    unset = [name for name in _ONE_THREAD if name not in os.environ]
    os.environ.update(dict.fromkeys(unset, "1"))
    try:
        yield
    finally:
        for name in unset:
            del os.environ[name]
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(parent: int, prepare: Callable[..., None], prepare_args: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_exit_after_parent, args=(parent,), daemon=True).start()
    prepare(*prepare_args)


def _exit_after_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
