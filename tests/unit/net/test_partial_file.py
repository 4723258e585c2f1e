"""Two processes at the part of one file: neither harms what the other has."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from graph.errors import FetchBusy, OutputUnwritable
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


def test_a_symbolic_link_in_the_place_of_a_part_or_its_note_is_not_written_through(tmp_path: Path) -> None:
    target, other = tmp_path / "graph.bz2", tmp_path / "other"
    other.write_text("precious")
    part, note = target.with_name("graph.bz2.part"), target.with_name("graph.bz2.part.json")
    part.symlink_to(other)
    with pytest.raises(OutputUnwritable, match="symbolic link"), PartialFile(target):
        raise AssertionError("it is not to be had")
    part.unlink()
    note.symlink_to(other)
    with PartialFile(target) as file:
        file.restart("http://a", "1", None)

    assert other.read_text() == "precious"
