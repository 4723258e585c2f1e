"""Building an index from the tables of its graph, and comparing an index with what would be built now."""

from __future__ import annotations

import os
import sqlite3
import struct
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

from graph.mapped_file import HeaderDamaged, MappedFile, Sections, Unfit
from graph.stores.sqlite.index.index_folder import ARROWS, NAMES, WORDS, Generations
from graph.stores.sqlite.index.mapped_topology import names_by_number
from graph.stores.sqlite.index.name_table import name_sections, plain_name_sections
from graph.stores.sqlite.index.spelling_index import word_sections

LARGE = 2_000_000
"""From so many claims on, a graph is large: beliefs and senses are stored in tables if they have few values, to save room."""
MANY_NAMES = 1_000_000  # fewer names are stored uncompressed, and similar names are found by comparing all of them
_MOST_GAPS = 1_000
_MEND = "what is wrong is asked of the tables until it is made anew by `kgqa check --mend`"


class Unindexable(Exception):
    """A graph that no index can be built of, because it is damaged."""


def index_contents(connection: sqlite3.Connection) -> Iterator[tuple[str, Sections]]:
    """Yield the names of the files of an index, each with its sections, which must be read before the next is requested.

    Raises `Unindexable` or `sqlite3.Error`.
    """
    try:
        yield from _unchecked_contents(connection)
    except (IndexError, ValueError, OverflowError, TypeError, struct.error) as error:
        raise Unindexable(str(error)) from error


def _unchecked_contents(connection: sqlite3.Connection) -> Iterator[tuple[str, Sections]]:
    from graph.stores.sqlite.index.row_packing import arrow_sections, read_claims  # imports numpy

    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM concept").fetchone()
    (concepts,) = connection.execute("SELECT count(*) FROM concept").fetchone()
    if last > 2 * concepts + _MOST_GAPS:
        raise Unindexable("the ids of its concepts are far apart")
    many = concepts >= MANY_NAMES
    numbers_by_id = array("I", b"\xff\xff\xff\xff" * (last + 1))
    words: set[bytes] = set()

    def names() -> Iterator[bytes]:
        for number, (name, concept) in enumerate(names_by_number(connection)):
            numbers_by_id[concept] = number
            if many:
                words.update(name.split(b" "))
            yield name

    yield NAMES, (name_sections if many else plain_name_sections)(names())
    words.discard(b"")
    if words:
        yield WORDS, word_sections(words)
        words.clear()
    claims = read_claims(connection, numbers_by_id)
    if len(claims.causes) and max(claims.causes.max(), claims.effects.max()) >= concepts:
        raise Unindexable("a claim names a concept that is not there")
    yield ARROWS, arrow_sections(claims, concepts, tabled=len(claims.causes) >= LARGE)


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
    for name in (ARROWS, NAMES, WORDS):
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
