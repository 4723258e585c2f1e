"""Whether the index beside a graph is whole, undamaged and what the claims of the graph give."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from graph.mapped_file import HeaderDamaged, MappedFile, Unfit
from graph.stores.sqlite.index.index_build import Unindexable, index_contents
from graph.stores.sqlite.index.index_folder import ARROWS, HASHES, NAMES, WORDS, Generations

_MEND = "what is wrong is asked of the tables until it is made anew by `kgqa check --mend`"


def index_problems(connection: sqlite3.Connection, places: Iterable[Generations], fingerprint: bytes) -> Iterator[str]:
    """Yield what is wrong with the index in the first of the places that has one, a sentence each.

    An index of an earlier state of the graph, or of another version of the package, is not used, which is no problem.
    """
    for generations in places:
        generation = generations.current()
        if generations.is_damaged():
            yield f"the pointer of the index in '{generations.folder}' is damaged; {_MEND}"
        if generation is not None:
            files: dict[str, MappedFile] = {}
            damage = list(_find_damage(generation, fingerprint, files))
            yield from damage or _find_differences(connection, generation, files)
            if files:
                return


def _find_damage(generation: Path, fingerprint: bytes, files: dict[str, MappedFile]) -> Iterator[str]:
    """Yield what is damaged in the files of a generation; put those that can be read and fit into `files`."""
    for name in (ARROWS, NAMES, WORDS, HASHES):
        path = generation / name
        try:
            files[name] = MappedFile(path, fingerprint)
        except HeaderDamaged as error:
            yield f"the file '{path}' of the index is damaged: {error}; {_MEND}"
        except Unfit:
            # Small graphs have no words.
            if name != WORDS and not os.access(path, os.F_OK):
                yield f"the file '{path}' of the index is missing; {_MEND}"
        else:
            blocks = files[name].damaged_blocks()
            if blocks:
                yield f"the file '{path}' of the index is damaged in {blocks} of its blocks; {_MEND}"


def _find_differences(connection: sqlite3.Connection, generation: Path, files: dict[str, MappedFile]) -> Iterator[str]:
    if not files:
        return
    try:
        for name, sections in index_contents(connection):
            if name not in files or not files[name].holds(sections):
                yield f"the file '{generation / name}' of the index is not what the graph makes; {_MEND}"
    except Unindexable as error:
        yield f"the index in '{generation}' is there, but none can be made of the graph: {error}; {_MEND}"
