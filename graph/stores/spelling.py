"""Names of concepts that are spelt nearly like a given one."""

from __future__ import annotations

import sqlite3

from graph.stores.columns import kept, text_of

# Shares of letters that agree, 0..1: "smokng" and "smog" agree in .67. Who mistypes the first letter has the rest right.
SAME_FIRST_LETTER = 0.65
OTHER_FIRST_LETTER = 0.75
_LAST_CHARACTER = "\U0010ffff"


def similar(connection: sqlite3.Connection, name: str, limit: int) -> list[str]:
    """Return at most `limit` names that are spelt like `name`, nearest first, then alphabetically.

    The distance is the number of letters that are put in, left out, changed or swapped with their neighbour. Only where no
    name with the same first letter is near are others looked at.
    """
    if not name or limit <= 0:
        return []
    query = "SELECT name FROM concept WHERE length(name) BETWEEN ? AND ?"
    alike = f"{query} AND name >= ? AND name < ?"
    first = (kept(name[0]), kept(name[0] + _LAST_CHARACTER))
    near = nearest(name, _names(connection, alike, lengths_near(name, SAME_FIRST_LETTER), *first), SAME_FIRST_LETTER)
    if not near:
        near = nearest(name, _names(connection, query, lengths_near(name, OTHER_FIRST_LETTER)), OTHER_FIRST_LETTER)
    return near[:limit]


def lengths_near(name: str, least: float) -> range:
    """Return the lengths of what can agree with `name` by a share of `least`."""
    return range(int(len(name) * least), int(len(name) / least) + 2)


def nearest(name: str, candidates: list[str], least: float) -> list[str]:
    """Return those of `candidates` that agree with `name` by at least a share of `least`, nearest first."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    scored = process.extract(name, candidates, scorer=OSA.normalized_similarity, score_cutoff=least, limit=None)
    return [candidate for candidate, _, _ in sorted(scored, key=lambda found: (-found[1], found[0]))]


def _names(connection: sqlite3.Connection, query: str, lengths: range, *more: str | bytes) -> list[str]:
    return [text_of(row[0]) for row in connection.execute(query, (lengths[0], lengths[-1], *more))]
