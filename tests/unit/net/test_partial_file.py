"""Two processes at the part of one file: neither harms what the other has."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from graph.errors import FetchBusy
from graph.net.partial_file import PartialFile


def test_a_file_that_is_finished_while_its_part_is_opened_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, locked = tmp_path / "graph.bz2", fcntl.flock

    def finished_meanwhile(descriptor: int, operation: int) -> None:
        (tmp_path / "graph.bz2.part").replace(target)
        locked(descriptor, operation)

    (tmp_path / "graph.bz2.part").write_bytes(b"all of it")
    monkeypatch.setattr(fcntl, "flock", finished_meanwhile)
    with pytest.raises(FetchBusy), PartialFile(target):
        raise AssertionError("it is not to be had")
    assert target.read_bytes() == b"all of it"


def test_a_part_without_bytes_goes_while_nobody_else_can_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, removed, refused = tmp_path / "graph.bz2", Path.unlink, []

    def tried_meanwhile(path: Path, missing_ok: bool = False) -> None:
        if not refused:
            refused.append(path)
            with pytest.raises(FetchBusy), PartialFile(target):
                raise AssertionError("it is not to be had")
        removed(path, missing_ok=missing_ok)

    with PartialFile(target):
        monkeypatch.setattr(Path, "unlink", tried_meanwhile)
    assert refused == [tmp_path / "graph.bz2.part"]
    assert list(tmp_path.iterdir()) == []
