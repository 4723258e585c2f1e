"""Where answers in words go wrong: each item counts once, under the first thing that is wrong with what was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kgqa.evaluation.item import DatasetItem
from kgqa.evaluation.metrics.exact import exact_match, token_f1
from kgqa.evaluation.metrics.normalisation import normalise_text
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import bootstrap_share
from kgqa.evaluation.tables import ScoreCell, ScoreTable

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
