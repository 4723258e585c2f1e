"""Unfinished files of processes that were killed."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from graph.atomic_file import write_atomically


def test_the_unfinished_files_of_killed_processes_are_removed_and_no_others(tmp_path: Path) -> None:
    names = (".kgqa-old.part", ".kgqa-locked.part", ".kgqa-new.part", "other.part")
    for name in names:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, None if "new" in name else (0, 0))
    with (tmp_path / ".kgqa-locked.part").open() as locked:
        fcntl.flock(locked, fcntl.LOCK_EX)
        with write_atomically(tmp_path / "out") as file:
            file.write("text")

    assert {file.name for file in tmp_path.iterdir()} == {*names[1:], "out"}
