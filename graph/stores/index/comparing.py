"""Whether an index is what its graph makes: every byte of it, compared with what would be written now."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from graph.stores.index.building import Unindexable, index_contents
from graph.stores.index.generations import ARROWS, NAMES, WORDS, Generations, file_exists
from graph.stores.index.mapped import HeaderDamaged, MappedFile, Unfit

REPAIR_REMEDY = "what is wrong is asked of the tables until it is made anew by `kgqa check --mend`"


def index_problems(connection: sqlite3.Connection, places: Iterable[Generations], fit: bytes) -> Iterator[str]:
    """Yield what is wrong with the index in the first of the places that has one, a sentence each.

    One that is of an earlier state of the graph, or of another version of the package, is not used, which is no problem.
    """
    for generations in places:
        generation = generations.current()
        if generations.is_damaged():
            yield f"the pointer of the index in '{generations.folder}' is damaged; {REPAIR_REMEDY}"
        if generation is not None:
            files: dict[str, MappedFile] = {}
            damage = list(_find_damage(generation, fit, files))
            yield from damage or _find_differences(connection, generation, files)
            if files:
                return


def _find_damage(generation: Path, fit: bytes, files: dict[str, MappedFile]) -> Iterator[str]:
    """Yield what is damaged in the files of a generation; put those that can be read and fit into `files`."""
    for name in (ARROWS, NAMES, WORDS):
        try:
            files[name] = MappedFile(generation / name, fit)
        except HeaderDamaged as error:
            yield f"the file '{generation / name}' of the index is damaged: {error}; {REPAIR_REMEDY}"
        except Unfit:
            # Small graphs have no words.
            if name != WORDS and not file_exists(generation / name):
                yield f"the file '{generation / name}' of the index is missing; {REPAIR_REMEDY}"
        else:
            blocks = files[name].damaged_blocks()
            if blocks:
                yield f"the file '{generation / name}' of the index is damaged in {blocks} of its blocks; {REPAIR_REMEDY}"


def _find_differences(connection: sqlite3.Connection, generation: Path, files: dict[str, MappedFile]) -> Iterator[str]:
    if not files:
        return
    try:
        for name, sections in index_contents(connection):
            if name not in files or not files[name].holds(sections):
                yield f"the file '{generation / name}' of the index is not what the graph makes; {REPAIR_REMEDY}"
    except Unindexable as error:
        yield f"the index in '{generation}' is there, but none can be made of the graph: {error}; {REPAIR_REMEDY}"
