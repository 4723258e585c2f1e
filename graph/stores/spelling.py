"""Names of concepts that are spelt nearly like a given one."""

from __future__ import annotations

import sqlite3
import string
from collections.abc import Iterator

from graph.stores.columns import decode_text, encode_text

# Shares of letters that agree, 0..1: "smokng" and "smog" agree in .67. Who mistypes the first letter has the rest right.
SAME_FIRST_LETTER = 0.65
OTHER_FIRST_LETTER = 0.75
_FIRST_LETTERS = string.ascii_lowercase + string.digits
_PREFIX_LENGTH = 3
"""Up to this letter a name goes on alike whose first letter was mistaken."""
_LAST_CHARACTER = "\U0010ffff"


def select_similar_names(connection: sqlite3.Connection, name: str, limit: int) -> list[str]:
    """Return at most `limit` names that are spelt like `name`, nearest first, then alphabetically.

    The distance is the number of letters that are put in, left out, changed or swapped with their neighbour. Only where no
    name with the same first letter is near are others looked at: those which go on alike after a slip in the first letter.
    """
    if not name or limit <= 0:
        return []
    near = nearest_names(
        name, _select_names_beginning(connection, name[0], lengths_near(name, SAME_FIRST_LETTER)), SAME_FIRST_LETTER
    )
    if not near:
        lengths = lengths_near(name, OTHER_FIRST_LETTER)
        candidates = {
            candidate for start in _mistaken_beginnings(name) for candidate in _select_names_beginning(connection, start, lengths)
        }
        near = nearest_names(name, sorted(candidates), OTHER_FIRST_LETTER)
    return near[:limit]


def _mistaken_beginnings(name: str) -> Iterator[str]:
    """Iterate over how a name may begin of which `name` has the first letter wrong, doubled, left out or in the second place."""
    for letter in _FIRST_LETTERS:
        yield letter + name[1:_PREFIX_LENGTH]
        yield letter + name[: _PREFIX_LENGTH - 1]
    yield name[1:_PREFIX_LENGTH]
    yield name[1:2] + name[0] + name[2:_PREFIX_LENGTH]


def lengths_near(name: str, least: float) -> range:
    """Return the lengths of what can agree with `name` by a share of `least`."""
    return range(int(len(name) * least), int(len(name) / least) + 2)


def nearest_names(name: str, candidates: list[str], least: float) -> list[str]:
    """Return those of `candidates` that agree with `name` by at least a share of `least`, nearest first."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    scored = process.extract(name, candidates, scorer=OSA.normalized_similarity, score_cutoff=least, limit=None)
    return [candidate for candidate, _, _ in sorted(scored, key=lambda match: (-match[1], match[0]))]


def _select_names_beginning(connection: sqlite3.Connection, start: str, lengths: range) -> list[str]:
    """Return the names of some lengths that begin with `start`; none for an empty one."""
    query = "SELECT name FROM concept WHERE length(name) BETWEEN ? AND ? AND name >= ? AND name < ?"
    between = (encode_text(start), encode_text(start + _LAST_CHARACTER))
    return [decode_text(row[0]) for row in connection.execute(query, (lengths[0], lengths[-1], *between))] if start else []
