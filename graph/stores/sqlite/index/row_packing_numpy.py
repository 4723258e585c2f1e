"""What `packing` does, for graphs of millions of claims: the same bytes in a tenth of the time, with numpy."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from graph.stores.sqlite.index.edge_rows import claim_width
from graph.stores.sqlite.index.row_packing import ClaimColumns, RowColumn

_AT_ONCE = 1 << 20


def starts(claims: ClaimColumns, concepts: int) -> array[int]:
    """Return for each concept how many claims come before its row out and its row in, and both totals at the end."""
    totals = np.zeros((concepts + 1, 2), dtype=np.uint32)
    for side, ends in enumerate((claims.causes, claims.effects)):
        np.cumsum(np.bincount(np.frombuffer(ends, dtype=np.uint32), minlength=concepts), out=totals[1:, side], dtype=np.uint32)
    return array("I", totals.tobytes())


def rows(claims: ClaimColumns, belief: RowColumn, sense: RowColumn, *, forward: bool) -> Iterator[memoryview]:
    """Yield the rows of all concepts, each most believed first, then by support, the name at the far end and what is claimed."""
    near, far = (np.frombuffer(ends, dtype=np.uint32) for ends in claims.ends(forward=forward))
    beliefs, support = np.frombuffer(claims.beliefs), np.frombuffer(claims.support, dtype=np.uint32)
    kinds, senses = np.frombuffer(claims.kinds, dtype=np.uint8), np.frombuffer(claims.senses, dtype=np.uint64)
    order = np.lexsort((kinds, far, -support.astype(np.int64), -beliefs, near))
    counts = np.bincount(near)
    ends_of_rows = np.cumsum(counts)
    whole = claim_width(belief.format, sense.format)
    first = 0
    while first < len(order):
        # A piece ends where a row does.
        last = int(ends_of_rows[np.searchsorted(ends_of_rows, min(first + _AT_ONCE, len(order)))])
        some = order[first:last]
        concept = near[some]
        length = counts[concept]
        start = ends_of_rows[concept] - length - first
        place = np.arange(last - first) - start
        out = np.empty((last - first) * whole, dtype=np.uint8)
        before = 0
        for values in (far[some], _encode_values(belief, beliefs[some]), _encode_values(sense, senses[some]), kinds[some]):
            size = values.itemsize
            at = start * whole + length * before + place * size
            out[at[:, None] + np.arange(size)] = np.ascontiguousarray(values).view(np.uint8).reshape(-1, size)
            before += size
        yield out.data
        first = last


def _encode_values(column: RowColumn, values: np.ndarray) -> np.ndarray:
    """Return values as they stand in a row."""
    if column.table is None:
        return values
    return np.searchsorted(np.frombuffer(column.table, dtype=values.dtype), values).astype(np.dtype(column.format))
