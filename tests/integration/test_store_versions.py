"""Stores that an earlier version wrote: they open to be read as they are, and become ones of today when they are written."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from earlier_stores import turn_back
from hostile import hostile_aliases, hostile_statements

from graph.belief.belief import belief
from graph.model import Claim, Evidence, Ground, Source, Stance, Statement
from graph.stores import open_store

CURRENT = "3"
SMOKING = Claim("smoking", "lung cancer")
SENTENCE = "Smoking causes lung cancer in adults who began before they were twenty."


def statements() -> list[Statement]:
    pages = [Source("wikipedia", f"Page about tobacco {page}", page) for page in "12"]
    said = [Evidence(page, rule="cause.active", text=SENTENCE, start=7, end=77) for page in pages]
    denied = Evidence(Source("wikipedia", page_id="3"), Stance.NEGATED, rule="cause.active", start=0, end=9)
    return [Statement(SMOKING, record) for record in (*said, denied)] + [Statement(Claim("rain", "flood"), said[0])]


def made(path: Path, version: int) -> Path:
    with closing(open_store(str(path), create=True)) as store:
        store.add(statements(), progress=("mine", 7))
    turn_back(path, version)
    return path


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A store of the first version, which counted groups by pages alone."""
    path = made(tmp_path / "first.kgqa", 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE claim SET asserted = 2 WHERE negated = 1")
        connection.commit()
    return path


@pytest.fixture(params=[1, 2])
def earlier(request: pytest.FixtureRequest, tmp_path: Path, first: Path) -> tuple[Path, int]:
    """A store of each earlier version."""
    return (first, 1) if request.param == 1 else (made(tmp_path / "second.kgqa", 2), 2)


def test_an_earlier_store_is_read_as_it_is(earlier: tuple[Path, int]) -> None:
    path, version = earlier
    content = path.read_bytes()
    with closing(open_store(str(path))) as store:
        assert sorted(map(repr, store.statements())) == sorted(map(repr, statements()))
        assert [edge.claim for edge in store.edges()] == [Claim("rain", "flood"), SMOKING]
        assert [edge.sense for edge in store.edges()] == [0, 0]
        assert store.edge(SMOKING) == store.causes("lung cancer")[0]
        assert list(store.search_evidence(["smoking"])) == []
        assert store.stats().version == str(version)
        assert store.stats().sentences == 3
        assert store.progress("mine") == 7
        assert list(store.check()) == []
    assert path.read_bytes() == content


def test_beliefs_of_the_first_version_rest_on_the_numbers_of_groups(first: Path) -> None:
    with closing(open_store(str(first))) as store:
        (edge,) = store.causes("lung cancer")
        assert (edge.support, edge.against) == (2, 1)
        assert edge.belief == belief([Ground(Stance.ASSERTED, (("", ""),), 2), Ground(Stance.NEGATED, (("", ""),), 1)])


def test_an_earlier_store_that_may_not_be_written_is_read(earlier: tuple[Path, int]) -> None:
    path, _ = earlier
    path.chmod(0o444)
    with closing(open_store(str(path))) as store:
        assert [edge.effect for edge in store.effects("rain")] == ["flood"]


def test_an_earlier_store_is_brought_up_when_it_is_written(earlier: tuple[Path, int]) -> None:
    path, _ = earlier
    with closing(open_store(str(path))) as store:
        digest = store.digest()
    with closing(open_store(str(path), write=True)) as store, closing(open_store("memory:")) as fresh:
        fresh.add(statements())
        assert store.digest() == digest == fresh.digest()
        assert list(store.statements()) == list(fresh.statements())
        assert list(store.edges()) == list(fresh.edges())
        assert list(store.search_evidence(["adult"])) == list(fresh.search_evidence(["adult"])) != []
        (edge,) = store.causes("lung cancer")
        assert (edge.support, edge.against) == (1, 1)
        assert [ground.readings for ground in edge.grounds] == [(("wikipedia", "cause.active"),)] * 2
        assert edge.sense
        context = (("population", "in adults"),)
        store.add([Statement(SMOKING, replace(statements()[0].evidence, source=Source("text", page_id="9"), context=context))])
        assert context in [record.context for record in store.evidence(SMOKING)]
        assert list(store.check()) == []
    with closing(open_store(str(path))) as store:
        assert store.stats().version == CURRENT
        assert store.stats().sentences == 4
        assert store.progress("mine") == 7


@pytest.mark.parametrize("version", [1, 2])
def test_hostile_texts_of_an_earlier_store_are_kept(tmp_path: Path, version: int) -> None:
    path = tmp_path / "hostile.kgqa"
    kept = hostile_statements()
    if version == 1:
        kept = [replace(one, evidence=replace(one.evidence, context=(), sketch="")) for one in kept]
    with closing(open_store(str(path), create=True)) as store:
        store.add(kept, hostile_aliases())
        digest, in_order = store.digest(), list(store.statements())
    turn_back(path, version)
    for write in (False, True):
        with closing(open_store(str(path), write=write)) as store:
            assert store.digest() == digest
            assert list(store.statements()) == in_order
            assert list(store.check()) == []


def test_many_sentences_are_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.stores.sqlite.schema._MOVED_AT_ONCE", 7)
    path = tmp_path / "many.kgqa"
    with closing(open_store(str(path), create=True)) as store:
        store.add(
            Statement(Claim(f"cause {place % 11}", f"effect {place % 3}"), Evidence(Source("text", url=str(place)), text=text))
            for place, text in enumerate(f"Sentence {number % 20}." for number in range(100))
        )
        in_order, found = list(store.statements()), list(store.search_evidence(["7"]))
    turn_back(path, 2)
    with closing(open_store(str(path), write=True)) as store:
        assert list(store.statements()) == in_order
        assert list(store.search_evidence(["7"])) == found
        assert list(store.check()) == []


def test_a_killed_upgrade_leaves_the_store_as_it_was(earlier: tuple[Path, int], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("the disk is gone")

    path, version = earlier
    monkeypatch.setattr("graph.stores.sqlite.claim_rows.recount_all", fails)
    with pytest.raises(Exception, match="the disk is gone"):
        open_store(str(path), write=True)
    monkeypatch.undo()
    with closing(open_store(str(path))) as store:
        assert store.stats().version == str(version)
        assert store.stats().evidence == 4


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "later.kgqa", 2)
    later = shutil.copy(path, tmp_path / "other.kgqa")
    with closing(sqlite3.connect(later)) as connection:
        connection.execute(f"PRAGMA user_version = {int(CURRENT) + 1}")
    with pytest.raises(Exception, match=f"store version {int(CURRENT) + 1}"):
        open_store(str(later))
