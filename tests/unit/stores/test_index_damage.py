"""Wherever a byte of the index is wrong, answers are those of the tables, and `kgqa check` finds it."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from indexed import assert_arrows, some_statements, true_arrows, written

from graph.errors import StoreDamaged
from graph.mapped_file import MappedFile, write_mapped_file
from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import Row
from graph.stores import open_store
from graph.stores.sqlite.embedded_store import EmbeddedStore, repair_store
from graph.stores.sqlite.index import index_build as building
from graph.stores.sqlite.index import lifecycle as keeping
from graph.stores.sqlite.index.mapped_topology import MappedTopology
from graph.stores.sqlite.sqlite_connection import connect_to_read

pytestmark = pytest.mark.slow

FLIPS = 100


@pytest.fixture(autouse=True)
def _every_graph_has_an_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(keeping, "FEWEST", 1)
    # Nobody who reads makes a new one.
    monkeypatch.setattr(keeping, "AT_ONCE", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(params=[1, building.LARGE], ids=["large", "small"])
def graph(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph with an index, which is made as for a large one or as for a small one."""
    monkeypatch.setattr(building, "LARGE", request.param)
    monkeypatch.setattr(building, "MANY_NAMES", request.param)
    return written(tmp_path / "graph.kgqa", some_statements(claims=300))


def files_of(graph: Path) -> list[Path]:
    return sorted(graph.with_name(f"{graph.name}-index").glob("generation-*/*"))


def flipped(file: Path, seed: int) -> Iterator[int]:
    """Yield places in a file, each while the byte there is wrong."""
    whole = file.read_bytes()
    chance = random.Random(seed)
    # The header, the checksums at the end, and whatever lies between.
    places = [*range(0, 160, 7), 4095, 4096, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(FLIPS))]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        yield place
    file.write_bytes(whole)


def test_a_flipped_byte_changes_no_answer_and_is_found(graph: Path) -> None:
    assert files_of(graph)
    with closing(open_store(str(graph))) as store:
        true = true_arrows(store)
    for seed, file in enumerate(files_of(graph)):
        for place in flipped(file, seed):
            with closing(EmbeddedStore.to_read(str(graph))) as store:
                assert_arrows(store.topology(), true)
            with closing(connect_to_read(str(graph))) as connection:
                index = keeping.GraphIndex(str(graph), graph, lambda: nullcontext(connection))
                assert list(index.problems(connection)), f"{file.name} at {place}"
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []


def test_every_wrong_byte_of_a_small_file_is_found(graph: Path) -> None:
    pointer = graph.with_name(f"{graph.name}-index") / "current"
    whole = pointer.read_bytes()
    for place in range(len(whole)):
        pointer.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with closing(open_store(str(graph))) as store:
            assert_arrows(store.topology(), true_arrows(store))


@pytest.mark.parametrize("what", ["arrows", "names", "both", "words"])
def test_where_all_blocks_are_wrong_the_tables_answer(graph: Path, what: str) -> None:
    for file in files_of(graph):
        if what in (file.name, "both"):
            whole = file.read_bytes()
            file.write_bytes(whole[:4096] + bytes(byte ^ 0xFF for byte in whole[4096:]))
    with closing(open_store(str(graph))) as store:
        assert_arrows(store.topology(), true_arrows(store))
        assert "storm 1" in store.similar("strom 1")


def test_a_block_is_compared_before_anything_is_read_from_it(graph: Path) -> None:
    (file,) = [file for file in files_of(graph) if file.name == "arrows"]
    file.write_bytes(file.read_bytes()[:4096] + bytes(file.stat().st_size - 4096))
    with closing(open_store(str(graph))) as store:
        # Not even the size of such a graph is known.
        assert not isinstance(store.topology(), MappedTopology)


def test_what_came_since_is_numbered_after_all_others(graph: Path) -> None:
    with closing(open_store(str(graph))) as reader:
        topology = reader.topology()
        assert isinstance(topology, MappedTopology)
        cause = next(edge.claim.cause for edge in reader.edges() if edge.claim.cause.startswith("storm"))
        known = topology.number(cause)
        assert known is not None
        for file in files_of(graph):
            if file.name == "arrows":
                damage_rows(file)
        new = Statement(Claim(cause, "something new"), Evidence(Source("wikipedia", page_id="1")))
        with closing(open_store(str(graph), write=True)) as writer:
            writer.add([new])
            row: Row = topology.outgoing(known)
            ends = [topology.name(end) for end in row.ends]
            assert ends == [edge.effect for edge in reader.effects(cause)]
            later = topology.number("something new")
            assert later is not None
            assert [topology.name(end) for end in topology.incoming(later).ends] == [cause]
            assert topology.degree(later) == 1


def damage_rows(file: Path) -> None:
    """Damage the rows of a mapped file in place, behind the first two blocks."""
    with file.open("r+b") as opened:
        opened.seek(2 * 4096)
        opened.write(b"\xff" * (file.stat().st_size - 3 * 4096))


def test_names_that_are_lost_while_the_graph_goes_on_are_an_error(graph: Path) -> None:
    with closing(open_store(str(graph))) as reader:
        topology = reader.topology()
        (file,) = [file for file in files_of(graph) if file.name == "names"]
        with file.open("r+b") as opened:
            opened.seek(4096)
            opened.write(b"\xfe" * (file.stat().st_size - 4096))
        with closing(open_store(str(graph), write=True)) as writer:
            writer.add([Statement(Claim("storm 1", "something new"), Evidence(Source("wikipedia", page_id="1")))])
            with pytest.raises(StoreDamaged, match="its index"):
                topology.name(0)


def test_mending_makes_the_index_anew(graph: Path) -> None:
    for file in files_of(graph):
        file.write_bytes(file.read_bytes()[:-3] + b"abc")
    repair_store(str(graph))
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []
        assert isinstance(store.topology(), MappedTopology)


@pytest.mark.parametrize("name", ["", "current", "lock"])
def test_what_stands_in_the_way_of_an_index_is_told(graph: Path, name: str) -> None:
    folder = graph.with_name(f"{graph.name}-index")
    if name:
        (folder / name).unlink(missing_ok=True)
        (folder / name).mkdir()
    else:
        shutil.rmtree(folder)
        folder.write_text("no index")
    why = f"'{folder / name}' is a folder" if name else f"'{folder}' is no folder"
    with closing(open_store(str(graph))) as store:
        problems = list(store.check())
    assert problems == [f"no index can be made: {why}; remove it, and then `kgqa check --mend` makes one"]
    if name:
        (folder / name).rmdir()
    else:
        folder.unlink()
    repair_store(str(graph))
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []
        assert isinstance(store.topology(), MappedTopology)


def test_an_index_that_was_made_of_something_else_is_found(graph: Path, tmp_path: Path) -> None:
    """Sound checksums do not make an index true."""
    other = written(tmp_path / "other.kgqa", some_statements(seed=3, claims=300))
    ours, theirs = files_of(graph)[0], files_of(other)[0]
    assert ours.name == theirs.name == "arrows"
    fit, their_fit = (file.read_bytes()[16:48] for file in (ours, theirs))
    mapped = MappedFile(theirs, their_fit)
    names = ("shape", "starts", "beliefs", "senses", "out", "in")
    sections = {name: (bytes(mapped.bytes[slice(*mapped.section(name))]),) for name in names}
    write_mapped_file(ours, fit, sections)
    with closing(open_store(str(graph))) as store:
        assert [problem for problem in store.check() if "is not what the graph makes" in problem]
