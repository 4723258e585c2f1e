"""From what the network says to probabilities of being right: the few numbers that `scripts/calibrate_reader.py` fits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any


@dataclass(frozen=True, slots=True)
class LogitCalibration:
    """How the logits of the network become scores (temperatures: Guo et al. 2017).

    `kind` and `span` are the temperatures of the two heads; `null` is added to the logit of "not told", for questions with "if",
    such as it is fitted on, for others a part of it. `crowd` says how much less likely each of n windows is to hold the answer
    than a single one: n ** -crowd. `retrieval` says how much a retriever's scores count: a window's prior is multiplied by
    exp(retrieval x standardised score). `right` are knots of a rising broken line, from the score of a candidate to how often
    such candidates are right (isotonic regression: Zadrozny and Elkan 2002); none for no line.
    """

    kind: float = 1.0
    span: float = 1.0
    null: float = 0.0
    crowd: float = 0.5
    retrieval: float = 0.0
    right: tuple[tuple[float, float], ...] = ()

    def probability_right(self, score: float) -> float:
        """Return how often a candidate with this score is right."""
        if not self.right:
            return score
        place = bisect_right(self.right, (score, 1.0))
        if place == 0 or place == len(self.right):
            return self.right[max(0, place - 1)][1]
        (low, under), (high, over) = self.right[place - 1 : place + 1]
        return under + (over - under) * (score - low) / (high - low)


def parse_calibration(table: Mapping[str, Any]) -> LogitCalibration:
    """Return the calibration that a table of numbers holds; raises `ValueError` where one of them cannot be."""
    names = ("kind", "span", "null", "crowd", "retrieval")
    values = {name: _finite_number(table[name], name) for name in names if name in table}
    if min(values.get("kind", 1.0), values.get("span", 1.0)) <= 0.0:
        raise ValueError("a temperature is not above 0")
    knots = tuple((_finite_number(low, "right"), _finite_number(high, "right")) for low, high in table.get("right", ()))
    _check_knots(knots)
    return LogitCalibration(**values, right=knots)


def _finite_number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"'{name}' is not a number")
    return float(value)


def _check_knots(knots: Sequence[tuple[float, float]]) -> None:
    """Raise `ValueError` unless the knots rise, and lie in 0..1."""
    if any(low >= high or under > over for (low, under), (high, over) in pairwise(knots)):
        raise ValueError("the knots of 'right' do not rise")
    if any(not 0.0 <= coordinate <= 1.0 for knot in knots for coordinate in knot):
        raise ValueError("the knots of 'right' do not lie in 0..1")
