"""Whether the confidence of answers means something: reliability, ECE, the risk of answering more and more questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kgqa.evaluation.metrics.calibration import brier, expected_calibration_error, reliability
from kgqa.evaluation.metrics.intervals import bootstrap
from kgqa.evaluation.metrics.risk import Point, aurc, excess_aurc, risk_curve
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import area_of
from kgqa.evaluation.tables import Cell, Table

_ROUNDS = 200
_SHOWN = 12

Pairs = Sequence[tuple[float, bool]]
"""Confidences of answers, and whether each is right."""


def answered_pairs(predictions: Sequence[Prediction], right: Sequence[bool]) -> list[tuple[float, bool]]:
    """Return the confidence of each answer, and whether it is right; questions without an answer are left out."""
    return [(min(1.0, one.confidence), ok) for one, ok in zip(predictions, right, strict=True) if one.answered]


def curve(pairs: Pairs, total: int) -> list[Point]:
    """Return the risk-coverage curve of the answers; coverage is the share of all `total` questions."""
    points = risk_curve([one for one, _ in pairs], [1.0 - ok for _, ok in pairs])
    return [Point(point.threshold, point.coverage * len(pairs) / total, point.risk) for point in points]


def confidence_tables(pairs: Pairs, points: Sequence[Point]) -> list[Table]:
    """Return the tables of a run with at least one answer."""
    both = len({ok for _, ok in pairs}) == 2
    summary: tuple[tuple[str, tuple[Cell, ...]], ...] = (
        ("ECE", (bootstrap(pairs, lambda drawn: expected_calibration_error(*_split(drawn)), rounds=_ROUNDS),)),
        ("Brier score", (bootstrap(pairs, lambda drawn: brier(*_split(drawn)), rounds=_ROUNDS),)),
        ("AURC", (bootstrap(pairs, lambda drawn: aurc(*_losses(drawn)), rounds=_ROUNDS),)),
        ("excess AURC", (bootstrap(pairs, lambda drawn: excess_aurc(*_losses(drawn)), rounds=_ROUNDS),)),
        ("AUROC of right answers", (bootstrap(pairs, area_of, rounds=_ROUNDS) if both else None,)),
    )
    note = f"Of the {len(pairs):,} answers; intervals of {_ROUNDS} rounds. AURC without any knowledge is the overall risk."
    bins = reliability(*_split(pairs))
    rows = tuple(
        (f"{one.low:.4f} to {one.high:.4f}", (one.count, one.confidence, one.right, one.confidence - one.right.value))
        for one in bins
    )
    shown = _thinned(points)
    return [
        Table("Confidence", ("value",), summary, note),
        Table(
            "Reliability",
            ("answers", "mean confidence", "share right", "too sure by"),
            rows,
            "Bins of about as many answers each; Wilson's intervals.",
        ),
        Table(
            "Risk and coverage",
            ("coverage", "risk"),
            tuple((f"confidence at least {point.threshold:.4f}", (point.coverage, point.risk)) for point in shown),
            "Answering only at some confidence: the share of all questions that is answered, and the share of those answers "
            "that is wrong. In the picture the dashed line is the risk of giving every answer.",
        ),
    ]


def _thinned(points: Sequence[Point]) -> list[Point]:
    """Return at most a dozen points, about evenly spread over the coverage, the last one among them."""
    if not points:
        return []
    step = points[-1].coverage / _SHOWN
    kept = [one for one, after in pairwise(points) if int(one.coverage / step) != int(after.coverage / step)]
    return [*kept, points[-1]]


def _split(pairs: Pairs) -> tuple[list[float], list[bool]]:
    return [one for one, _ in pairs], [ok for _, ok in pairs]


def _losses(pairs: Pairs) -> tuple[list[float], list[float]]:
    return [one for one, _ in pairs], [1.0 - ok for _, ok in pairs]
