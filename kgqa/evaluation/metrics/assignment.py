"""The one-to-one assignment of rows to columns with the greatest sum, for the alignment of answers with several spans."""

from __future__ import annotations

import math
from collections.abc import Sequence


def best_assignment(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return pairs of row and column, each used once and as many as there can be, whose weights have the greatest sum.

    Source: the Hungarian method with potentials (Kuhn 1955; Jonker and Volgenant 1987), O(rows² columns); it adds one row at a
    time along a cheapest augmenting path.
    """
    if not weights or not weights[0]:
        return []
    if len(weights) > len(weights[0]):
        return sorted((row, column) for column, row in best_assignment(list(zip(*weights, strict=True))))
    rows, columns = len(weights), len(weights[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    holder = [0] * (columns + 1)  # the row that has a column; rows and columns count from 1, 0 is none
    for row in range(1, rows + 1):
        holder[0], column = row, 0
        slack, before, done = [math.inf] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while holder[column]:
            done[column] = True
            held_row = holder[column]
            for candidate in range(1, columns + 1):
                if not done[candidate]:
                    cost = -weights[held_row - 1][candidate - 1] - row_price[held_row] - column_price[candidate]
                    if cost < slack[candidate]:
                        slack[candidate], before[candidate] = cost, column
            nearest = min((candidate for candidate in range(1, columns + 1) if not done[candidate]), key=slack.__getitem__)
            step = slack[nearest]
            for candidate in range(columns + 1):
                if done[candidate]:
                    row_price[holder[candidate]] += step
                    column_price[candidate] -= step
                else:
                    slack[candidate] -= step
            column = nearest
        while column:
            holder[column], column = holder[before[column]], before[column]
    return sorted((holder[column] - 1, column - 1) for column in range(1, columns + 1) if holder[column])


def greedy_assignment(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return pairs of row and column, each used once and as many as there can be, the heaviest pair first, then the next.

    Of pairs with the same weight the one that comes first is taken.
    """
    cells = ((weight, row, column) for row, line in enumerate(weights) for column, weight in enumerate(line))
    rows, columns, pairs = set[int](), set[int](), []
    for _, row, column in sorted(cells, key=lambda cell: -cell[0]):
        if row not in rows and column not in columns:
            pairs.append((row, column))
            rows.add(row)
            columns.add(column)
    return sorted(pairs)
