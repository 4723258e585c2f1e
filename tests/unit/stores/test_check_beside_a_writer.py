"""A graph is checked as it was when the check began, whatever is written meanwhile."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from graph.stores.sqlite import integrity as checking


def stated(number: int) -> Statement:
    return Statement(Claim(f"storm {number}", "flood"), Evidence(Source("text", page_id=str(number)), text=f"Storm {number}."))


def test_what_is_written_during_a_check_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, written = str(tmp_path / "graph.kgqa"), []
    with closing(open_store(path, create=True)) as store:
        store.add(map(stated, range(5)))
    with closing(open_store(path, write=True)) as writer, closing(open_store(path)) as reader:
        mark = checking.evidence_mark

        def marked_while_written(identity: str, evidence: Evidence) -> int:
            if not written:
                written.append(writer.add([stated(99)]))
            return mark(identity, evidence)

        monkeypatch.setattr(checking, "evidence_mark", marked_while_written)
        assert list(reader.check()) == []
        assert [added.claims for added in written] == [1]
        assert reader.digest() == writer.digest()
