"""Loading and mining that is killed, starved of room or doubled: what is stored stays sound, and the work can be finished."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from forking import forks
from hostile import hostile_statements
from running import kgqa
from statement_lines import statement_json

from graph.errors import StoreFull, StoreLocked, StoreReadOnly, StoreUnfinished
from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.protocols import Added
from graph.stores import open_store
from graph.stores.sqlite import bulk_insert as bulk
from graph.stores.sqlite.bulk_insert import load_new

KILLS = int(os.environ.get("KGQA_TEST_KILLS", "20"))
RECORDS = 1_500
ARTICLES = 40


def numbered(first: int, last: int) -> Iterator[Statement]:
    """Yield statements by number: claims come back at once and much later, pages are shared, some sentences are known."""
    for number in range(first, last):
        source = Source("wikipedia", f"Page {number % 97}", str(number % 97))
        text = None if number % 3 else f"Sentence {number % 500} floods."
        evidence = Evidence(
            source, list(Stance)[number % 7 % 5], rule=f"rule {number % 5}", text=text, start=number, end=number + 9
        )
        yield Statement(Claim(f"cause {number // 2 % 1009}", f"effect {number // 2 * 7 % 2003}"), evidence)


def digest_of(statements: Iterator[Statement] | list[Statement]) -> str:
    with closing(open_store("memory:")) as store:
        store.add(statements)
        return store.digest()


def left_beside(graph: Path) -> list[str]:
    """What lies beside a graph that is no index and no other file of the test."""
    return sorted(
        name for file in graph.parent.glob(f"{graph.name}*") if (name := file.name.removeprefix(graph.name)) not in ("", "-index")
    )


def sound_digest(graph: Path) -> str:
    """The digest of a graph, or of an empty one where there is none yet; what is there must be sound."""
    if not graph.exists():
        return "0" * 32
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []
        return store.digest()


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of statements, a moment of loading."""
    file = tmp_path_factory.mktemp("claims") / "claims.jsonl"
    with file.open("w") as out:
        out.writelines(json.dumps(statement_json(statement)) + "\n" for statement in numbered(0, RECORDS))
    return file


@pytest.fixture(scope="module")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of short articles, a second of mining."""
    file = tmp_path_factory.mktemp("articles") / "wiki_00"
    with file.open("w") as out:
        for page in range(ARTICLES):
            out.write(f'<doc id="{page}" url="https://example.org/{page}" title="Article {page}">\nArticle {page}\n\n')
            out.write(f"Heavy rain number {page} causes floods. Smoking caused death {page % 7}.\n</doc>\n")
    return file


def killed_at_random(
    modules: tuple[str, ...], command: tuple[str | Path, ...], graph: Path, first: tuple[str, ...] = ()
) -> tuple[int, set[str]]:
    """Run a command again and again on one graph, kill it at random, and start anew when it is done; each time check the graph.

    Return how often it was killed before its end, and the digests that were met.
    """
    chance = random.Random(2046)
    met: set[str] = set()
    killed = 0
    with forks(*modules) as forking:
        began = time.monotonic()
        forking.begin(*command, "-g", graph, *first)
        assert forking.end() == 0
        takes = time.monotonic() - began
        whole = sound_digest(graph)
        for _ in range(KILLS):
            if sound_digest(graph) == whole:
                for file in graph.parent.glob(f"{graph.name}*"):
                    if file.is_file():
                        file.unlink()
            pid = forking.begin(*command, "-g", graph)
            began = time.monotonic()
            if forking.ends_within(chance.uniform(0, takes)):
                takes = (takes + time.monotonic() - began) / 2
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            killed += forking.end() == -signal.SIGKILL
            met.add(sound_digest(graph))
        forking.begin(*command, "-g", graph)
        assert forking.end() == 0
    assert sound_digest(graph) == whole
    assert left_beside(graph) == []
    return killed, met


def test_loading_killed_at_random_points_is_finished_to_the_same_digest(claims: Path, tmp_path: Path) -> None:
    modules = (
        "kgqa.cli.load:BATCH=100",
        "graph.sources.jsonl",
        "graph.stores.sqlite.embedded_store",
        "graph.stores.sqlite.index.index_build",
        "importlib.resources",
    )
    killed, met = killed_at_random(modules, ("load", "jsonl", claims), tmp_path / "graph.kgqa")
    assert killed > KILLS / 3
    assert len(met) > 3
    assert met >= {digest_of(list(numbered(0, RECORDS)))}


def test_mining_killed_at_random_points_is_finished_to_the_same_digest(articles: Path, tmp_path: Path) -> None:
    modules = ("kgqa.cli.mine", "graph.mining.articles", "graph.mining.miner:load_pipeline", "graph.stores.sqlite.embedded_store")
    killed, met = killed_at_random(modules, ("mine", articles, "--workers", "1", "--resume"), tmp_path / "graph.kgqa")
    assert killed > KILLS / 5
    assert len(met) > 1


LOADING = """
import sys
sys.path[:0] = {folders!r}
if __name__ == "__main__":
    from test_load_faults import numbered
    from graph.stores.sqlite.bulk_insert import load_new
    import graph.stores.sqlite.bulk_insert as bulk
    bulk.BATCH = 500
    print("ready", flush=True)
    load_new(sys.argv[1], numbered(0, int(sys.argv[2])))
"""


def test_a_new_graph_that_is_killed_while_it_is_made_at_once_is_not_there_or_whole(tmp_path: Path) -> None:
    graph, count = tmp_path / "graph.kgqa", 4_000
    script = tmp_path / "loading.py"
    script.write_text(textwrap.dedent(LOADING.format(folders=[str(Path(__file__).parent), str(Path(__file__).parents[1])])))
    whole, chance, outcomes = digest_of(list(numbered(0, count))), random.Random(7), set()
    for kill in range(12):
        process = subprocess.Popen([sys.executable, script, graph, str(count)], stdout=subprocess.PIPE, start_new_session=True)
        assert process.stdout is not None
        process.stdout.readline()
        if kill:
            time.sleep(chance.uniform(0, 1.2))
            # The process that stores ends by itself once its parent is gone.
            process.kill()
        process.communicate()
        outcomes.add(sound_digest(graph))
        if graph.exists():
            graph.unlink()
    assert outcomes <= {"0" * 32, whole}
    assert whole in outcomes
    assert load_new(str(graph), numbered(0, count)).evidence == count
    assert sound_digest(graph) == whole
    assert left_beside(graph) == []


@pytest.mark.parametrize("batch", [1, 7, 1000, 10_000])
def test_a_graph_that_is_made_at_once_is_the_one_that_adding_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(bulk, "BATCH", batch)
    count = 60 if batch == 1 else 3000
    statements = [*numbered(0, count), *hostile_statements(), *numbered(count // 2, count)]
    # The same record without its text, with an earlier revision, and with another text.
    for one in list(
        numbered(
            0,
            count,
        )
    )[::5]:
        page = replace(one.evidence.source, revision="9")
        statements += [
            Statement(one.claim, replace(one.evidence, text=text, source=page)) for text in (None, "Another sentence.")
        ]
    graph = tmp_path / "graph.kgqa"
    taken: list[tuple[int, bool]] = []
    added = load_new(str(graph), iter(statements), lambda seen, sorting: taken.append((seen, sorting)))
    assert taken[-1] == (len(statements), True)
    with closing(open_store("memory:")) as oracle, closing(open_store(str(graph))) as store:
        oracle.add(statements)
        stats = store.stats()
        assert added == Added(stats.concepts, stats.claims, stats.evidence)
        assert replace(stats, url="") == replace(oracle.stats(), url="")
        assert list(store.statements()) == list(oracle.statements())
        assert list(store.edges()) == list(oracle.edges())
        assert list(store.search(["cause"], 99)) == list(oracle.search(["cause"], 99))
        assert list(store.search_evidence(["sentence", "7"], 99)) == list(oracle.search_evidence(["sentence", "7"], 99))
        assert list(store.check()) == []
    with closing(open_store(str(graph), write=True)) as store:
        assert store.add(statements) == Added()
    assert left_beside(graph) == []


def test_a_graph_can_be_made_at_once_of_nothing(tmp_path: Path) -> None:
    graph = tmp_path / "graph.kgqa"
    assert load_new(str(graph), []) == Added()
    assert sound_digest(graph) == "0" * 32


def test_a_failing_source_leaves_nothing_behind(tmp_path: Path) -> None:
    def broken() -> Iterator[Statement]:
        yield from numbered(0, 20_000)
        raise ValueError("broken off")

    graph = tmp_path / "graph.kgqa"
    with pytest.raises(ValueError, match="broken off"):
        load_new(str(graph), broken())
    with pytest.raises(ValueError, match="needs a cause"):
        load_new(str(graph), [*numbered(0, 9), Statement(Claim("", "x"), Evidence(Source("text")))])
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_stores_and_is_killed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    start = bulk._start

    def noted(process: bulk.BaseProcess) -> None:
        start(process)
        started.append(process.pid or 0)

    def killing() -> Iterator[Statement]:
        yield from numbered(0, 5)
        os.kill(started[0], signal.SIGKILL)
        yield from numbered(5, 30_000)

    monkeypatch.setattr(bulk, "_start", noted)
    with pytest.raises(StoreUnfinished, match="was killed"):
        load_new(str(tmp_path / "graph.kgqa"), killing())
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 200 kB, where one may be made."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only root may make a small file system, and not everywhere")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_leaves_a_sound_graph_that_can_be_finished_elsewhere(small_disk: Path, claims: Path, tmp_path: Path) -> None:
    graph = small_disk / "graph.kgqa"
    ended = kgqa("load", "jsonl", claims, "-g", graph)
    assert ended.code == 1
    assert ended.err == f"kgqa: no space left while writing '{graph}'; free some space and run the command again\n"
    reached = sound_digest(graph)
    assert reached != digest_of(list(numbered(0, RECORDS)))
    with pytest.raises(StoreFull):
        load_new(str(small_disk / "other.kgqa"), numbered(0, 50_000))
    assert "other" not in str(list(small_disk.iterdir()))
    moved = tmp_path / "moved.kgqa"
    if graph.exists():
        moved.write_bytes(graph.read_bytes())
    assert kgqa("load", "jsonl", claims, "-g", moved).code == 0
    assert sound_digest(moved) == digest_of(list(numbered(0, RECORDS)))


def test_a_limit_on_the_size_of_files_is_a_full_disk_to_a_graph_that_is_made_at_once(tmp_path: Path) -> None:
    graph = tmp_path / "graph.kgqa"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    try:
        with pytest.raises(StoreFull):
            load_new(str(graph), numbered(0, 50_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_is_refused_with_one_line(claims: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.kgqa"
    with closing(open_store(str(graph), create=True)):
        ended = kgqa("load", "jsonl", claims, "-g", graph)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == f"kgqa: '{graph}' is being written by another process; wait until it has finished\n"
    other = tmp_path / "other.kgqa"

    def beside() -> Iterator[Statement]:
        yield from numbered(0, 10)
        for attempt in (
            lambda: load_new(str(other), numbered(0, 9)),
            lambda: open_store(str(other), create=True),
        ):
            with pytest.raises(StoreLocked):
                attempt()
        ended = kgqa("load", "jsonl", claims, "-g", other)
        assert ended.err == f"kgqa: '{other}' is being written by another process; wait until it has finished\n"

    assert load_new(str(other), beside()).evidence == 10
    assert left_beside(other) == []


def test_a_graph_that_is_there_is_not_made_anew(tmp_path: Path) -> None:
    graph = tmp_path / "graph.kgqa"
    load_new(str(graph), numbered(0, 10))
    before = graph.read_bytes()
    with pytest.raises(StoreLocked):
        load_new(str(graph), numbered(10, 20))
    graph.chmod(0o444)
    with pytest.raises(StoreReadOnly):
        load_new(str(graph), numbered(10, 20))
    assert graph.read_bytes() == before
    assert left_beside(graph) == []


@pytest.mark.parametrize("at_once", [False, True])
def test_a_large_file_makes_the_graph_that_a_small_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claims: Path, at_once: bool
) -> None:
    from kgqa.cli import load, run

    monkeypatch.setattr(sys.modules["kgqa.cli.load"], "LARGE", 1 if at_once else 1 << 40)
    graph = tmp_path / "graph.kgqa"
    assert load is not None
    assert run(["load", "jsonl", str(claims), "-g", str(graph)]) == 0
    assert sound_digest(graph) == digest_of(list(numbered(0, RECORDS)))
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text(claims.read_text() + "{broken\n" + json.dumps({"cause": "a", "effect": "b"}) + "\n")
    other = tmp_path / "other.kgqa"
    assert run(["load", "jsonl", str(damaged), "-g", str(other)]) == 0
    with closing(open_store(str(other))) as store:
        assert store.effects("a")
    assert left_beside(graph) == left_beside(other) == []
