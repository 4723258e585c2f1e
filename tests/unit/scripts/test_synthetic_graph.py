"""The made-up graphs that stores are timed with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from graph.sources.jsonl import read_statements

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).parents[3] / "scripts" / "bench" / "synthetic_graph.py"


def made(path: Path, *options: str) -> Path:
    subprocess.run([sys.executable, SCRIPT, *options, "--out", path], check=True, stdout=subprocess.DEVNULL)
    return path


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of 2,000 edges."""
    return made(tmp_path_factory.mktemp("made") / "a.jsonl", "--concepts", "1500", "--edges", "2000", "--records", "1.5")


def test_it_has_just_so_many_concepts_and_edges_and_no_loops(graph: Path) -> None:
    edges = {(record["cause"], record["effect"]) for record in map(json.loads, graph.read_text().splitlines())}
    assert len(edges) == 2000
    assert len({name for edge in edges for name in edge}) == 1500
    assert all(cause != effect for cause, effect in edges)


def test_it_can_be_loaded_and_has_more_records_than_edges(graph: Path) -> None:
    def fails(skipped: object) -> None:
        raise AssertionError(skipped)

    statements = list(read_statements(graph, fails))
    assert 2600 < len(statements) < 3400
    assert {statement.evidence.source.kind for statement in statements} == {"clueweb12", "wikipedia"}


def test_few_concepts_have_most_of_the_edges(graph: Path) -> None:
    edges = {(record["cause"], record["effect"]) for record in map(json.loads, graph.read_text().splitlines())}
    for side in (0, 1):
        degrees = sorted(Counter(edge[side] for edge in edges).values(), reverse=True)
        assert degrees[0] > 20
        assert sum(degree == 1 for degree in degrees) > len(degrees) / 2


def test_the_same_seed_makes_the_same_graph_and_another_another(tmp_path: Path) -> None:
    size = ("--concepts", "100", "--edges", "200")
    first, again = made(tmp_path / "a.jsonl", *size), made(tmp_path / "b.jsonl", *size)
    other = made(tmp_path / "c.jsonl", *size, "--seed", "6")
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()
