"""How likely a reckoned answer is right: by its operation, and by how well its numbers fit the question."""

from __future__ import annotations

import math
from functools import cache
from importlib import resources
from typing import TypedDict

from kgqa.reading.reckoning.asked import NumericOperation


class ConfidenceWeights(TypedDict):
    """A logistic regression: the weight of the fit, and a constant for each operation. scripts/measure_numeric.py fits it."""

    fit: float
    operations: dict[str, float]


def numeric_confidence(operation: NumericOperation, fit: float) -> float:
    """Return the probability that an answer is right, 0..1; `fit` is 0..1."""
    weights = _confidence_weights()
    return 1 / (1 + math.exp(-(weights["fit"] * fit + weights["operations"].get(operation, -1.0))))


@cache
def _confidence_weights() -> ConfidenceWeights:
    import json

    text = resources.files("kgqa.reading.reckoning").joinpath("sureness.json").read_text(encoding="utf-8")
    weights: ConfidenceWeights = json.loads(text)
    return weights
