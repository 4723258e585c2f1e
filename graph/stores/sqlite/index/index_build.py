"""Making an index out of the truth.

Whether an index is what its graph makes: every byte of it, compared with what would be written now.
"""

from __future__ import annotations

import sqlite3
import struct
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

from graph.mapped_file import HeaderDamaged, MappedFile, Sections, Unfit
from graph.stores.sqlite.index import row_packing as packing
from graph.stores.sqlite.index.edge_rows import SHAPE
from graph.stores.sqlite.index.index_folder import ARROWS, NAMES, WORDS, Generations, file_exists
from graph.stores.sqlite.index.mapped_topology import names_by_number
from graph.stores.sqlite.index.name_table import name_sections, plain_name_sections
from graph.stores.sqlite.index.row_packing import ClaimColumns, RowColumn, read_claims
from graph.stores.sqlite.index.spelling_index import word_sections

LARGE = 2_000_000
"""So many claims make a graph large: its beliefs and senses stand in tables where there are few, to save room."""
MANY_NAMES = 1_000_000
"""Fewer names stand as they are, and those that are nearly spelt like another are found by looking at all of them."""
_MOST_GAPS = 1_000
WORTH_NUMPY = 300_000
"""More claims are sorted with numpy; so many or fewer, as who asks may have to wait for, without it."""


class Unindexable(Exception):
    """A graph that no index can be made of, because it is damaged."""


def index_contents(connection: sqlite3.Connection) -> Iterator[tuple[str, Sections]]:
    """Yield the names of the files of an index, each with its sections, which are to be read before the next one is asked for.

    Raises `Unindexable` or `sqlite3.Error`.
    """
    try:
        yield from _unchecked_contents(connection)
    except (IndexError, ValueError, OverflowError, TypeError, struct.error) as error:
        raise Unindexable(str(error)) from error


def _unchecked_contents(connection: sqlite3.Connection) -> Iterator[tuple[str, Sections]]:
    numbers = _ConceptNumbers(connection)
    sections = name_sections if numbers.many else plain_name_sections
    yield NAMES, sections(numbers.numbered_names(connection))
    if numbers.words:
        yield WORDS, word_sections(numbers.words)
        numbers.words.clear()
    claims = read_claims(connection, numbers.by_id)
    if claims and max(max(claims.causes), max(claims.effects)) >= numbers.concepts:
        raise Unindexable("a claim names a concept that is not there")
    yield ARROWS, _arrow_sections(claims, numbers.concepts)


def _arrow_sections(claims: ClaimColumns, concepts: int) -> Sections:
    maker = packing
    if len(claims) > WORTH_NUMPY:
        from graph.stores.sqlite.index import row_packing_numpy as maker  # type: ignore[no-redef]
    large = len(claims) >= LARGE
    belief, sense = RowColumn(claims.beliefs, tabled=large), RowColumn(claims.senses, tabled=large)
    return {
        "shape": (SHAPE.pack(concepts, len(claims), belief.format.encode(), sense.format.encode()),),
        "starts": (memoryview(maker.starts(claims, concepts)).cast("B"),),
        "beliefs": () if belief.table is None else (memoryview(belief.table).cast("B"),),
        "senses": () if sense.table is None else (memoryview(sense.table).cast("B"),),
        "out": maker.rows(claims, belief, sense, forward=True),
        "in": maker.rows(claims, belief, sense, forward=False),
    }


class _ConceptNumbers:
    """The numbers of the concepts by their ids, known once all names were read; with them their words where names are many."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM concept").fetchone()
        (self.concepts,) = connection.execute("SELECT count(*) FROM concept").fetchone()
        if last > 2 * self.concepts + _MOST_GAPS:
            raise Unindexable("the ids of its concepts are far apart")
        self.by_id = array("I", b"\xff\xff\xff\xff" * (last + 1))
        self.words: set[bytes] = set()
        self.many = self.concepts >= MANY_NAMES

    def numbered_names(self, connection: sqlite3.Connection) -> Iterator[bytes]:
        """Iterate over the names in the order of their numbers."""
        by_id, words, many = self.by_id, self.words, self.many
        for number, (name, concept) in enumerate(names_by_number(connection)):
            by_id[concept] = number
            if many:
                words.update(name.split(b" "))
            yield name
        words.discard(b"")


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
