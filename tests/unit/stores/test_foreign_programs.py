"""Stores that hold a query of somebody else in the place of a table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graph.errors import StoreDamaged
from graph.stores import open_store


@pytest.mark.parametrize(
    ("statements", "what"),
    [
        ("ALTER TABLE claim RENAME TO c; CREATE VIEW claim AS SELECT * FROM c", "a view 'claim'"),
        ("DROP VIEW record; CREATE VIEW record AS SELECT *, 'made up' AS text FROM evidence", "a view 'record'"),
        ("CREATE TRIGGER t AFTER INSERT ON claim BEGIN DELETE FROM claim; END", "a trigger 't'"),
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_a_store_with_a_view_or_trigger_of_its_own_is_refused(tmp_path: Path, statements: str, what: str, write: bool) -> None:
    path = str(tmp_path / "made.kgqa")
    open_store(path, create=True).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA legacy_alter_table = ON")
        connection.executescript(statements)

    with pytest.raises(StoreDamaged, match=f"{what}, which kgqa did not make"):
        open_store(path, write=write)
