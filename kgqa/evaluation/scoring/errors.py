"""Where answers in words go wrong: each item counts once, under the first thing that is wrong with what was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kgqa.evaluation.item import Item
from kgqa.evaluation.metrics.exact import exact_match, token_f1
from kgqa.evaluation.metrics.normalisation import normalise
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import share
from kgqa.evaluation.tables import Table

RIGHT = "right"
KINDS = (
    RIGHT,
    "answered where there is no answer",
    "refused where there is an answer",
    "no gold passage among those that were read",
    "yes for no, or no for yes",
    "right place, other words",
    "another number or date",
    "another span, the answer stands in the passage",
    "the answer does not stand in the passage",
)
"""What is wrong, in the order in which it is asked."""

_DIGIT = re.compile(r"\d")
_OVERLAP = 0.5
_SIDES = ("yes", "no")


def error_of(item: Item, prediction: Prediction, read: int | None = None) -> str:
    """Return one of `KINDS`; `read` is how many of the retrieved passages were read.

    The words are others at the right place where the token F1 is at least .5; a number or date is another one where the set says
    that the answer is one, or it has a digit as what was said has.
    """
    said, golds = prediction.said, [", ".join(spans) for spans in item.answers] if item.gold else []
    if said is None or not golds:
        return RIGHT if said is None and not golds else KINDS[1] if said is not None else KINDS[2]
    if exact_match(said, golds) == 1:
        return RIGHT
    if prediction.rank is not None and read is not None and not 0 < prediction.rank <= read:
        return KINDS[3]
    if said.lower() in _SIDES and all(gold.lower() in _SIDES for gold in golds):
        return KINDS[4]
    if token_f1(said, golds) >= _OVERLAP:
        return KINDS[5]
    digits = _DIGIT.search(golds[0]) is not None and _DIGIT.search(said) is not None
    numeric = digits or item.type in ("number", "date", "value")
    passage = normalise(item.passage)
    stands = any(normalise(gold) in passage for gold in golds if normalise(gold))
    return KINDS[6] if numeric else KINDS[7] if stands else KINDS[8]


def errors(items: Sequence[Item], predictions: Sequence[Prediction], read: int | None = None) -> Table:
    """Return how often each thing is the first that is wrong."""
    found = [error_of(item, one, read) for item, one in zip(items, predictions, strict=True)]
    counts = Counter(found)
    rows = tuple((name, (counts[name], share([one == name for one in found]))) for name in KINDS if counts[name])
    return Table("Where answers go wrong", ("items", "share"), rows, "Each item counts once.")
