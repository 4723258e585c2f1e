"""What scoring gives, whatever the task: tables, and the scores of each item to group and to rank by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kgqa.evaluation.metrics.confidence_scores import auroc
from kgqa.evaluation.metrics.label_scores import Confusion, confusion
from kgqa.evaluation.metrics.score_intervals import Interval, bootstrap_counts, bootstrap_mean, paired_difference
from kgqa.evaluation.score_table import ScoreCell, ScoreTable


@dataclass(frozen=True, slots=True)
class ScoringOutcome:
    """The main tables of a run, and kgqa's scores by item: by name, 0..1, `None` for an item that does not count for one.

    `right` tells for each item whether the answer is right; where it is empty, confidence is not about that.
    """

    tables: tuple[ScoreTable, ...]
    scores: Mapping[str, Sequence[float | None]]
    right: Sequence[bool] = ()


_BINARY_MEASURES: Mapping[str, Callable[[Confusion[bool]], float]] = {
    "accuracy": lambda table: table.accuracy,
    "balanced accuracy": lambda table: table.balanced_accuracy,
    "MCC": lambda table: table.mcc,
}
BINARY_MEASURES = tuple(_BINARY_MEASURES)
"""What is computed wherever there are two labels."""


def binary_scores(gold: Sequence[bool], predicted: Sequence[bool]) -> tuple[ScoreCell, ...]:
    """Return the scores of `BINARY` with their intervals."""
    counts = confusion(gold, predicted, (True, False)).counts
    return tuple(bootstrap_counts(counts, _as_binary_statistic(measure)) for measure in _BINARY_MEASURES.values())


def _as_binary_statistic(measure: Callable[[Confusion[bool]], float]) -> Callable[[Mapping[tuple[bool, bool], int]], float]:
    """Return a measure as a statistic of counts."""
    return lambda counts: measure(Confusion((True, False), counts))


def auroc_of_pairs(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """Return the AUROC of scores for positive items; `None` where all items are alike."""
    return auroc([score for score, _ in pairs], [positive for _, positive in pairs])


def mean_with_interval(values: Sequence[float | None]) -> ScoreCell:
    """Return the mean of the values that are there, with its bootstrap interval; `None` where none is."""
    there = [value for value in values if value is not None]
    return bootstrap_mean(there) if there else None


def difference_table(
    title: str, ours: Mapping[str, Sequence[float]], other_systems: Mapping[str, Mapping[str, Sequence[float]]]
) -> ScoreTable:
    """Return by how much kgqa's scores are higher than those of each other system on the same items, paired item by item.

    Scores are by metric, those of the others by system first. An interval that does not hold 0 is a difference.
    """
    rows = tuple(
        (f"kgqa minus {name}", tuple(paired_difference(ours[metric], scores[metric]) for metric in ours))
        for name, scores in other_systems.items()
    )
    return ScoreTable(
        title, tuple(ours), rows, "Paired item by item: where the interval does not hold 0, one of the two is better."
    )


def bootstrap_share(flags: Sequence[bool]) -> Interval | None:
    """Return the share of true ones with its bootstrap interval; `None` of nothing."""
    return bootstrap_mean([float(flag) for flag in flags]) if flags else None
