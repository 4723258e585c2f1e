"""Is something falsely taken for granted? Macro F1 of the two labels (M4), as defined and as released."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import FALSE_PRESUPPOSITION, DatasetItem
from kgqa.evaluation.metrics.classification import presupposition_f1
from kgqa.evaluation.metrics.forms import METRIC_FORMS, MetricForm
from kgqa.evaluation.metrics.intervals import bootstrap
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import BINARY_MEASURES, ScoringOutcome, binary_scores
from kgqa.evaluation.tables import ScoreCell, ScoreTable

_ROUNDS = 200


def score_presuppositions(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the scores of telling questions with a false presupposition from normal ones, beside both constant answers."""
    gold = [item.label == FALSE_PRESUPPOSITION for item in items]
    detected = [entry.response == FALSE_PRESUPPOSITION for entry in predictions]
    systems = {
        "kgqa": detected,
        "always normal": [False] * len(gold),
        "always a false presupposition": [True] * len(gold),
    }
    rows = tuple((name, _presupposition_cells(gold, labels)) for name, labels in systems.items())
    note = (
        "A question counts as having a false presupposition where the answer comes by the route of presuppositions. No part of "
        "kgqa looks for them so far: it says normal to every question."
        if not any(detected)
        else "A question counts as having a false presupposition where the answer comes by the route of presuppositions."
    )
    columns = (*(f"macro F1 (M4), {form}" for form in METRIC_FORMS), *BINARY_MEASURES)
    right = [entry == detected_label for entry, detected_label in zip(gold, detected, strict=True)]
    scores = {"accuracy": [float(entry) for entry in right]}
    return ScoringOutcome((ScoreTable("False presuppositions", columns, rows, note),), scores)


def _presupposition_cells(gold: Sequence[bool], detected: Sequence[bool]) -> tuple[ScoreCell, ...]:
    """Return M4 in both forms, and the scores of any two labels."""
    pairs = list(zip(gold, detected, strict=True))
    return (
        *(bootstrap(pairs, _macro_f1_statistic(form), rounds=_ROUNDS) for form in METRIC_FORMS),
        *binary_scores(gold, detected),
    )


def _macro_f1_statistic(form: MetricForm) -> Callable[[Sequence[tuple[bool, bool]]], float]:
    """Return M4 as a statistic of pairs of gold and predicted labels."""
    return lambda drawn: presupposition_f1([gold for gold, _ in drawn], [detected for _, detected in drawn], form)
