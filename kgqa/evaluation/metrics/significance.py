"""Whether one system is better than another on the same items, or merely luckier."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kgqa.evaluation.metrics.given import check_aligned


def sign_flip_test(first: Sequence[float], second: Sequence[float], *, rounds: int = 10_000, seed: int = 0) -> float:
    """Return how probable so great a difference of means is, either way, if it were chance which system has which score.

    A paired permutation test (Fisher 1935): each round swaps the two scores of an item or not; the result lies in 0..1, above 0
    since what was seen counts as one of the rounds. Raises `MetricInvalid` where the lists do not fit each other.
    """
    import numpy

    check_aligned(first, second, "the scores of two systems")
    differences = numpy.asarray(first, dtype=float) - numpy.asarray(second, dtype=float)
    differences = differences[differences != 0]
    seen = abs(math.fsum(differences.tolist()))
    slack = 1e-12 * max(1.0, seen)
    source = numpy.random.default_rng(seed)
    reached = 0
    for _ in range(rounds):
        signs = source.integers(0, 2, len(differences)) * 2 - 1
        reached += abs(float((signs * differences).sum())) >= seen - slack
    return (reached + 1) / (rounds + 1)
