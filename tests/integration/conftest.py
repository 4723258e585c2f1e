from __future__ import annotations

from pathlib import Path

import pytest
from running import CLAIMS, kgqa


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of eleven claims, loaded by the command itself."""
    folder = tmp_path_factory.mktemp("small")
    table, graph = folder / "claims.csv", folder / "small.kgqa"
    table.write_text(CLAIMS, encoding="utf-8")
    loaded = kgqa("load", "csv", table, "-g", graph)
    assert loaded.code == 0, loaded.err
    return graph
