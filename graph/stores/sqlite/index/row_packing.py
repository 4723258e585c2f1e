"""Sorting claims into rows, and rows into the bytes in which `arrows` finds them.

The claims of a graph as columns of numbers: what the rows of an index are made of.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from operator import itemgetter, neg

from graph.belief.belief import belief
from graph.model import Stance
from graph.stores.serialization import decode_grounds, grounds_from_counts
from graph.stores.sqlite.index.edge_rows import PLACES, row_struct
from graph.topology import EDGE_KINDS

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


_PIECE = 1 << 20
_WORTH_A_TABLE = 8
"""So often a value must be there on the average for places of four bytes to be worth a table, which is read whole."""


class RowColumn:
    """A column of a row: its format, and how its values stand in it: as they are, or as places in a table of those there are."""

    def __init__(self, values: array[int] | array[float], *, tabled: bool) -> None:
        self.format: str = values.typecode
        self.table: array[int] | array[float] | None = None
        if tabled:
            distinct = sorted(set(values))
            small, wide = PLACES
            if len(distinct) <= 1 << 16 or len(distinct) <= len(values) // _WORTH_A_TABLE:
                self.format = small if len(distinct) <= 1 << 16 else wide
                self.table = array(values.typecode, distinct)

    def encode(self, values: Sequence[float]) -> Sequence[float]:
        """Return values as they stand in a row."""
        table = self.table
        return values if table is None else [bisect_left(table, value) for value in values]


def starts(claims: ClaimColumns, concepts: int) -> array[int]:
    """Return for each concept how many claims come before its row out and its row in, and both totals at the end."""
    totals = array("I", bytes(8 * (concepts + 1)))
    for side, ends in enumerate((claims.causes, claims.effects)):
        counts = Counter(ends)
        totals[side + 2 :: 2] = array("I", accumulate(counts[number] for number in range(concepts)))
    return totals


def rows(claims: ClaimColumns, belief: RowColumn, sense: RowColumn, *, forward: bool) -> Iterator[bytes]:
    """Yield the rows of all concepts, each most believed first, then by support, the name at the far end and what is claimed."""
    near, far = claims.ends(forward=forward)
    # The numbers of concepts are in the order of their names.
    order = sorted(zip(near, map(neg, claims.beliefs), map(neg, claims.support), far, claims.kinds, claims.senses, strict=True))
    piece = bytearray()
    for _, row in groupby(order, key=itemgetter(0)):
        _, beliefs, _, ends, kinds, senses = zip(*row, strict=True)
        parts = (*ends, *belief.encode([-value for value in beliefs]), *sense.encode(senses), *kinds)
        piece += row_struct(len(ends), belief.format, sense.format).pack(*parts)
        if len(piece) >= _PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)
