"""Stores of causal graphs behind one protocol; `open_store` opens whichever backend an address belongs to."""

from __future__ import annotations

import os
import re
from pathlib import Path

from graph.errors import StoreAddressUnknown
from graph.protocols import GraphStore

_NEO4J = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_new_file(url: str) -> bool:
    """Return whether `url` is the path of a file that does not exist yet."""
    return bool(url) and "\0" not in url and url != "memory:" and not _SCHEME.match(url) and not Path(url).exists()


def open_store(url: str | os.PathLike[str], *, write: bool = False, create: bool = False) -> GraphStore:
    """Return the store at `url`: a path, a Neo4j address, or `memory:` for a store that ends when it is closed.

    A file opened with `write` locks out other writers until it is closed; readers are not blocked. `create` implies `write`
    and creates the store if it does not exist. Write a path that looks like an address (`a:b`) as `./a:b`.

    Raises `StoreAddressUnknown`, `StoreMissing`, `InputIsDirectory`, `InputUnreadable`, `StoreDamaged`, `StoreVersion`,
    `StoreReadOnly`, `StoreLocked` or `StoreFull`; for Neo4j also `StoreUnreachable`, `StoreRefused`, `StoreOccupied` or
    `StoreFailed`.
    """
    url = os.fspath(url)
    # The backends import modules of this package, so each is imported when it is needed.
    if _NEO4J.match(url):
        from graph.stores.neo4j.neo4j_store import Neo4jStore

        return Neo4jStore.at(url, write=write, create=create)
    if not url or "\0" in url or (url != "memory:" and _SCHEME.match(url)):
        raise StoreAddressUnknown(url)
    from graph.stores.sqlite.embedded_store import EmbeddedStore

    if url == "memory:":
        return EmbeddedStore.in_memory()
    return EmbeddedStore.to_write(url, create=create) if write or create else EmbeddedStore.to_read(url)
