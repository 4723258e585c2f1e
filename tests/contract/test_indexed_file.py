"""What every store must do, done by a file whose index answers: it is closed after each write and opened again to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from test_store_contract import *  # noqa: F403

from graph.model import Alias, Statement
from graph.protocols import Added
from graph.stores import open_store
from graph.stores.closable_store import ClosableStore
from graph.stores.sqlite.index import index_build as building
from graph.stores.sqlite.index import lifecycle as keeping
from graph.stores.sqlite.index.mapped_topology import MappedTopology


class Reopened(ClosableStore):
    """A `GraphStore` in a file that is opened to be written only while something is added."""

    def __init__(self, path: Path) -> None:
        self.url = self._path = str(path)
        open_store(self._path, create=True).close()
        self._reader = open_store(self._path)

    def add(
        self, statements: Iterable[Statement], aliases: Iterable[Alias] = (), progress: tuple[str, int] | None = None
    ) -> Added:
        """Add records, and let the index be made."""
        self._reader.digest()  # fails where the store is closed
        with closing(open_store(self._path, write=True)) as writer:
            added = writer.add(statements, aliases, progress)
        assert isinstance(self._reader.topology(), MappedTopology)
        return added

    def close(self) -> None:
        """Release the store."""
        self._reader.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


@pytest.fixture(params=[1, building.LARGE], ids=["large index", "small index"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reopened]:
    monkeypatch.setattr(keeping, "FEWEST", 0)
    monkeypatch.setattr(building, "LARGE", request.param)
    monkeypatch.setattr(building, "MANY_NAMES", request.param)
    with closing(Reopened(tmp_path / "graph.kgqa")) as opened:
        yield opened
