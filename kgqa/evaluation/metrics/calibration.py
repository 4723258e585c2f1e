"""Whether a confidence means what it says: reliability, expected calibration error, Brier score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.averages import mean
from kgqa.evaluation.metrics.given import check_aligned, check_unit_interval
from kgqa.evaluation.metrics.intervals import Interval, wilson


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers with confidences from `low` to `high`: their mean confidence, and the share that is right with its interval."""

    low: float
    high: float
    count: int
    confidence: float
    right: Interval


def reliability(confidences: Sequence[float], correct: Sequence[float], bins: int = 10) -> list[ReliabilityBin]:
    """Return at most so many bins of about as many answers each, least confident first, with Wilson's 95 % intervals.

    `correct` is 1 for an answer that is right, 0 for one that is not, or how right it is in between, such as the share of judges.
    Answers with the same confidence stay in one bin, so that the order in which they come does not matter. Raises
    `MetricInvalid` where the lists do not fit, or one of the numbers is not in 0..1. Source: Nguyen and O'Connor 2015.
    """
    return [_reliability_bin(pairs) for pairs in _equal_count_bins(_sorted_pairs(confidences, correct), bins)]


def expected_calibration_error(confidences: Sequence[float], correct: Sequence[float], bins: int = 10) -> float:
    """Return the mean distance, over answers, of a bin's confidence from its share of right answers, 0..1, 0 at best.

    Bins hold about as many answers each (`reliability`); bins of equal width leave most empty where confidences crowd.
    Source: Naeini et al. 2015, with the bins of Nguyen and O'Connor 2015.
    """
    pairs = _sorted_pairs(confidences, correct)
    return math.fsum(
        abs(math.fsum(confidence - right for confidence, right in group)) for group in _equal_count_bins(pairs, bins)
    ) / len(pairs)


def brier(confidences: Sequence[float], correct: Sequence[float]) -> float:
    """Return the mean squared distance of the confidence from 1 where right and 0 where wrong, 0..1, 0 at best (Brier 1950)."""
    return mean([(confidence - right) ** 2 for confidence, right in _sorted_pairs(confidences, correct)])


def _sorted_pairs(confidences: Sequence[float], correct: Sequence[float]) -> list[tuple[float, float]]:
    """Return the answers in order of their confidence."""
    check_aligned(confidences, correct, "confidences and outcomes")
    check_unit_interval(confidences, "confidence")
    check_unit_interval(correct, "outcome")
    return sorted(zip(confidences, correct, strict=True))


def _equal_count_bins(pairs: Sequence[tuple[float, float]], bins: int) -> Iterator[list[tuple[float, float]]]:
    """Yield the pairs, which are in order, in bins: a bin is full once the bins so far hold their part of all answers."""
    if bins < 1:
        raise MetricInvalid(f"{bins} bins: at least one is needed")
    begun: list[tuple[float, float]] = []
    seen = full = 0
    for _, equal in groupby(pairs, key=lambda pair: pair[0]):
        begun += equal
        if (seen + len(begun)) * bins >= (full + 1) * len(pairs):
            seen += len(begun)
            full = seen * bins // len(pairs)
            yield begun
            begun = []


def _reliability_bin(pairs: Sequence[tuple[float, float]]) -> ReliabilityBin:
    right, count = math.fsum(outcome for _, outcome in pairs), len(pairs)
    return ReliabilityBin(
        low=pairs[0][0],
        high=pairs[-1][0],
        count=count,
        confidence=mean([confidence for confidence, _ in pairs]),
        right=Interval(right / count, *wilson(right, count)),
    )
