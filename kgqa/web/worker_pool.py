"""The processes that answer: each has the graph open and one request at a time; one that takes too long is ended and replaced."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import multiprocessing
import os
import resource
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from kgqa.settings import Settings
from kgqa.web.http_messages import WebProblem, WebReply, WebRequest

_START_LIMIT_S = 180.0
"""How long a process may take to open the graph and its models; a large graph is indexed once."""
_BUSY_RETRY_S = 2
_READY = "ready"
_IDLE_S = 1.0
"""How long a process waits for a request before it gives memory back."""


class WorkLimits(NamedTuple):
    """How many processes answer, how long and with how much memory they may, and how many requests may wait for them."""

    processes: int = 2
    seconds: float = 30.0
    memory_bytes: int = 2 << 30
    waiting: int = 64


class WorkerPool:
    """Processes that answer requests over one graph; `events` counts what was refused and what went wrong."""

    def __init__(self, graph: str, settings: Settings, limits: WorkLimits) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported where the processes are forked
        self._limits = limits
        self._workers = [_Worker(graph, settings, limits) for _ in range(limits.processes)]
        self._idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._threads = ThreadPoolExecutor(limits.processes, "kgqa-worker")
        self._waiting = 0
        self.events: Counter[str] = Counter()

    async def open(self) -> None:
        """Start the processes; they load graph and models while the first requests wait."""
        for worker in self._workers:
            worker.start()
            self._idle.put_nowait(worker)

    async def respond(self, request: WebRequest) -> WebReply:
        """Return the reply to a request; raises `WebProblem` where too many wait, or where it takes too long."""
        if self._waiting >= self._limits.waiting + self._limits.processes:
            self.events["busy"] += 1
            fact = "too many requests are being answered"
            raise WebProblem(HTTPStatus.TOO_MANY_REQUESTS, fact, "try again in some seconds", retry_s=_BUSY_RETRY_S)
        self._waiting += 1
        try:
            worker = await self._idle.get()
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, worker.respond, request)
            except WebProblem as problem:
                self.events["timeout" if problem.status is HTTPStatus.SERVICE_UNAVAILABLE else "lost"] += 1
                raise
            finally:
                self._idle.put_nowait(worker)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(wait=True, cancel_futures=True)


class _Worker:
    """One process, started anew after it was ended or died."""

    def __init__(self, graph: str, settings: Settings, limits: WorkLimits) -> None:
        self._work = graph, settings, limits.memory_bytes
        self._seconds = limits.seconds
        self._context = multiprocessing.get_context("forkserver")
        # Modules are imported once, in the process that the others are forked from, and their memory is shared.
        self._context.set_forkserver_preload(["kgqa.web.shared_modules"])
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._is_ready = False

    def start(self) -> Connection:
        """Start the process and return the connection to it."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_answer_requests, args=(theirs, *self._work), daemon=True)
        process.start()
        theirs.close()
        self._process, self._connection, self._is_ready = process, ours, False
        return ours

    def respond(self, request: WebRequest) -> WebReply:
        """Return the reply of the process; raises `WebProblem` where it takes too long or dies, which ends it."""
        connection = self._connection or self.start()
        try:
            if not self._is_ready:
                self._receive(connection, _START_LIMIT_S)
                self._is_ready = True
            connection.send(request)
            reply: WebReply = self._receive(connection, self._seconds)
        except (EOFError, OSError):
            self.end()
            fact = "the answer failed: a bug, or too little memory"
            raise WebProblem(HTTPStatus.INTERNAL_SERVER_ERROR, fact, "ask something else, or a shorter text") from None
        return reply

    def _receive(self, connection: Connection, seconds: float) -> Any:
        if not connection.poll(seconds):
            self.end()
            fact = f"no answer within {seconds:.0f} seconds"
            raise WebProblem(HTTPStatus.SERVICE_UNAVAILABLE, fact, "ask something simpler, or a shorter text", retry_s=1)
        return connection.recv()

    def end(self) -> None:
        """End the process at once."""
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None


def _answer_requests(connection: Connection, graph: str, settings: Settings, memory_bytes: int) -> None:
    """Answer requests until the other end of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = memory_bytes if most == resource.RLIM_INFINITY else min(memory_bytes, most)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))
    from graph.errors import Error
    from kgqa.web.graph_service import GraphService
    from kgqa.web.responder import Responder

    service = GraphService(graph, settings)
    responder = Responder(service)
    with suppress(Error):  # each request is then told what is wrong with the graph
        service.warm()
    gc.collect()
    gc.freeze()
    with suppress(EOFError, OSError):
        connection.send(_READY)
        while True:
            if not connection.poll(_IDLE_S):
                _release_memory()
            connection.send(responder.respond(connection.recv()))


def _release_memory() -> None:
    """Give back to the system what the C library keeps of freed memory, where it is glibc: up to a sixth of the process."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
