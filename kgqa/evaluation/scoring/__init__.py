"""What the predictions of a run are worth: one module a kind of task, and what all kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import PRESUPPOSITION, READING, REFUSAL, VERDICT, DatasetItem
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import ScoringOutcome

ROUGE_FOR = "causalqa"
"""The data set whose answers are scored by ROUGE-L, too."""

TaskScorer = Callable[[Dataset, Sequence[DatasetItem], Sequence[Prediction]], ScoringOutcome]
_SCORERS: Mapping[str, str] = {task: f"kgqa.evaluation.scoring.{task}" for task in (VERDICT, READING, PRESUPPOSITION, REFUSAL)}


def require_packages(dataset: Dataset) -> None:
    """Raise `PackageMissing` where the scores of a data set need a library that is not there, before anything is asked."""
    if dataset.name == ROUGE_FOR:
        from kgqa.evaluation.metrics.rouge import rouge_l

        rouge_l("word", ("word",))


def score_predictions(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the outcome of a run: what was said to each of the items, in the same order, and what that is worth."""
    score: TaskScorer = import_module(_SCORERS[dataset.task]).score
    return score(dataset, items, predictions)
