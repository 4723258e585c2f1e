"""Work spread over processes: the results come in order, few items wait, and nothing is left behind when it is broken off."""

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

Item = TypeVar("Item")
Result = TypeVar("Result")

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def spread(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    prepare: Callable[..., None],
    given: tuple[object, ...] = (),
) -> Generator[Result, None, None]:
    """Yield `work(item)` for each item, in order; every process calls `prepare(*given)` before its first item.

    There are never more processes than items, and no other process than this one for a single item or worker. Processes are
    ended at once where the results are not taken to the end. Raises `concurrent.futures.BrokenExecutor` where one was killed.
    """
    items = iter(items)
    first = list(itertools.islice(items, 2))
    items = itertools.chain(first, items)
    if workers > 1 and len(first) > 1:
        yield from _spread(work, items, workers, prepare, given)
    elif first:
        prepare(*given)
        yield from map(work, items)


def _spread(
    work: Callable[[Item], Result],
    items: Iterator[Item],
    workers: int,
    prepare: Callable[..., None],
    given: tuple[object, ...],
) -> Iterator[Result]:
    """Yield the results of at least two processes, with a bounded number of items in flight."""
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(os.getpid(), prepare, given))
    pending: deque[Future[Result]] = deque()
    finished = False
    try:
        for item in items:
            with _starting():
                pending.append(pool.submit(work, item))
            if len(pending) > 2 * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
        finished = True
    finally:
        if not finished:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _starting() -> Iterator[None]:
    """Let processes that are started meanwhile inherit that Ctrl-C is not for them, and one thread each for arithmetic."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    unset = [name for name in _ONE_THREAD if name not in os.environ]
    os.environ.update(dict.fromkeys(unset, "1"))
    try:
        yield
    finally:
        for name in unset:
            del os.environ[name]
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int, prepare: Callable[..., None], given: tuple[object, ...]) -> None:
    """Prepare a process, which leaves Ctrl-C to its parent and ends when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    prepare(*given)


def _end_with(parent: int) -> None:
    """End this process soon after its parent has ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
