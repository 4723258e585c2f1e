"""Where questions that ask whether go wrong, for sets that mark the cause and the effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from graph.normalize import concept_name
from kgqa.evaluation.item import Item
from kgqa.evaluation.metrics.exact import token_f1
from kgqa.evaluation.prediction import PLAUSIBILITY, Prediction
from kgqa.evaluation.scoring.outcome import share
from kgqa.evaluation.tables import Table

OUTCOMES = (
    "right",
    "slot wrong",
    "concept not in the graph",
    "claim not in the graph",
    "contested",
    "link wrong",
    "verdict wrong",
    "plausibility wrong",
)
_SAME_SLOT = 0.5
_SURE_LINK = 0.85


def outcome_of(item: Item, prediction: Prediction) -> str:
    """Return one of `OUTCOMES`: the first step that failed, in the order of the steps.

    A slot is wrong where it shares less than half of its words with the marked phrase (token F1 under .5). Of an unknown
    verdict, either the graph has no concept of one of the marked names, or it has no claim. An answer that is wrong rests on a
    doubtful link where the phrases were read with a score under .85; one that there is no verdict on was wrongly plausible.
    """
    if prediction.answered and prediction.said == item.label:
        return "right"
    if prediction.route == PLAUSIBILITY:
        return "plausibility wrong"
    slots = (prediction.cause, prediction.effect)
    if any(
        token_f1(concept_name(one), [concept_name(other)]) < _SAME_SLOT
        for one, other in zip(slots, item.pair or slots, strict=True)
    ):
        return "slot wrong"
    if prediction.said == "contested":
        return "contested"
    if not prediction.answered:
        return "claim not in the graph" if all(prediction.found or ()) else "concept not in the graph"
    return "link wrong" if prediction.link < _SURE_LINK else "verdict wrong"


def missed(items: Sequence[Item], predictions: Sequence[Prediction]) -> Table:
    """Return how often each step is the first that fails."""
    outcomes = [outcome_of(item, one) for item, one in zip(items, predictions, strict=True)]
    counts = Counter(outcomes)
    plausible = any(one.route == PLAUSIBILITY for one in predictions)
    names = OUTCOMES if plausible else OUTCOMES[:-1]
    rows = tuple((name, (counts[name], share([one == name for one in outcomes]))) for name in names)
    note = "Each question counts once, under the first step that fails; a concept is looked up by its very name."
    return Table("Where questions are lost", ("items", "share"), rows, note)
