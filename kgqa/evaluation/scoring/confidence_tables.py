"""Whether the confidence of answers means something: reliability, ECE, the risk of answering more and more questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kgqa.evaluation.metrics.confidence_scores import (
    RiskPoint,
    aurc,
    brier,
    excess_aurc,
    expected_calibration_error,
    reliability,
    risk_curve,
)
from kgqa.evaluation.metrics.score_intervals import bootstrap
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, auroc_interval

_ROUNDS = 200
_CURVE_ROWS = 12

ConfidencePairs = Sequence[tuple[float, bool]]
"""Confidences of answers, and whether each is right."""


def answered_pairs(predictions: Sequence[Prediction], right: Sequence[bool]) -> list[tuple[float, bool]]:
    """Return the confidence of each answer, and whether it is right; questions without an answer are left out."""
    return [
        (min(1.0, prediction.confidence), ok) for prediction, ok in zip(predictions, right, strict=True) if prediction.answered
    ]


def coverage_curve(pairs: ConfidencePairs, total: int) -> list[RiskPoint]:
    """Return the risk-coverage curve of the answers; coverage is the share of all `total` questions."""
    points = risk_curve([confidence for confidence, _ in pairs], [1.0 - ok for _, ok in pairs])
    return [RiskPoint(point.threshold, point.coverage * len(pairs) / total, point.risk) for point in points]


def confidence_tables(pairs: ConfidencePairs, points: Sequence[RiskPoint]) -> list[ScoreTable]:
    """Return the tables of a run with at least one answer."""
    summary: tuple[tuple[str, tuple[ScoreCell, ...]], ...] = (
        ("ECE", (bootstrap(pairs, lambda drawn: expected_calibration_error(*_split_pairs(drawn)), rounds=_ROUNDS),)),
        ("Brier score", (bootstrap(pairs, lambda drawn: brier(*_split_pairs(drawn)), rounds=_ROUNDS),)),
        ("AURC", (bootstrap(pairs, lambda drawn: aurc(*_losses(drawn)), rounds=_ROUNDS),)),
        ("excess AURC", (bootstrap(pairs, lambda drawn: excess_aurc(*_losses(drawn)), rounds=_ROUNDS),)),
        ("AUROC of right answers", (auroc_interval(*_split_pairs(pairs)),)),
    )
    note = f"Of the {len(pairs):,} answers; intervals of {_ROUNDS} rounds. AURC without any knowledge is the overall risk."
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for group in reliability(*_split_pairs(pairs)):
        too_sure = group.confidence - group.right.value
        rows.append((f"{group.low:.4f} to {group.high:.4f}", (group.count, group.confidence, group.right, too_sure)))
    curve = ((f"confidence at least {point.threshold:.4f}", (point.coverage, point.risk)) for point in _thin_points(points))
    return [
        ScoreTable("Confidence", ("value",), summary, note),
        ScoreTable(
            "Reliability",
            ("answers", "mean confidence", "share right", "too sure by"),
            tuple(rows),
            "Bins of about as many answers each; Wilson's intervals.",
        ),
        ScoreTable(
            "Risk and coverage",
            ("coverage", "risk"),
            tuple(curve),
            "Answering only at some confidence: the share of all questions that is answered, and the share of those answers "
            "that is wrong. In the picture the dashed line is the risk of giving every answer.",
        ),
    ]


def _thin_points(points: Sequence[RiskPoint]) -> list[RiskPoint]:
    """Return at most a dozen points, about evenly spread over the coverage, the last one among them."""
    if not points:
        return []
    step = points[-1].coverage / _CURVE_ROWS
    selected = [point for point, after in pairwise(points) if int(point.coverage / step) != int(after.coverage / step)]
    return [*selected, points[-1]]


def _split_pairs(pairs: ConfidencePairs) -> tuple[list[float], list[bool]]:
    return [confidence for confidence, _ in pairs], [ok for _, ok in pairs]


def _losses(pairs: ConfidencePairs) -> tuple[list[float], list[float]]:
    return [confidence for confidence, _ in pairs], [1.0 - ok for _, ok in pairs]
