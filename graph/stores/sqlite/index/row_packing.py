"""The rows of an index: the claims of a graph as columns of numbers, sorted and packed into the bytes that `edge_rows` reads."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from graph.belief.belief import belief
from graph.mapped_file import Sections
from graph.stores.codec import decode_grounds, grounds_from_counts
from graph.stores.sqlite.index.edge_rows import POSITIONS, SHAPE
from graph.topology import EDGE_KINDS

# Claims of the first version of a store have counts in place of grounds, and those of the second no senses.
_QUERY = """
    SELECT cause, effect, coalesce(ground, asserted || ' ' || negated || ' ' || hedged), asserted,
        relation * 3 + polarity, coalesce(sense, 0)
    FROM claim
"""
_READ_AT_ONCE = 50_000
_PACKED_AT_ONCE = 1 << 20
# The least average frequency of a value for positions of four bytes to be worth a table, which is read completely.
_WORTH_A_TABLE = 8


class ClaimColumns(NamedTuple):
    """For each claim: the numbers of its concepts, its belief, how many groups assert it, the code of its kind, and its sense."""

    causes: np.ndarray
    effects: np.ndarray
    beliefs: np.ndarray
    support: np.ndarray
    kinds: np.ndarray
    senses: np.ndarray


class _Beliefs(dict[object, float]):
    """Beliefs by the ids of their grounds, or by the counts of a claim that has none."""

    def __missing__(self, counts: object) -> float:
        value = self[counts] = belief(grounds_from_counts(*map(int, str(counts).split())))
        return value


def read_claims(connection: sqlite3.Connection, numbers: Sequence[int]) -> ClaimColumns:
    """Return the claims, with `numbers` for the ids of their concepts.

    Raises `sqlite3.Error`, `IndexError`, `ValueError` or `OverflowError` if the store is damaged.
    """
    grounds = connection.execute("SELECT id, name FROM ground")
    beliefs = _Beliefs((number, belief(decode_grounds(name))) for number, name in grounds)
    columns: list[array[float]] = [array(kind) for kind in "IIdIBQ"]
    cursor = connection.execute(_QUERY)
    while rows := cursor.fetchmany(_READ_AT_ONCE):
        causes, effects, counts, *others = zip(*rows, strict=True)
        ends = (map(numbers.__getitem__, ids) for ids in (causes, effects))
        parts: list[Iterable[float]] = [*ends, map(beliefs.__getitem__, counts), *others]
        for column, part in zip(columns, parts, strict=True):
            column.extend(part)
    claims = ClaimColumns(*map(np.asarray, columns))
    if claims.kinds.size and claims.kinds.max() >= len(EDGE_KINDS):
        raise ValueError("a claim of no known kind")
    return claims


def arrow_sections(claims: ClaimColumns, concepts: int, *, tabled: bool) -> Sections:
    """Return the sections of a file that holds the rows of claims about so many concepts."""
    belief_format, belief_table, beliefs = _pack_column(claims.beliefs, "d", tabled=tabled)
    sense_format, sense_table, senses = _pack_column(claims.senses, "Q", tabled=tabled)
    starts = np.zeros((concepts + 1, 2), dtype=np.uint32)
    for side, near in enumerate((claims.causes, claims.effects)):
        np.cumsum(np.bincount(near, minlength=concepts), out=starts[1:, side], dtype=np.uint32)
    packed = beliefs, senses, claims.kinds
    return {
        "shape": (SHAPE.pack(concepts, len(claims.causes), belief_format.encode(), sense_format.encode()),),
        "starts": (starts.tobytes(),),
        "beliefs": (belief_table.tobytes(),),
        "senses": (sense_table.tobytes(),),
        "out": _rows(claims, claims.causes, claims.effects, packed),
        "in": _rows(claims, claims.effects, claims.causes, packed),
    }


def _pack_column(values: np.ndarray, kind: str, *, tabled: bool) -> tuple[str, np.ndarray, np.ndarray]:
    """Return the format of a column, its table, and its values: as they are, or, if `tabled` is worth it, as positions."""
    if tabled:
        distinct = np.unique(values)
        few = len(distinct) <= 1 << 16
        if few or len(distinct) <= len(values) // _WORTH_A_TABLE:
            position = POSITIONS[0] if few else POSITIONS[1]
            return position, distinct, np.searchsorted(distinct, values).astype(position)
    return kind, values[:0], values


def _rows(
    claims: ClaimColumns, near: np.ndarray, far: np.ndarray, packed: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> Iterator[memoryview]:
    """Yield the rows of all concepts, each most believed first, then by support, the name at the far end and what is claimed.

    `packed` are the beliefs, senses and kinds as they are stored.
    """
    # The numbers of concepts are in the order of their names.
    order = np.lexsort((claims.kinds, far, -claims.support.astype(np.int64), -claims.beliefs, near))
    counts = np.bincount(near)
    row_ends = np.cumsum(counts)
    columns = far, *packed
    claim_bytes = sum(column.itemsize for column in columns)
    first = 0
    while first < len(order):
        # A piece ends where a row does.
        last = int(row_ends[np.searchsorted(row_ends, min(first + _PACKED_AT_ONCE, len(order)))])
        some = order[first:last]
        concept = near[some]
        length = counts[concept]
        start = row_ends[concept] - length - first
        place = np.arange(last - first) - start
        piece = np.empty((last - first) * claim_bytes, dtype=np.uint8)
        before = 0
        for column in columns:
            size = column.itemsize
            at = start * claim_bytes + length * before + place * size
            piece[at[:, None] + np.arange(size)] = column[some].view(np.uint8).reshape(-1, size)
            before += size
        yield piece.data
        first = last
