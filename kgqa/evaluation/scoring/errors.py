"""Where answers in words go wrong: each item counts once, under the first thing that is wrong with what was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kgqa.evaluation.item import Item
from kgqa.evaluation.metrics.exact import exact_match, token_f1
from kgqa.evaluation.metrics.normalisation import normalise
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import share
from kgqa.evaluation.tables import Cell, Table

RIGHT = "right"
KINDS = (
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
_SIDES = ("yes", "no")
_TYPES = 8
"""How many types of items are told apart at most."""


def error_of(item: Item, prediction: Prediction, read: int | None = None) -> str:
    """Return one of `KINDS`; `read` is how many of the retrieved passages were read.

    The words are others at the right place where the token F1 is at least .5. A number or date is another one where the set says
    that the answer is one, or it has a digit as what was said has; one has to be reckoned where it does not stand in the passage.
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
    passage = f" {normalise(item.passage)} "
    stands = any(f" {normalise(gold)} " in passage for gold in golds if normalise(gold))
    if numeric:
        return KINDS[6] if stands else KINDS[7]
    return KINDS[8] if stands else KINDS[9]


def errors(items: Sequence[Item], predictions: Sequence[Prediction], read: int | None = None) -> Iterator[Table]:
    """Yield how often each thing is the first that is wrong, and, where there are several, by the types of the items.

    Where passages were edited for some answers, it is told of how many of each kind that was done.
    """
    found = [error_of(item, one, read) for item, one in zip(items, predictions, strict=True)]
    edited = any(one.edit for one in predictions)
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for kind in KINDS:
        here = [one for one, error in zip(predictions, found, strict=True) if error == kind]
        if here:
            with_edit = (sum(bool(one.edit) for one in here),) if edited else ()
            rows.append((kind, (len(here), share([error == kind for error in found]), *with_edit)))
    columns = ("items", "share", *(("by an edit of the passage",) if edited else ()))
    yield Table("Where answers go wrong", columns, tuple(rows), "Each item counts once.")
    types = Counter(item.type for item in items)
    if 1 < len(types) <= _TYPES:
        counts = Counter(zip(found, (item.type for item in items), strict=True))
        names = [name for name, _ in types.most_common()]
        yield Table(
            "Where answers go wrong, by type of item",
            tuple(names),
            tuple((kind, tuple(counts[kind, name] for name in names)) for kind in KINDS if kind in found),
        )
