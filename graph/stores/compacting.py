"""Making a graph that was mined into one that ships: a single small file that is only read."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from graph.stores.embedded import EmbeddedStore

_READ_ONLY = 0o444


def compact_store(path: str | Path) -> None:
    """Rewrite the store at `path` as small as it can be, and take away the right to write it.

    Raises what opening a store to write raises, and `StoreFull` where there is no room for the copy; the store is intact then.
    """
    with closing(EmbeddedStore.to_write(str(path))) as store:
        store.compact()
    Path(path).chmod(_READ_ONLY)
