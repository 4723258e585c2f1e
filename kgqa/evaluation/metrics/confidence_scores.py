"""Calibration (reliability, ECE, Brier score) and selective answering (risk and coverage, AURC, AUROC)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.metric_conventions import check_aligned, check_unit_interval, mean
from kgqa.evaluation.metrics.score_intervals import Interval, wilson


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


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Answering only at a confidence of `threshold` or more: the share of questions answered, and the mean loss of those."""

    threshold: float
    coverage: float
    risk: float


def risk_curve(confidences: Sequence[float], losses: Sequence[float]) -> list[RiskPoint]:
    """Return the points of the risk-coverage curve, one a confidence, from the highest confidence to full coverage.

    `losses` lie in 0..1: 1 for a wrong answer, 0 for a right one, or 1 minus a score. Raises `MetricInvalid` where the lists do
    not fit or a loss is out of range. Source: El-Yaniv and Wiener 2010.
    """
    points, answered, lost = [], 0, 0.0
    for threshold, group in _by_confidence(confidences, losses):
        answered, lost = answered + len(group), lost + math.fsum(group)
        points.append(RiskPoint(threshold, answered / len(losses), min(1.0, lost / answered)))
    return points


def aurc(confidences: Sequence[float], losses: Sequence[float]) -> float:
    """Return the area under the risk-coverage curve, 0..1, 0 at best: the mean risk over answering 1, 2, ... all questions.

    Answers with the same confidence count as if drawn in random order: each of them has their mean loss. Without any knowledge
    it is the overall risk. Source: Geifman, Uziel and El-Yaniv 2019, equation 3.
    """
    lost, answered, risks = 0.0, 0, []
    for _, group in _by_confidence(confidences, losses):
        each = mean(group)
        risks += [(lost + each * place) / (answered + place) for place in range(1, len(group) + 1)]
        lost, answered = lost + math.fsum(group), answered + len(group)
    return min(1.0, mean(risks))


def excess_aurc(confidences: Sequence[float], losses: Sequence[float]) -> float:
    """Return how much greater the area is than with the best order of the same losses (E-AURC), 0..1, 0 at best.

    Source: Geifman, Uziel and El-Yaniv 2019, section 3; the best area is that of the losses in order, not its approximation.
    """
    area = aurc(confidences, losses)
    return max(0.0, area - aurc([-loss for loss in losses], losses))


def auroc(scores: Sequence[float], positive: Sequence[bool]) -> float | None:
    """Return how often a positive item (a right answer, an answerable question) has the higher score than another, 0..1.

    Equal scores count half; .5 is chance. `None` where all items are positive, or none. Source: Hanley and McNeil 1982.
    """
    check_aligned(scores, positive, "scores and labels")
    above, below, wins = 0, sum(not label for label in positive), 0.0
    if below in (0, len(positive)):
        return None
    negatives = below
    for _, group in _by_confidence(scores, [float(label) for label in positive]):
        yes = round(sum(group))
        no = len(group) - yes
        below -= no
        wins += yes * (below + no / 2)
        above += yes
    return wins / (above * negatives)


def coverage_at(confidences: Sequence[float], losses: Sequence[float], risk: float) -> float:
    """Return the greatest share of questions, 0..1, that some threshold answers at no more than this risk; 0 where none does."""
    check_unit_interval([risk], "risk")
    return max((point.coverage for point in risk_curve(confidences, losses) if point.risk <= risk + 1e-12), default=0.0)


def _by_confidence(confidences: Sequence[float], losses: Sequence[float]) -> Iterator[tuple[float, list[float]]]:
    """Yield each confidence, highest first, with the losses of the answers that have it."""
    check_aligned(confidences, losses, "confidences and losses")
    check_unit_interval(losses, "loss")
    if any(math.isnan(confidence) for confidence in confidences):
        raise MetricInvalid("a confidence is not a number")
    ordered = sorted(zip(confidences, losses, strict=True), reverse=True)
    for confidence, group in groupby(ordered, key=lambda pair: pair[0]):
        yield confidence, [loss for _, loss in group]
