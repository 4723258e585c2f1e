"""Which index is used, where it lies, and that who reads one keeps it when another takes its place."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from indexed import assert_arrows, some_statements, true_arrows, written

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.stores.sqlite.embedded_store import compact_store
from graph.stores.sqlite.index import lifecycle as keeping
from graph.stores.sqlite.index import mapped_topology as fit
from graph.stores.sqlite.index.index_folder import Generations
from graph.stores.sqlite.index.mapped_topology import MappedTopology
from graph.topology import NamedTopology

pytestmark = pytest.mark.slow

NEW = Statement(Claim("storm 1", "something new"), Evidence(Source("wikipedia", page_id="1")))


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def graph(cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A graph of some hundred claims, with an index, in a folder of its own."""
    monkeypatch.setattr(keeping, "FEWEST", 1)
    folder = tmp_path / "folder"
    folder.mkdir()
    return written(folder / "graph.kgqa", some_statements(claims=200))


def index_of(graph: Path) -> Path:
    return graph.with_name(f"{graph.name}-index")


def generations(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("generation-*"))


def add(graph: Path, *statements: Statement) -> None:
    with closing(open_store(str(graph), write=True)) as store:
        store.add(statements)


def assert_true(store: GraphStore, kind: type) -> None:
    """Fail unless the topology is of a kind and tells what the tables tell."""
    topology = store.topology()
    assert type(topology) is kind
    assert_arrows(topology, true_arrows(store))


def test_who_writes_leaves_an_index(graph: Path) -> None:
    assert generations(index_of(graph)) == ["generation-1"]
    add(graph, NEW)
    assert generations(index_of(graph)) == ["generation-2"]
    with closing(open_store(str(graph))) as store:
        assert_true(store, MappedTopology)


def test_writing_nothing_new_keeps_the_index(graph: Path) -> None:
    add(graph)
    assert generations(index_of(graph)) == ["generation-1"]


def test_a_reader_keeps_its_generation_when_the_next_one_comes(graph: Path) -> None:
    with closing(open_store(str(graph))) as reader:
        before, true = reader.topology(), true_arrows(reader)
        add(graph, NEW)
        assert generations(index_of(graph)) == ["generation-2"]
        assert_arrows(before, true)
        assert before.number("something new") is None
        assert_true(reader, MappedTopology)
        assert reader.topology().number("something new") is not None


def test_beside_a_writer_a_reader_asks_the_tables(graph: Path) -> None:
    with closing(open_store(str(graph))) as reader, closing(open_store(str(graph), write=True)) as writer:
        assert_true(reader, MappedTopology)
        writer.add([NEW])
        assert_true(reader, NamedTopology)
        assert_true(writer, NamedTopology)
        assert generations(index_of(graph)) == ["generation-1"]


def test_whoever_reads_first_makes_the_index_of_a_small_graph(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(index_of(graph))
    with monkeypatch.context() as changed, closing(open_store(str(graph))) as store:
        changed.setattr(keeping, "AT_ONCE", 10)
        assert_true(store, NamedTopology)
        assert not index_of(graph).exists()
    with closing(open_store(str(graph))) as store:
        assert_true(store, MappedTopology)
    assert generations(index_of(graph)) == ["generation-1"]


def test_a_tiny_graph_has_no_index(cache: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "graph.kgqa", [NEW])
    with closing(open_store(str(path))) as store:
        assert_true(store, NamedTopology)
    assert not cache.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["graph.kgqa"]


def test_a_graph_that_is_only_read_has_its_index_in_the_cache(graph: Path, cache: Path) -> None:
    shutil.rmtree(index_of(graph))
    graph.chmod(0o444)
    for _ in range(2):
        with closing(open_store(str(graph))) as store:
            assert_true(store, MappedTopology)
            assert list(store.check()) == []
    assert [file.name for file in graph.parent.iterdir()] == ["graph.kgqa"]
    assert generations(cache / "kgqa" / "index") == ["generation-1"]


def test_a_graph_in_a_folder_that_is_only_read_has_its_index_in_the_cache(graph: Path, cache: Path) -> None:
    shutil.rmtree(index_of(graph))
    graph.parent.chmod(0o555)
    try:
        with closing(open_store(str(graph))) as store:
            assert_true(store, MappedTopology)
    finally:
        graph.parent.chmod(0o755)
    assert [file.name for file in graph.parent.iterdir()] == ["graph.kgqa"]
    assert generations(cache / "kgqa" / "index") == ["generation-1"]


@pytest.mark.parametrize("base", ["", "relative"])
def test_without_a_cache_a_graph_that_is_only_read_has_no_index(graph: Path, monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    shutil.rmtree(index_of(graph))
    graph.chmod(0o444)
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    monkeypatch.setenv("HOME", base)
    with closing(open_store(str(graph))) as store:
        assert_true(store, NamedTopology)


def test_a_cache_that_is_no_folder_is_no_error(graph: Path, cache: Path) -> None:
    shutil.rmtree(index_of(graph))
    graph.chmod(0o444)
    cache.write_text("a file")
    with closing(open_store(str(graph))) as store:
        assert_true(store, NamedTopology)


def test_an_index_of_another_graph_is_not_used(graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = written(tmp_path / "other.kgqa", some_statements(seed=2, claims=200))
    graph.write_bytes(other.read_bytes())
    monkeypatch.setattr(keeping, "AT_ONCE", 0)
    with closing(open_store(str(graph))) as store:
        assert_true(store, NamedTopology)
        assert list(store.check()) == []


def test_an_index_that_was_belief_checksums_other_priors_is_not_used(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(fit, "_belief_checksums", lambda: b"other priors")
        changed.setattr(keeping, "AT_ONCE", 0)
        with closing(open_store(str(graph))) as store:
            assert_true(store, NamedTopology)
    with monkeypatch.context() as changed:
        changed.setattr(fit, "_belief_checksums", lambda: None)
        with closing(open_store(str(graph))) as store:
            assert_true(store, NamedTopology)
    with closing(open_store(str(graph))) as store:
        assert_true(store, MappedTopology)


def test_what_beliefs_are_belief_checksums_is_all_of_the_package_that_they_depend_on() -> None:
    package = Path(fit.__file__).parents[3]
    for name in fit.BELIEF:
        assert (package / name).is_file()


def test_a_pointer_to_nothing_is_no_index(graph: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "AT_ONCE", 0)
    for content in ("", "generation-7\n", "../graph.kgqa\n", "\0\xff", "generation-1" * 20):
        (index_of(graph) / "current").write_text(content)
        with closing(open_store(str(graph))) as store:
            assert_true(store, NamedTopology)


def test_what_a_crash_left_goes_with_the_next_generation(graph: Path) -> None:
    for name in ("generation-7", "generation-3"):
        (index_of(graph) / name).mkdir()
        (index_of(graph) / name / "arrows").write_bytes(b"half")
    (index_of(graph) / "current-new").write_text("generation-7\n")
    add(graph, NEW)
    assert generations(index_of(graph)) == ["generation-8"]
    assert sorted(file.name for file in index_of(graph).iterdir()) == ["current", "generation-8", "lock"]


def test_who_fails_does_not_wait_for_an_index(graph: Path) -> None:
    def interrupted() -> None:
        with closing(open_store(str(graph), write=True)) as store:
            store.add([NEW])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert generations(index_of(graph)) == ["generation-1"]
    add(graph)
    assert generations(index_of(graph)) == ["generation-2"]


def test_a_graph_that_ships_is_one_file(graph: Path, cache: Path) -> None:
    compact_store(graph)
    assert [file.name for file in graph.parent.iterdir()] == ["graph.kgqa"]
    with closing(open_store(str(graph))) as store:
        assert_true(store, MappedTopology)
    assert generations(cache) == ["generation-1"]


def test_a_graph_that_no_index_can_be_made_of_answers_as_far_as_it_is_sound(graph: Path) -> None:
    with closing(open_store(str(graph))) as store:
        true = true_arrows(store)
    with closing(sqlite3.connect(graph, isolation_level=None)) as connection:
        connection.execute("INSERT INTO claim SELECT 9999, 12345, 12346, 0, 0, 1, 0, 0, 0, ground, 0 FROM claim LIMIT 1")
        connection.execute("UPDATE meta SET value = ? WHERE key = 'digest'", ("0" * 32,))
    with closing(open_store(str(graph))) as store:
        topology = store.topology()
        assert type(topology) is NamedTopology
        assert_arrows(topology, true)
        assert generations(index_of(graph)) == ["generation-1"]


def test_what_is_not_of_an_index_is_left_where_it_is(graph: Path) -> None:
    index = index_of(graph)
    (index / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OSError, match="not empty"):
        Generations(index).remove()
    assert [file.name for file in index.iterdir()] == ["notes.txt"]
