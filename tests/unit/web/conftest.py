from __future__ import annotations

from pathlib import Path

import pytest
from small_web_graph import client_of, write_graph
from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def graph_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_graph(tmp_path_factory.mktemp("web") / "small.kgqa")


@pytest.fixture(scope="session")
def client(graph_file: Path) -> TestClient:
    return client_of(graph_file)
