"""Graphs that go into a real Neo4j server and come back, by copying and by bulk import; a server or a copier that is killed."""

from __future__ import annotations

import json
import shlex
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hostile import hostile_aliases, hostile_statements
from real_neo4j import Server, driver_of, new_server, url_of
from running import KGQA, clean_environment, kgqa

from graph.model import Alias, Claim, Evidence, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store

SIZE = 15_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that takes several seconds to copy: hubs, claims with several records, hostile names."""
    path = tmp_path_factory.mktemp("large") / "large.kgqa"
    relations, stances = list(Relation), list(Stance)
    statements = [
        Statement(
            Claim(f"cause {place % 997}", f"effect {place // 3}", relations[place // 3 % len(relations)]),
            Evidence(
                Source("wikipedia", f"Page {place % 5000}", str(place % 5000), "7"), stances[place % 7 % 3], rule="r", start=place
            ),
        )
        for place in range(SIZE)
    ]
    with closing(open_store(str(path), create=True)) as store:
        store.add([*statements, *hostile_statements()], [*hostile_aliases(), Alias("a cause", "cause 1")])
    return path


def digest_of(url: str | Path) -> str:
    with closing(open_store(str(url))) as store:
        return store.digest()


def contents(store: GraphStore) -> tuple[list[object], ...]:
    return list(store.statements()), list(store.edges()), list(store.aliases())


def test_a_graph_goes_to_a_server_and_back_unchanged(neo4j_server: Server, tmp_path: Path) -> None:
    there, back, graph = url_of(neo4j_server), tmp_path / "back.kgqa", tmp_path / "graph.kgqa"
    with closing(open_store(str(graph), create=True)) as store:
        store.add(hostile_statements(), hostile_aliases())
    for source, target in ((graph, there), (there, back)):
        copied = kgqa("copy", source, target)
        assert copied.code == 0, copied.err
        assert f"digest of both: {digest_of(graph)}" in copied.out
        assert "only%20for" not in copied.out + copied.err
    with closing(open_store(str(graph))) as one, closing(open_store(there)) as two, closing(open_store(str(back))) as three:
        assert contents(one) == contents(two) == contents(three)
        assert list(two.check()) == []


def test_copying_twice_adds_nothing(neo4j_server: Server, small: Path) -> None:
    first = kgqa("copy", small, url_of(neo4j_server))
    again = kgqa("copy", small, url_of(neo4j_server))
    assert (first.code, again.code) == (0, 0)
    assert "0 claims, 0 evidence records, 0 concepts" in again.out
    assert digest_of(small) in again.out


def test_a_graph_that_is_copied_into_another_joins_it(neo4j_server: Server, small: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.kgqa"
    with closing(open_store(str(other), create=True)) as store:
        store.add([Statement(Claim("rain", "flood"), Evidence(Source("text", "A")))])
    assert kgqa("copy", other, url_of(neo4j_server)).code == 0
    joined = kgqa("copy", small, url_of(neo4j_server))
    assert joined.code == 0, joined.err
    assert "which holds more" in joined.out
    with closing(open_store(str(other), write=True)) as store, closing(open_store(str(small))) as more:
        store.add(more.statements(), more.aliases())
        assert store.digest() == digest_of(url_of(neo4j_server))


def test_one_graph_is_not_copied_onto_itself(small: Path) -> None:
    ended = kgqa("copy", small, small)
    assert ended.code == 2
    assert "the same graph" in ended.err


def test_a_bulk_import_gives_the_same_graph(tmp_path: Path) -> None:
    server = new_server(tmp_path / "home")
    graph, folder = tmp_path / "graph.kgqa", tmp_path / "files"
    with closing(open_store(str(graph), create=True)) as store:
        store.add(hostile_statements(), hostile_aliases())
    exported = kgqa("export", "csv", folder, "-g", graph, "--json")
    assert exported.code == 0, exported.err
    again = kgqa("export", "csv", folder, "-g", graph)
    assert again.code == 1
    assert "there is something already" in again.err

    command = shlex.split(json.loads(exported.out)["command"])
    assert command[0] == "neo4j-admin"
    server.admin(*command[1:])
    server.start()
    try:
        with closing(open_store(str(graph))) as one, closing(open_store(url_of(server), write=True)) as two:
            assert contents(one) == contents(two)
            assert list(two.check()) == []
            assert list(two.search(["name"])) == list(one.search(["name"]))
    finally:
        server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A running server for one test, which may kill it."""
    server = new_server(tmp_path / "home")
    server.start()
    yield server
    server.kill()


def copying(graph: str | Path, url: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [KGQA, "copy", str(graph), str(url)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment()
    )


def wait_for_progress(server: Server, least: int) -> None:
    """Return when a copy has come so far."""
    with driver_of(server) as driver, driver.session() as session:
        until = time.monotonic() + 100
        while time.monotonic() < until:
            done = session.run("MATCH (j:Job) RETURN max(j.done) AS done").single()
            if done is not None and (done["done"] or 0) >= least:
                return
            time.sleep(0.02)
    pytest.fail("the copy does not come on")


def test_a_server_that_is_killed_and_started_again_has_the_identical_graph_in_the_end(own_server: Server, large: Path) -> None:
    url = url_of(own_server)
    process = copying(large, url)
    wait_for_progress(own_server, 1)
    own_server.kill()
    own_server.start()
    out, err = process.communicate(timeout=500)
    for _ in range(3):
        if process.returncode == 0:
            break
        assert err.startswith("kgqa: "), err
        assert err.count("\n") <= 2, err
        process = copying(large, url)
        out, err = process.communicate(timeout=500)
    assert process.returncode == 0, err
    assert f"digest of both: {digest_of(large)}" in out
    with closing(open_store(url)) as store, closing(open_store(str(large))) as original:
        assert list(store.check()) == []
        assert contents(store) == contents(original)


def test_a_server_that_stays_away_is_told_in_a_line_and_the_copy_goes_on_later(own_server: Server, large: Path) -> None:
    url = url_of(own_server)
    process = copying(large, url)
    wait_for_progress(own_server, 1)
    own_server.kill()
    _, err = process.communicate(timeout=500)
    assert process.returncode == 1
    fact = f"kgqa: no Neo4j server to be used at '{own_server.url}': "
    assert err in {f"{fact}nobody listens there\n", f"{fact}it broke off the connection\n"}
    own_server.start()
    with closing(open_store(url)) as store:
        stored = store.stats()
    assert 0 < stored.evidence < SIZE
    resumed = copying(large, url)
    out, err = resumed.communicate(timeout=500)
    assert resumed.returncode == 0, err
    assert digest_of(url) == digest_of(large)
    # What was there before the server was killed is not counted again.
    with closing(open_store(str(large))) as store:
        assert f"{store.stats().evidence - stored.evidence:,} evidence records" in out


def test_a_copier_that_is_killed_goes_on_where_it_was(neo4j_server: Server, large: Path, tmp_path: Path) -> None:
    url = url_of(neo4j_server)
    process = copying(large, url)
    wait_for_progress(neo4j_server, 1)
    process.kill()
    process.communicate()
    with closing(open_store(url, write=True)) as store:
        assert list(store.check()) == []
        assert 0 < store.stats().evidence < SIZE
    back = tmp_path / "back.kgqa"
    for source, target in ((large, url), (url, back)):
        copier = copying(source, target)
        _, err = copier.communicate(timeout=500)
        assert copier.returncode == 0, err
        assert digest_of(target) == digest_of(large)
