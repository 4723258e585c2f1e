"""Stores that an earlier version wrote: they open to be read as they are, and become ones of today when they are written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from graph.belief import belief
from graph.model import Claim, Evidence, Ground, Source, Stance, Statement
from graph.stores import open_store

SMOKING = Claim("smoking", "lung cancer")
SENTENCE = "Smoking causes lung cancer in adults who began before they were twenty."


def statements() -> list[Statement]:
    said = [Evidence(Source("wikipedia", page_id=page), rule="cause.active", text=SENTENCE, start=7, end=77) for page in "12"]
    denied = Evidence(Source("wikipedia", page_id="3"), Stance.NEGATED, rule="cause.active", start=0, end=9)
    return [Statement(SMOKING, record) for record in (*said, denied)] + [Statement(Claim("rain", "flood"), said[0])]


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A store as the first version left it: without the columns and the table that came later, and counting by pages."""
    path = tmp_path / "first.kgqa"
    with closing(open_store(str(path), create=True)) as store:
        store.add(statements())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA legacy_alter_table = ON")
        for table, later in (
            ("claim", ("ground INTEGER REFERENCES ground (id),",)),
            ("evidence", ("context TEXT,", "sketch BLOB,")),
        ):
            (sql,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
            for column in later:
                assert column in sql
                sql = sql.replace(column, "")
            kept = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")][: -len(later)]
            columns = ", ".join(f'"{name}"' for name in kept)
            connection.execute(f"ALTER TABLE {table} RENAME TO later")
            connection.execute(sql)
            connection.execute(f"INSERT INTO {table} SELECT {columns} FROM later")
            connection.execute("DROP TABLE later")
        connection.execute("DROP TABLE ground")
        connection.execute("CREATE INDEX claim_effect ON claim (effect)")
        connection.execute("UPDATE claim SET asserted = 2 WHERE negated = 1")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    return path


def test_a_store_of_the_first_version_is_read_as_it_is(first: Path) -> None:
    content = first.read_bytes()
    with closing(open_store(str(first))) as store:
        assert sorted(map(repr, store.statements())) == sorted(map(repr, statements()))
        (edge,) = store.causes("lung cancer")
        assert (edge.support, edge.against) == (2, 1)
        assert edge.belief == belief([Ground(Stance.ASSERTED, (("", ""),), 2), Ground(Stance.NEGATED, (("", ""),), 1)])
        assert store.stats().version == "1"
        assert list(store.check()) == []
    assert first.read_bytes() == content


def test_a_store_of_the_first_version_that_may_not_be_written_is_read(first: Path) -> None:
    first.chmod(0o444)
    with closing(open_store(str(first))) as store:
        assert [edge.effect for edge in store.effects("rain")] == ["flood"]


def test_a_store_of_the_first_version_is_brought_up_when_it_is_written(first: Path) -> None:
    with closing(open_store(str(first))) as store:
        digest = store.digest()
    with closing(open_store(str(first), write=True)) as store:
        assert store.digest() == digest
        (edge,) = store.causes("lung cancer")
        assert (edge.support, edge.against) == (1, 1)
        assert [ground.readings for ground in edge.grounds] == [(("wikipedia", "cause.active"),)] * 2
        context = (("population", "in adults"),)
        store.add([Statement(SMOKING, replace(statements()[0].evidence, source=Source("text", page_id="9"), context=context))])
        assert context in [record.context for record in store.evidence(SMOKING)]
        assert list(store.check()) == []
    with closing(open_store(str(first))) as store:
        assert store.stats().version == "2"


def test_a_killed_upgrade_leaves_the_store_as_it_was(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("the disk is gone")

    monkeypatch.setattr("graph.stores.versions.recount_all", fails)
    with pytest.raises(Exception, match="the disk is gone"):
        open_store(str(first), write=True)
    monkeypatch.undo()
    with closing(open_store(str(first))) as store:
        assert store.stats().version == "1"
        assert store.stats().evidence == 4
