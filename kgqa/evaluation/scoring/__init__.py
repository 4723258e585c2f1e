"""What the predictions of a run are worth: one module a kind of task, and what all kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import PRESUPPOSITION, READING, REFUSAL, VERDICT, Item
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import Outcome

ROUGE_FOR = "causalqa"
"""The data set whose answers are scored by ROUGE-L, too."""

Score = Callable[[Dataset, Sequence[Item], Sequence[Prediction]], Outcome]
_TASKS: Mapping[str, str] = {task: f"kgqa.evaluation.scoring.{task}" for task in (VERDICT, READING, PRESUPPOSITION, REFUSAL)}


def make_sure(dataset: Dataset) -> None:
    """Raise `PackageMissing` where the scores of a data set need a library that is not there, before anything is asked."""
    if dataset.name == ROUGE_FOR:
        from kgqa.evaluation.metrics.rouge import rouge_l

        rouge_l("word", ("word",))


def scored(dataset: Dataset, items: Sequence[Item], predictions: Sequence[Prediction]) -> Outcome:
    """Return the outcome of a run: what was said to each of the items, in the same order, and what that is worth."""
    score: Score = import_module(_TASKS[dataset.task]).score
    return score(dataset, items, predictions)
