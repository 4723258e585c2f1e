"""Where questions that ask whether go wrong, for sets that mark the cause and the effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from graph.normalize import concept_name
from kgqa.evaluation.item import DatasetItem
from kgqa.evaluation.metrics.exact import token_f1
from kgqa.evaluation.prediction import PLAUSIBILITY, Prediction
from kgqa.evaluation.scoring.outcome import bootstrap_share
from kgqa.evaluation.tables import ScoreTable

MISS_KINDS = (
    "right",
    "slot wrong",
    "concept not in the graph",
    "claim not in the graph",
    "contested",
    "link wrong",
    "verdict wrong",
    "plausibility wrong",
)
_LEAST_SLOT_F1 = 0.5
_SURE_LINK = 0.85


def miss_kind(item: DatasetItem, prediction: Prediction) -> str:
    """Return one of `OUTCOMES`: the first step that failed, in the order of the steps.

    A slot is wrong where it shares less than half of its words with the marked phrase (token F1 under .5). Of an unknown
    verdict, either the graph has no concept of one of the marked names, or it has no claim. An answer that is wrong rests on a
    doubtful link where the phrases were read with a score under .85; one that there is no verdict on was wrongly plausible.
    """
    if prediction.answered and prediction.response == item.label:
        return "right"
    if prediction.route == PLAUSIBILITY:
        return "plausibility wrong"
    slots = (prediction.cause, prediction.effect)
    if any(
        token_f1(concept_name(slot), [concept_name(marked_phrase)]) < _LEAST_SLOT_F1
        for slot, marked_phrase in zip(slots, item.pair or slots, strict=True)
    ):
        return "slot wrong"
    if prediction.response == "contested":
        return "contested"
    if not prediction.answered:
        return "claim not in the graph" if all(prediction.names_found or ()) else "concept not in the graph"
    return "link wrong" if prediction.link < _SURE_LINK else "verdict wrong"


def miss_table(items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoreTable:
    """Return how often each step is the first that fails."""
    outcomes = [miss_kind(item, entry) for item, entry in zip(items, predictions, strict=True)]
    counts = Counter(outcomes)
    plausible = any(entry.route == PLAUSIBILITY for entry in predictions)
    names = MISS_KINDS if plausible else MISS_KINDS[:-1]
    rows = tuple((name, (counts[name], bootstrap_share([entry == name for entry in outcomes]))) for name in names)
    note = "Each question counts once, under the first step that fails; a concept is looked up by its very name."
    return ScoreTable("Where questions are lost", ("items", "share"), rows, note)
