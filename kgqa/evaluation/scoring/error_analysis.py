"""Where answers in words, and verdicts on marked pairs, go wrong: each item counts once, under its first error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from graph.text.normalise import concept_name
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.metrics.text_scores import exact_match, normalise_text, token_f1
from kgqa.evaluation.prediction import PLAUSIBILITY, Prediction
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, bootstrap_share

RIGHT = "right"
ERROR_KINDS = (
    RIGHT,
    "answered where there is no answer",
    "refused where there is an answer",
    "no gold passage among those that were read",
    "yes for no, or no for yes",
    "right place, other words",
    "another number or date of the passage",
    "a number or date that has to be reckoned",
    "another span, the answer stands in the passage",
    "the answer does not stand in the passage",
)
"""What is wrong, in the order in which it is asked."""

_DIGIT = re.compile(r"\d")
_OVERLAP = 0.5
_YES_NO = ("yes", "no")
_TYPES = 8
"""How many types of items are told apart at most."""


def error_kind(item: DatasetItem, prediction: Prediction, read: int | None = None) -> str:
    """Return one of `KINDS`; `read` is how many of the retrieved passages were read.

    The words are others at the right place where the token F1 is at least .5. A number or date is another one where the set says
    that the answer is one, or it has a digit as what was said has; one has to be reckoned where it does not stand in the passage.
    """
    response, golds = prediction.response, [", ".join(spans) for spans in item.answers] if item.gold else []
    if response is None or not golds:
        return RIGHT if response is None and not golds else ERROR_KINDS[1] if response is not None else ERROR_KINDS[2]
    if exact_match(response, golds) == 1:
        return RIGHT
    if prediction.rank is not None and read is not None and not 0 < prediction.rank <= read:
        return ERROR_KINDS[3]
    if response.lower() in _YES_NO and all(gold.lower() in _YES_NO for gold in golds):
        return ERROR_KINDS[4]
    if token_f1(response, golds) >= _OVERLAP:
        return ERROR_KINDS[5]
    digits = _DIGIT.search(golds[0]) is not None and _DIGIT.search(response) is not None
    numeric = digits or item.type in ("number", "date", "value")
    passage = f" {normalise_text(item.passage)} "
    stands = any(f" {normalise_text(gold)} " in passage for gold in golds if normalise_text(gold))
    if numeric:
        return ERROR_KINDS[6] if stands else ERROR_KINDS[7]
    return ERROR_KINDS[8] if stands else ERROR_KINDS[9]


def error_tables(
    items: Sequence[DatasetItem], predictions: Sequence[Prediction], read: int | None = None
) -> Iterator[ScoreTable]:
    """Yield how often each thing is the first that is wrong, and, where there are several, by the types of the items.

    Where passages were edited for some answers, it is told of how many of each kind that was done.
    """
    error_kinds = [error_kind(item, prediction, read) for item, prediction in zip(items, predictions, strict=True)]
    edited = any(prediction.edit for prediction in predictions)
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for kind in ERROR_KINDS:
        here = [prediction for prediction, error in zip(predictions, error_kinds, strict=True) if error == kind]
        if here:
            with_edit = (sum(bool(prediction.edit) for prediction in here),) if edited else ()
            rows.append((kind, (len(here), bootstrap_share([error == kind for error in error_kinds]), *with_edit)))
    columns = ("items", "share", *(("by an edit of the passage",) if edited else ()))
    yield ScoreTable("Where answers go wrong", columns, tuple(rows), "Each item counts once.")
    types = Counter(item.type for item in items)
    if 1 < len(types) <= _TYPES:
        counts = Counter(zip(error_kinds, (item.type for item in items), strict=True))
        names = [name for name, _ in types.most_common()]
        yield ScoreTable(
            "Where answers go wrong, by type of item",
            tuple(names),
            tuple((kind, tuple(counts[kind, name] for name in names)) for kind in ERROR_KINDS if kind in error_kinds),
        )


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
