"""Building an index from the tables of its graph."""

from __future__ import annotations

import sqlite3
import struct
from array import array
from collections.abc import Iterator

from graph.mapped_file import Sections
from graph.stores.sqlite.index.claim_hashes import hash_sections
from graph.stores.sqlite.index.index_folder import ARROWS, HASHES, NAMES, WORDS
from graph.stores.sqlite.index.mapped_topology import names_by_number
from graph.stores.sqlite.index.name_table import name_sections, plain_name_sections
from graph.stores.sqlite.index.spelling_index import word_sections

LARGE = 2_000_000
"""From so many claims on, a graph is large: beliefs and senses are stored in tables if they have few values, to save room."""
MANY_NAMES = 1_000_000  # fewer names are stored uncompressed, and similar names are found by comparing all of them
_MOST_GAPS = 1_000


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
    yield HASHES, hash_sections(connection)
    yield ARROWS, arrow_sections(claims, concepts, tabled=len(claims.causes) >= LARGE)
