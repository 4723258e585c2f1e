"""Open a store by its address, whichever backend holds it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from graph.errors import StoreAddressUnknown
from graph.protocols import GraphStore

_NEO4J = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_new_file(url: str) -> bool:
    """Return whether `url` is the path of a file that is not there yet."""
    return bool(url) and "\0" not in url and url != "memory:" and not _SCHEME.match(url) and not Path(url).exists()


def open_store(url: str | os.PathLike[str], *, write: bool = False, create: bool = False) -> GraphStore:
    """Return the store at `url`: a path, an address of Neo4j, or `memory:` for one that is gone when it is closed.

    A file that is opened to `write` keeps other writers out until it is closed; readers go on beside it. `create` opens to
    write and makes the store where there is none. A path that looks like an address (`a:b`) is written `./a:b`.

    Raises `StoreAddressUnknown`, `StoreMissing`, `InputIsDirectory`, `InputUnreadable`, `StoreDamaged`, `StoreVersion`,
    `StoreReadOnly`, `StoreLocked` or `StoreFull`; for Neo4j also `StoreUnreachable`, `StoreRefused`, `StoreOccupied` or
    `StoreFailed`.
    """
    url = os.fspath(url)
    if _NEO4J.match(url):
        from graph.stores.neo4j.neo4j_store import Neo4jStore

        return Neo4jStore.at(url, write=write, create=create)
    if not url or "\0" in url or (url != "memory:" and _SCHEME.match(url)):
        raise StoreAddressUnknown(url)
    from graph.stores.sqlite.embedded_store import EmbeddedStore

    if url == "memory:":
        return EmbeddedStore.in_memory()
    return EmbeddedStore.to_write(url, create=create) if write or create else EmbeddedStore.to_read(url)
