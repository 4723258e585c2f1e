"""What the predictions of a run are worth: one module a kind of task, and what all kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from kgqa.evaluation.dataset_item import CLAIM, PRESUPPOSITION, READING, REFUSAL, VERDICT, WRITING, DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.score_table import ScoringOutcome

ROUGE_FOR = "causalqa"
"""The data set whose answers are scored by ROUGE-L, too."""
LINKS_FOR = "iirc"
"""The data set whose scores are told by type of answer and number of links."""

TaskScorer = Callable[[Dataset, Sequence[DatasetItem], Sequence[Prediction]], ScoringOutcome]
_SCORERS: Mapping[str, str] = {
    VERDICT: "verdict_scores:score_verdicts",
    READING: "reading_scores:score_readings",
    PRESUPPOSITION: "presupposition_scores:score_presuppositions",
    CLAIM: "presupposition_scores:score_claims",
    REFUSAL: "refusal_scores:score_refusals",
    WRITING: "writing_scores:score_writings",
}
"""The scorer of each task, as "module:function" of this package, imported when it is needed."""


def require_packages(dataset: Dataset) -> None:
    """Raise `PackageMissing` where the scores of a data set need a library that is not there, before anything is asked."""
    if dataset.name == ROUGE_FOR:
        from kgqa.evaluation.metrics.text_scores import rouge_l

        rouge_l("word", ("word",))
    if dataset.task == WRITING:
        from kgqa.evaluation.metrics.text_scores import bleu

        bleu(["word"], [["word"]])


def score_predictions(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the outcome of a run: what was said to each of the items, in the same order, and what that is worth."""
    module, _, name = _SCORERS[dataset.task].partition(":")
    score: TaskScorer = getattr(import_module(f"kgqa.evaluation.scoring.{module}"), name)
    return score(dataset, items, predictions)
