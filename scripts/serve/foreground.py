"""What the scripts that run a server in the foreground have in common; the standard library alone is used."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeVar


class Failed(Exception):
    """What hinders a server, in one line."""


class Server(Protocol):
    """A server in a process of its own."""

    process: subprocess.Popen[bytes] | None

    def start(self) -> None:
        """Start it and wait until it answers; raises `Failed` where it does not."""

    def stop(self) -> None:
        """End it and wait until it has ended."""


One = TypeVar("One", bound=Server)


@contextlib.contextmanager
def running(server: One) -> Iterator[One]:
    """Start a server, and stop it at the end of the block."""
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def until_ctrl_c() -> Iterator[None]:
    """End the block quietly at Ctrl-C or when the process is told to end."""
    for wanted in (signal.SIGTERM, signal.SIGINT):
        signal.signal(wanted, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        yield


def cache() -> Path:
    """Return the folder in which the parts of servers are kept, made where it is not there yet."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kgqa"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def locked(name: str) -> Iterator[None]:
    """Let one process at a time through, of all those that name the same lock."""
    with (cache() / f"{name}.lock").open("ab") as lock:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
        yield
