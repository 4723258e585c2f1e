"""What is derived from the evidence of a claim and stands beside it: numbers of groups, wording, sense, grounds."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from graph.grounds import EvidenceCounts, count_evidence, source_and_rule
from graph.model import Evidence, Source, Stance, Strength
from graph.sense import sense_signature
from graph.stores.columns import EVIDENCE_COLUMNS, EVIDENCE_TABLES, STRENGTHS, decode_evidence, encode_grounds
from graph.stores.names import InternedNames, chunks

_RECOUNTED_AT_ONCE = 10_000

DerivedColumns = tuple[int, int, int, int, int, str]
"""The columns of a claim from `asserted` to `strength`, its `sense`, and the text of its grounds for their id."""


def derive_columns(records: Collection[Evidence]) -> DerivedColumns:
    """Return what is derived from the records of a claim."""
    if len(records) > 1:
        return _derived_columns(count_evidence(records), sense_signature(records))
    (record,) = records
    return _derive_from_single(record.stance, record.strength, *source_and_rule(record), sense_signature(records))


def with_ground_ids(grounds: InternedNames, rows: Sequence[tuple[*tuple[int, ...], str]]) -> Iterator[tuple[int, ...]]:
    """Yield rows that end in the text of grounds with the id of the grounds in its place; grounds that are new are added."""
    ids, _ = grounds.ids(dict.fromkeys(row[-1] for row in rows))
    return ((*row[:-1], ids[row[-1]]) for row in rows)


def recount(connection: sqlite3.Connection, grounds: InternedNames, claims: Sequence[tuple[int, DerivedColumns]]) -> None:
    """Write what was derived anew for claims, by their ids."""
    update = "UPDATE claim SET asserted = ?2, negated = ?3, hedged = ?4, strength = ?5, sense = ?6, ground = ?7 WHERE id = ?1"
    connection.executemany(update, with_ground_ids(grounds, [(number, *columns) for number, columns in claims]))


def recount_all(connection: sqlite3.Connection) -> None:
    """Derive again what stands beside every claim, and drop the grounds that no claim has any more."""
    grounds = InternedNames(connection, "ground")
    for some in chunks(_derive_all(connection), _RECOUNTED_AT_ONCE):
        recount(connection, grounds, some)
    connection.execute("DELETE FROM ground WHERE id NOT IN (SELECT ground FROM claim)")


def _derive_all(connection: sqlite3.Connection) -> Iterator[tuple[int, DerivedColumns]]:
    """Iterate over the ids of the claims, each with what its records make."""
    query = f"SELECT evidence.claim, {EVIDENCE_COLUMNS} FROM {EVIDENCE_TABLES} ORDER BY evidence.claim"
    for number, rows in groupby(connection.execute(query), key=itemgetter(0)):
        yield number, derive_columns([decode_evidence(*row[1:]) for row in rows])


@lru_cache(maxsize=1 << 14)
def _derive_from_single(stance: Stance, strength: Strength, kind: str, rule: str, signature: int) -> DerivedColumns:
    """Return what is derived from a single record: most claims have no more, and most of these are alike."""
    return _derived_columns(count_evidence((Evidence(Source(kind), stance, strength, rule),)), signature)


def _derived_columns(numbers: EvidenceCounts, signature: int) -> DerivedColumns:
    counts = numbers.asserted, numbers.negated, numbers.hedged, STRENGTHS[numbers.strength]
    return (*counts, signature, encode_grounds(numbers.grounds))
