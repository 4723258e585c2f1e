from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from neo4j_server import Server
    from xdist.remote import Producer
    from xdist.scheduler import Scheduling

ROOT = Path(__file__).parents[1]
# How busy the machine is decides nothing.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
STARTED_ONCE = ("real_neo4j", "real_chat", "tiny_generator")
"""What starts a server or trains a model for all the tests of one process."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Where several processes test (`pytest -n 2`), give each whole files, and all files that share a server to one of them."""
    from xdist.scheduler import LoadFileScheduling

    @cache
    def group(file: str) -> str:
        source = (config.rootpath / file).read_text(encoding="utf-8")
        return next((name for name in STARTED_ONCE if name in source), file)

    class ByServer(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid.partition("::")[0])

    config.option.loadscopereorder = False  # as listed: what takes minutes begins before the many small ones
    return ByServer(config, log)


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
