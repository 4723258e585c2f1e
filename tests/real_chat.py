"""A real chat server for the tests that need one, started once for all of them where KGQA_TEST_CHAT is 1.

Without that variable such tests are skipped; with it, one that cannot have its server fails.
"""

from __future__ import annotations

import atexit
import os
import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts" / "serve"))

from chat_server import Server, fetch
from foreground import Failed

__all__ = ["Server", "the_server"]

WANTED = "KGQA_TEST_CHAT"


def the_server() -> Server:
    """The server that tests share, started by the first of them and stopped at the end of the run."""
    if os.environ.get(WANTED) != "1":
        pytest.skip(f"needs a chat server; {WANTED}=1 installs and starts one (110 MB)")
    shared = _shared()
    if isinstance(shared, Failed):
        pytest.fail(str(shared))
    return shared


@cache
def _shared() -> Server | Failed:
    """The server, or why there is none: it is waited for once, not by each test."""
    try:
        server = Server(fetch(), context=1024)
        atexit.register(server.stop)
        server.start()
    except Failed as failure:
        return failure
    return server
