"""Where a causal graph is kept: one way to open a store, whatever keeps it."""

from __future__ import annotations

import re

from graph.errors import StoreAddressUnknown
from graph.protocols import GraphStore

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def open_store(url: str, *, write: bool = False, create: bool = False) -> GraphStore:
    """Return the store at `url`: a path, or `memory:` for a private, empty one that is gone when it is closed.

    A store that is opened to `write` keeps other writers out until it is closed; readers go on beside it. `create` opens to
    write and makes the store where there is none. A path that looks like an address (`a:b`) is written `./a:b`.

    Raises `StoreAddressUnknown`, `StoreMissing`, `InputIsDirectory`, `InputUnreadable`, `StoreDamaged`, `StoreVersion`,
    `StoreReadOnly`, `StoreLocked` or `StoreFull`.
    """
    if not url or "\0" in url or (url != "memory:" and _SCHEME.match(url)):
        raise StoreAddressUnknown(url)
    from graph.stores.embedded import EmbeddedStore

    if url == "memory:":
        return EmbeddedStore.in_memory()
    return EmbeddedStore.to_write(url, create=create) if write or create else EmbeddedStore.to_read(url)
