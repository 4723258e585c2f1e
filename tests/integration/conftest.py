from __future__ import annotations

from pathlib import Path

import pytest
from running import CLAIMS, Ended, Run, kgqa

from kgqa.cli import run


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of eleven claims, loaded by the command itself."""
    folder = tmp_path_factory.mktemp("small")
    table, graph = folder / "claims.csv", folder / "small.kgqa"
    table.write_text(CLAIMS, encoding="utf-8")
    loaded = kgqa("load", "csv", table, "-g", graph)
    assert loaded.code == 0, loaded.err
    return graph


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, small: Path) -> Run:
    """Run a command in this process, with the small graph as the one to ask."""
    monkeypatch.setenv("KGQA_GRAPH", str(small))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("KGQA_DEBUG", raising=False)

    def command(*arguments: str | Path) -> Ended:
        code = run([str(argument) for argument in arguments])
        return Ended(code, *capfd.readouterr())

    return command
