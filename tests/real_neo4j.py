"""A real Neo4j server for the tests that need one, started once for all of them where KGQA_TEST_NEO4J is 1.

Without that variable such tests are skipped; with it, one that cannot have its server fails.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import neo4j
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts" / "serve"))

from foreground import Failed
from neo4j_server import Server, fetch

__all__ = ["PASSWORD", "Server", "driver_of", "emptied", "new_server", "the_server", "url_of"]

WANTED = "KGQA_TEST_NEO4J"
USER, PASSWORD = "neo4j", "only for tests: /?#%@"
ENCODED = "only%20for%20tests%3A%20%2F%3F%23%25%40"


def new_server(home: Path, **changes: object) -> Server:
    """A server of its own for a test, not yet started; it asks for `PASSWORD`."""
    if os.environ.get(WANTED) != "1":
        pytest.skip(f"needs a Neo4j server; {WANTED}=1 starts one (Java 17 and Maven)")
    return Server(home, fetch(), **{"password": PASSWORD, **changes})  # type: ignore[arg-type]


def the_server() -> Server:
    """The server that tests share, started by the first of them and stopped at the end of the run."""
    if os.environ.get(WANTED) != "1":
        pytest.skip(f"needs a Neo4j server; {WANTED}=1 starts one (Java 17 and Maven)")
    shared = _shared()
    if isinstance(shared, Failed):
        pytest.fail(str(shared))
    return shared


@cache
def _shared() -> Server | Failed:
    """The server, or why there is none: it is waited for once, not by each test."""
    home = Path(tempfile.mkdtemp(prefix="kgqa-neo4j-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    try:
        server = new_server(home)
        atexit.register(server.kill)
        server.start()
    except Failed as failure:
        return failure
    return server


def url_of(server: Server) -> str:
    """The address of a server, with the password."""
    return server.url.replace("://", f"://{USER}:{ENCODED}@")


def driver_of(server: Server) -> neo4j.Driver:
    """A driver of a server, to look behind the store."""
    return neo4j.GraphDatabase.driver(server.url, auth=(USER, PASSWORD), notifications_min_severity="OFF")


def emptied(server: Server) -> str:
    """The address of a server, with the password, after everything in its database is deleted; its indexes stay."""
    with driver_of(server) as driver, driver.session() as session:
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS").consume()
    return url_of(server)
