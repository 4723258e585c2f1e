"""The server: uvicorn over one listening socket, ended by a signal after the requests in progress."""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from graph.errors import system_error_text
from kgqa.errors import KgqaError
from kgqa.settings import Settings
from kgqa.web.access_control import AccessControl
from kgqa.web.application import create_application
from kgqa.web.request_metrics import RequestMetrics
from kgqa.web.worker_pool import WorkerPool, WorkLimits

_HEADERS_LIMIT_S = 10.0
"""How long a new connection may take to send the headers of its first request."""
_GRACE_S = 10
_MOST_CONNECTIONS = 2_000


class PortTaken(KgqaError):
    """The server cannot listen at its address."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"cannot listen at {host} port {port}: {why}", "kgqa serve --port 0")


class _ImpatientProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection on which the headers of a request do not come, so that idle clients keep no file open."""

    cycle: Any

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._headers_timer = self.loop.call_later(_HEADERS_LIMIT_S, self._close_waiting)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._awaits_headers:
            self._headers_timer.cancel()
        elif self._headers_timer.cancelled():
            self._headers_timer = self.loop.call_later(_HEADERS_LIMIT_S, self._close_waiting)

    def connection_lost(self, exc: Exception | None) -> None:
        self._headers_timer.cancel()
        super().connection_lost(exc)

    @property
    def _awaits_headers(self) -> bool:
        return self.cycle is None or bool(self.cycle.response_complete)

    def _close_waiting(self) -> None:
        if self._awaits_headers and not self.transport.is_closing():
            self.transport.close()


class _Server(uvicorn.Server):
    """A server that ends with exit code 0 at SIGTERM and at Ctrl-C."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        yield

    def _stop(self) -> None:
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one. Raises `PortTaken`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named so that asyncio sends each reply at once (TCP_NODELAY).
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise PortTaken(host, port, system_error_text(error)) from None
    listening.listen(_MOST_CONNECTIONS)
    return listening


class ListeningPlace(NamedTuple):
    """The socket that a server listens at, who may ask there, and what is called before the first request is read."""

    socket: socket.socket
    access: AccessControl
    on_start: Callable[[], None] = lambda: None


def serve_graph(graph: str, place: ListeningPlace, limits: WorkLimits, settings: Settings) -> None:
    """Serve the pages and the API of a graph until a signal ends it."""
    pool = WorkerPool(graph, settings, limits)
    run_server(create_application(pool.respond, place.access, RequestMetrics(pool.events), pool.open, pool.close), place)


def run_server(application: ASGIApp, place: ListeningPlace) -> None:
    """Serve an application until a signal ends it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * _MOST_CONNECTIONS
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)), hard))
    config = uvicorn.Config(
        application,
        http=_ImpatientProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        backlog=_MOST_CONNECTIONS,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=_GRACE_S,
        h11_max_incomplete_event_size=1 << 16,
        proxy_headers=False,
    )
    place.on_start()
    _Server(config).run(sockets=[place.socket])
