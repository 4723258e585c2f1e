"""Sorting claims into rows, and rows into the bytes in which `arrows` finds them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from operator import itemgetter, neg

from graph.stores.index.arrows import PLACES, row_struct
from graph.stores.index.claims import ClaimColumns

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
