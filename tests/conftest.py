from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from neo4j_server import Server

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data: KGQA_DATA, or shared/data beside the repository; without it the test is skipped."""
    folder = Path(os.environ.get("KGQA_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at '{folder}' (set KGQA_DATA to the folder that holds it)")
    return folder


@pytest.fixture
def neo4j_server() -> Server:
    """The real Neo4j server that tests share, its database empty; `real_neo4j.url_of` gives its address with the password."""
    from real_neo4j import emptied, the_server

    server = the_server()
    emptied(server)
    return server
