"""The claims of a graph as columns of numbers: what the rows of an index are made of."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from graph.belief import belief
from graph.links import EDGE_KINDS
from graph.model import Stance
from graph.stores.columns import decode_grounds, grounds_from_counts

_AT_ONCE = 50_000
_COUNTED = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)
# Claims of the first version of a store have counts in place of grounds, and those of the second no senses.
_QUERY = """
    SELECT cause, effect, coalesce(ground, asserted || ' ' || negated || ' ' || hedged), asserted,
        relation * 3 + polarity, coalesce(sense, 0)
    FROM claim
"""


@dataclass(frozen=True, slots=True)
class ClaimColumns:
    """Of each claim: the numbers of its concepts, its belief, how many groups assert it, the code of its kind, and its sense."""

    causes: array[int] = field(default_factory=lambda: array("I"))
    effects: array[int] = field(default_factory=lambda: array("I"))
    beliefs: array[float] = field(default_factory=lambda: array("d"))
    support: array[int] = field(default_factory=lambda: array("I"))
    kinds: array[int] = field(default_factory=lambda: array("B"))
    senses: array[int] = field(default_factory=lambda: array("Q"))

    def __len__(self) -> int:
        return len(self.causes)

    def ends(self, *, forward: bool) -> tuple[array[int], array[int]]:
        """Return the concepts that have the rows, and those at the far end."""
        return (self.causes, self.effects) if forward else (self.effects, self.causes)


class _Beliefs(dict[object, float]):
    """Beliefs by the ids of their grounds, or by the counts of a claim that has none."""

    def __missing__(self, counts: object) -> float:
        numbers = [int(number) for number in str(counts).split()]
        made = self[counts] = belief(grounds_from_counts(zip(_COUNTED, numbers, strict=True)))
        return made


def read_claims(connection: sqlite3.Connection, numbers: Sequence[int]) -> ClaimColumns:
    """Return the claims, with `numbers` for the ids of their concepts.

    Raises `sqlite3.Error`, `IndexError`, `ValueError` or `OverflowError` where the store is damaged.
    """
    beliefs = _Beliefs(
        (number, belief(decode_grounds(name))) for number, name in connection.execute("SELECT id, name FROM ground")
    )
    claims = ClaimColumns()
    rows = connection.execute(_QUERY)
    while some := rows.fetchmany(_AT_ONCE):
        causes, effects, grounds, support, kinds, senses = zip(*some, strict=True)
        claims.causes.extend(map(numbers.__getitem__, causes))
        claims.effects.extend(map(numbers.__getitem__, effects))
        claims.beliefs.extend(map(beliefs.__getitem__, grounds))
        claims.support.extend(support)
        claims.kinds.extend(kinds)
        claims.senses.extend(senses)
    if claims.kinds and max(claims.kinds) >= len(EDGE_KINDS):
        raise ValueError("a claim of no known kind")
    return claims
