"""The logistic function, its inverse and the softmax, and the logistic model over named features."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOG_ODDS_BOUND = 30.0
"""The absolute value at which log-odds are cut off, so that no probability is exactly 0 or 1."""
PROBABILITY_CLIP = 0.01
"""The usual clip of a probability that is a feature: its log-odds stay within plus and minus 4.6."""


def logistic(score: float) -> float:
    """Return the probability (0..1) of log-odds, which are cut off at `LOG_ODDS_BOUND`."""
    return 1.0 / (1.0 + math.exp(-max(-LOG_ODDS_BOUND, min(LOG_ODDS_BOUND, score))))


def log_odds(probability: float, clip: float) -> float:
    """Return the log-odds of a probability, which is first clipped to `clip`..1 - `clip`.

    Raises `ValueError` or `ZeroDivisionError` for a probability of 0 or 1 where `clip` is 0.
    """
    probability = min(1.0 - clip, max(clip, probability))
    return math.log(probability / (1.0 - probability))


def softmax(scores: Sequence[float], temperature: float = 1.0) -> list[float]:
    """Return the softmax of at least one score: exp(score / temperature) as a share of the sum of all."""
    largest = max(scores)
    powers = [math.exp((score - largest) / temperature) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def softmax_array(logits: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the softmax of an array of logits, computed with 64 bits."""
    import numpy as np

    powers = np.exp(logits.astype(np.float64) - logits.max())
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares


def log_sum_exp(logs: Sequence[float]) -> float:
    """Return the logarithm of the sum of the numbers whose logarithms are `logs`."""
    greatest = max(logs)
    return greatest if math.isinf(greatest) else greatest + math.log(math.fsum(math.exp(value - greatest) for value in logs))


def log_softmax(scores: Sequence[float]) -> list[float]:
    """Return the logarithms of the softmax of scores; a score that is not finite counts as the least of the others."""
    least = min(filter(math.isfinite, scores), default=0.0)
    scores = [score if math.isfinite(score) else least for score in scores]
    total = log_sum_exp(scores)
    return [score - total for score in scores]


class LogisticModel(NamedTuple):
    """A logistic regression: the weight of each feature by name, and the bias."""

    weights: Mapping[str, float]
    bias: float = 0.0

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Return the bias plus the weighted sum of the features: a missing one is 0, one without a weight is ignored."""
        return self.bias + sum(weight * features.get(name, 0.0) for name, weight in self.weights.items())

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability (0..1) that the model gives to the features."""
        return logistic(self.log_odds(features))
