"""What is left of the index where making it is killed or finds no room, and that many can make it at once."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from indexed import assert_arrows, some_statements, true_arrows, written
from running import clean_environment, kgqa

from graph.stores import open_store
from graph.stores.sqlite.index import lifecycle
from graph.stores.sqlite.index.mapped_topology import MappedTopology
from graph.topology import NamedTopology

BUILDER = Path(__file__).with_name("index_builder.py")
KILLS = 40
PATIENCE_S = 120.0


@pytest.fixture
def graph(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A graph of some hundred claims with an index."""
    monkeypatch.setattr(lifecycle, "FEWEST", 1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return written(tmp_path / "graph.kgqa", some_statements(claims=300))


def killed(graph: Path, how: str, seconds: list[float]) -> list[tuple[bool, int]]:
    """Kill who makes the index after so many seconds; return, for each kill, whether a used one was left, and how many."""
    command = [sys.executable, str(BUILDER), str(graph), how, *map(str, seconds)]
    ended = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False, timeout=PATIENCE_S)
    assert ended.returncode == 0, ended.stderr
    lines = [line.split() for line in ended.stdout.splitlines()]
    return [(used == "True", int(left)) for used, left in lines]


def test_killing_who_makes_an_index_leaves_the_last_good_one(graph: Path) -> None:
    chance = random.Random(5)
    found = killed(graph, "renew", [chance.uniform(0.002, 0.06) for _ in range(KILLS)])
    assert len(found) == KILLS
    assert all(used for used, _ in found)
    # Some were killed while a generation was half made.
    assert any(left > 1 for _, left in found)
    with closing(open_store(str(graph), write=True)) as store:
        store.add(some_statements(seed=9, claims=5))
    assert len(list(Path(f"{graph}-index").glob("generation-*"))) == 1


def test_killing_who_writes_leaves_a_graph_that_answers_and_can_be_written(graph: Path) -> None:
    chance = random.Random(6)
    found = killed(graph, "write", [chance.uniform(0.002, 0.12) for _ in range(KILLS)])
    assert len(found) == KILLS
    with closing(open_store(str(graph), write=True)) as store:
        assert store.stats().claims > 0
    with closing(open_store(str(graph))) as store:
        topology = store.topology()
        assert isinstance(topology, MappedTopology)
        assert_arrows(topology, true_arrows(store))
        assert list(store.check()) == []


def test_without_room_for_an_index_the_graph_answers_without_one(graph: Path) -> None:
    with closing(open_store(str(graph), write=True)) as store:
        store.add(some_statements(seed=4, claims=5))
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        # Python ignores the signal, so that a write beyond the limit fails like one to a full disk.
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limits[1]))
        try:
            lifecycle.GraphIndex(str(graph), graph, store._reading).renew(store._open, wait=True)  # type: ignore[attr-defined]
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert type(store.topology()) is NamedTopology
        assert [path.name for path in Path(f"{graph}-index").glob("generation-*")] == ["generation-1"]
    with closing(open_store(str(graph))) as store:
        assert isinstance(store.topology(), MappedTopology)


CUT_OFF = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from indexed import assert_arrows, true_arrows
from graph.stores import open_store
from graph.stores.sqlite.index.mapped_topology import MappedTopology
with open_store(sys.argv[2]) as store:
    expected = true_arrows(store)
with open_store(sys.argv[2]) as store:
    topology = store.topology()
    assert isinstance(topology, MappedTopology)
    for file in Path(sys.argv[2] + "-index").glob("generation-*/*"):
        os.truncate(file, file.stat().st_size // 2)
    assert_arrows(topology, expected)
"""


def test_an_index_that_is_cut_off_under_a_reader_gives_way_to_the_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lifecycle, "FEWEST", 1)
    graph = written(tmp_path / "graph.kgqa", some_statements(claims=3_000))
    command = [sys.executable, "-c", CUT_OFF, str(Path(__file__).parents[1]), str(graph)]
    ended = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False, timeout=PATIENCE_S)
    assert ended.returncode == 0, ended.stderr


def test_many_who_ask_at_once_make_one_index_and_all_are_answered(graph: Path) -> None:
    for file in Path(f"{graph}-index").glob("*/*"):
        file.unlink()
    (Path(f"{graph}-index") / "current").unlink()
    script = """
import sys
from contextlib import closing
from graph.stores import open_store
from graph.stores.sqlite.index import lifecycle
lifecycle.FEWEST = 1
with closing(open_store(sys.argv[1])) as store:
    topology = store.topology()
    number = topology.number("storm 1")
    print(sorted(map(topology.name, topology.outgoing(number).ends)))
"""
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(graph)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
        )
        for _ in range(6)
    ]
    said = [process.communicate(timeout=PATIENCE_S) for process in asking]
    with closing(open_store(str(graph))) as store:
        expected = sorted(edge.effect for edge in store.effects("storm 1"))
        assert isinstance(store.topology(), MappedTopology)
    assert [err for _, err in said] == [b""] * len(said)
    assert [out.decode().strip() for out, _ in said] == [str(expected)] * len(said)


def test_a_damaged_index_is_found_and_mended_on_the_command_line(tmp_path: Path) -> None:
    claims, graph = tmp_path / "claims.csv", tmp_path / "graph.kgqa"
    lines = [f"cause {number % 37},effect {number}\n" for number in range(lifecycle.FEWEST + 200)]
    claims.write_text("cause,effect\n" + "".join(lines))
    assert kgqa("load", "csv", claims, "-g", graph).code == 0
    (arrows,) = Path(f"{graph}-index").glob("*/arrows")
    content = bytearray(arrows.read_bytes())
    content[len(content) // 2] ^= 1
    arrows.write_bytes(content)

    asked = kgqa("effects", "cause 1", "-g", graph)
    assert asked.code == 0, asked.err
    found = kgqa("check", "-g", graph)
    assert found.code == 1
    assert "is damaged in 1 of its blocks" in " ".join(found.out.split())
    assert "kgqa check --mend" in " ".join(found.out.split())
    mended = kgqa("check", "--mend", "-g", graph)
    assert (mended.code, mended.out) == (0, f"{graph}: sound\n")
    assert kgqa("check", "-g", graph).code == 0


@pytest.mark.parametrize("url", ["memory:", "bolt://localhost:7687"])
def test_only_a_graph_in_a_file_can_be_mended(url: str) -> None:
    ended = kgqa("check", "--mend", "-g", url)
    assert ended.code == 2
    assert ended.err.startswith(f"kgqa: only a graph in a file can be mended, not '{url}'\n")


def test_counts_and_words_that_are_wrong_are_mended(tmp_path: Path) -> None:
    import sqlite3

    graph = written(tmp_path / "graph.kgqa", some_statements(claims=60))
    with closing(sqlite3.connect(graph, isolation_level=None)) as connection:
        connection.execute("UPDATE claim SET asserted = asserted + 1 WHERE id = 7")
        connection.execute("INSERT INTO concept_words (rowid, name) VALUES (1, 'xylophone')")
    found = kgqa("check", "-g", graph)
    assert found.code == 1
    assert "are not those of their evidence" in " ".join(found.out.split())
    assert "searching by words does not find what it must" in " ".join(found.out.split())
    assert kgqa("check", "--mend", "-g", graph).code == 0
    assert kgqa("show", "xylophone", "-g", graph).code == 1
