"""What is derived from the evidence of a claim and stands beside it: numbers of groups, wording, sense, grounds."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from graph.grounds import Tally, reading, tally
from graph.model import Evidence, Source, Stance, Strength
from graph.sense import sense
from graph.stores.columns import EVIDENCE_COLUMNS, EVIDENCE_TABLES, STRENGTHS, evidence_of, kept_grounds
from graph.stores.names import Names, chunks

_RECOUNTED_AT_ONCE = 10_000

Derived = tuple[int, int, int, int, int, str]
"""The columns of a claim from `asserted` to `strength`, its `sense`, and the text of its grounds for their id."""


def derived(records: Collection[Evidence]) -> Derived:
    """Return what is derived from the records of a claim."""
    if len(records) > 1:
        return _columns(tally(records), sense(records))
    (record,) = records
    return _derived_from_one(record.stance, record.strength, *reading(record), sense(records))


def with_ids(grounds: Names, rows: Sequence[tuple[*tuple[int, ...], str]]) -> Iterator[tuple[int, ...]]:
    """Yield rows that end in the text of grounds with the id of the grounds in its place; grounds that are new are added."""
    ids, _ = grounds.ids(dict.fromkeys(row[-1] for row in rows))
    return ((*row[:-1], ids[row[-1]]) for row in rows)


def recount(connection: sqlite3.Connection, grounds: Names, claims: Sequence[tuple[int, Derived]]) -> None:
    """Write what was derived anew for claims, by their ids."""
    update = "UPDATE claim SET asserted = ?2, negated = ?3, hedged = ?4, strength = ?5, sense = ?6, ground = ?7 WHERE id = ?1"
    connection.executemany(update, with_ids(grounds, [(number, *columns) for number, columns in claims]))


def recount_all(connection: sqlite3.Connection) -> None:
    """Derive again what stands beside every claim, and drop the grounds that no claim has any more."""
    grounds = Names(connection, "ground")
    for some in chunks(_derived_anew(connection), _RECOUNTED_AT_ONCE):
        recount(connection, grounds, some)
    connection.execute("DELETE FROM ground WHERE id NOT IN (SELECT ground FROM claim)")


def _derived_anew(connection: sqlite3.Connection) -> Iterator[tuple[int, Derived]]:
    """Iterate over the ids of the claims, each with what its records make."""
    query = f"SELECT evidence.claim, {EVIDENCE_COLUMNS} FROM {EVIDENCE_TABLES} ORDER BY evidence.claim"
    for number, rows in groupby(connection.execute(query), key=itemgetter(0)):
        yield number, derived([evidence_of(*row[1:]) for row in rows])


@lru_cache(maxsize=1 << 14)
def _derived_from_one(stance: Stance, strength: Strength, kind: str, rule: str, signature: int) -> Derived:
    """Return what is derived from a single record: most claims have no more, and most of these are alike."""
    return _columns(tally((Evidence(Source(kind), stance, strength, rule),)), signature)


def _columns(numbers: Tally, signature: int) -> Derived:
    counts = numbers.asserted, numbers.negated, numbers.hedged, STRENGTHS[numbers.strength]
    return (*counts, signature, kept_grounds(numbers.grounds))
