"""Unfinished files of processes that were killed."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.atomic_file import write_atomically
from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from graph.stores.neo4j.csv_export import export_csv
from graph.unfinished_files import remove_leftovers, unfinished_file, unfinished_folder
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_splitting import PassagePage

KILLED = """
import os, signal, sys
from pathlib import Path
from graph.unfinished_files import unfinished_file, unfinished_folder
with unfinished_file(Path(sys.argv[1])), unfinished_folder(Path(sys.argv[1])) as folder:
    (folder / "inner").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed_in(folder: Path) -> str:
    """Kill a process that writes a file and a folder into `folder`; return its id."""
    with subprocess.Popen([sys.executable, "-c", KILLED, str(folder)]) as process:
        process.wait()
    assert len(list(folder.glob(f".kgqa-{process.pid}-*.part"))) == 2
    return str(process.pid)


def write_text(folder: Path) -> None:
    with write_atomically(folder / "out") as file:
        file.write("text")


def write_passages(folder: Path) -> None:
    build_passage_index(folder / "out", [PassagePage("Rain", "1", "", ("Rain causes floods.",))])


def write_csv(folder: Path) -> None:
    with open_store("memory:", write=True) as store:
        store.add([Statement(Claim("rain", "flood"), Evidence(Source("text")))])
        export_csv(store, folder / "out")


@pytest.mark.parametrize("write", [write_text, write_passages, write_csv])
def test_the_next_command_removes_what_a_killed_process_left(tmp_path: Path, write: Callable[[Path], None]) -> None:
    killed_in(tmp_path)
    write(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_files_of_living_processes_and_other_containers_and_of_others_stay(tmp_path: Path) -> None:
    dead = killed_in(tmp_path)
    remove_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == []
    kept = [f".kgqa-{process}-a.part" for process in (os.getpid(), os.getppid(), dead)] + [".kgqa-old.part", "x.part"]
    for name in kept:
        (tmp_path / name).touch()
    (tmp_path / f".kgqa-{dead}-link.part").symlink_to(tmp_path / "x.part")
    with (tmp_path / kept[2]).open() as locked:
        fcntl.flock(locked, fcntl.LOCK_EX)
        remove_leftovers(tmp_path)
    assert {entry.name for entry in tmp_path.iterdir()} == {*kept, f".kgqa-{dead}-link.part"}


def test_nothing_is_left_of_what_nobody_renames(tmp_path: Path) -> None:
    with unfinished_file(tmp_path), unfinished_folder(tmp_path) as folder:
        (folder / "inner").touch()
    assert list(tmp_path.iterdir()) == []
