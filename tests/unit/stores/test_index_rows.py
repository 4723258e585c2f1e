"""What the index tells of a graph is what its tables tell."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from indexed import assert_arrows, some_statements, true_arrows, written

from graph.mapped_file import BlockDamaged, MappedFile, Unfit, write_mapped_file
from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from graph.stores.sqlite.index import index_build as building
from graph.stores.sqlite.index import lifecycle as keeping
from graph.stores.sqlite.index.mapped_topology import MappedTopology
from graph.stores.sqlite.index.name_table import CompressedNameTable, name_sections

FIT = b"0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def _every_graph_has_an_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(keeping, "FEWEST", 1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_index_has_the_arrows_of_the_tables(tmp_path: Path, seed: int) -> None:
    path = written(tmp_path / "graph.kgqa", some_statements(seed))
    with closing(open_store(str(path))) as store:
        topology = store.topology()
        assert isinstance(topology, MappedTopology)
        assert_arrows(topology, true_arrows(store))


@pytest.mark.parametrize("large", [1, building.LARGE])
def test_the_index_of_a_large_graph_has_words_and_the_arrows_of_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    monkeypatch.setattr(building, "LARGE", large)
    monkeypatch.setattr(building, "MANY_NAMES", large)
    path = written(tmp_path / "graph.kgqa", some_statements())
    (generation,) = (tmp_path / "graph.kgqa-index").glob("generation-*")
    assert (generation / "words").exists() == (large == 1)
    with closing(open_store(str(path))) as store:
        assert_arrows(store.topology(), true_arrows(store))
        assert list(store.check()) == []


def test_a_long_row_comes_whole_and_most_believed_first(tmp_path: Path) -> None:
    records = [Evidence(Source("wikipedia", page_id=str(number)), rule="r") for number in range(7)]
    claims = [Claim("hub", f"effect {number:04}") for number in range(3_000)]
    statements = [Statement(claim, record) for place, claim in enumerate(claims) for record in records[: 1 + place % 7]]
    path = written(tmp_path / "graph.kgqa", statements)
    with closing(open_store(str(path))) as store:
        topology = store.topology()
        hub = topology.number("hub")
        assert hub is not None
        row = topology.outgoing(hub)
        assert list(row.beliefs) == sorted(row.beliefs, reverse=True)
        assert [topology.name(end) for end in row.ends] == [edge.effect for edge in store.effects("hub")]
        assert topology.degree(hub) == len(claims)


def test_a_graph_without_claims_has_an_index_that_knows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FEWEST", 0)
    path = written(tmp_path / "graph.kgqa", [])
    with closing(open_store(str(path))) as store:
        topology = store.topology()
        assert isinstance(topology, MappedTopology)
        assert topology.number("rain") is None
        assert list(store.check()) == []


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 200])
def test_every_name_is_found_by_its_number_and_back(tmp_path: Path, count: int) -> None:
    names = sorted({f"name {number} \U0001f300" for number in range(count)})
    write_mapped_file(tmp_path / "names", FIT, name_sections(name.encode() for name in names))
    table = CompressedNameTable(MappedFile(tmp_path / "names", FIT), count)
    assert [table.name(number) for number in range(count)] == names
    assert [table.number(name) for name in names] == list(range(count))
    assert table.number("name") is None
    assert table.number("zzz") is None


def test_a_file_that_fits_something_else_is_not_opened(tmp_path: Path) -> None:
    write_mapped_file(tmp_path / "file", FIT, {"part": (b"content",)})
    with pytest.raises(Unfit):
        MappedFile(tmp_path / "file", FIT[::-1])
    with pytest.raises(Unfit):
        MappedFile(tmp_path / "absent", FIT)


@pytest.mark.parametrize("length", [0, 1, 4096, 4097, 5000])
def test_a_file_that_is_cut_off_is_not_opened(tmp_path: Path, length: int) -> None:
    write_mapped_file(tmp_path / "file", FIT, {"part": (bytes(9_000),)})
    (tmp_path / "file").write_bytes((tmp_path / "file").read_bytes()[:length])
    with pytest.raises(Unfit):
        MappedFile(tmp_path / "file", FIT)


def test_pieces_of_any_size_make_one_section(tmp_path: Path) -> None:
    pieces = [bytes([size % 251]) * size for size in (1, 4095, 4096, 4097, 0, 3, 20_000)]
    write_mapped_file(tmp_path / "file", FIT, {"one": pieces, "none": (), "two": (b"end",)})
    file = MappedFile(tmp_path / "file", FIT)
    start, end = file.section("one")
    file.verify(start, end)
    assert bytes(file.bytes[start:end]) == b"".join(pieces)
    assert file.section("none")[0] == file.section("none")[1]
    assert file.holds({"one": (b"".join(pieces),), "none": (), "two": (b"end",)})
    assert not file.holds({"one": pieces, "none": (), "two": (b"enf",)})
    assert not file.holds({"one": pieces, "two": (b"end",)})
    with pytest.raises(BlockDamaged):
        file.section("three")
