"""The same scores by kind of question: by semantic class, pragmatic class, route, type of answer, source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.item import Item
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import Outcome, averaged, share
from kgqa.evaluation.tables import Cell, Table

_MOST = 12
"""A data set's own way of grouping is shown where it has no more groups than this."""

_RECKONED = {"number", "date"}


def by_group(items: Sequence[Item], predictions: Sequence[Prediction], outcome: Outcome) -> Iterator[Table]:
    """Yield a table for each way of grouping; of groups that the data set gives, only where there is more than one."""
    own = {
        "By semantic class": [one.semantic or "not causal" for one in predictions],
        "By pragmatic class": [one.pragmatic or "none told" for one in predictions],
        "By pragmatic subtype": [one.subtype or "none told" for one in predictions],
        "By route": [one.route for one in predictions],
    }
    if any(one.edit for one in predictions):
        own["By edit of the passage"] = [one.edit or "not edited" for one in predictions]
    theirs = {"By type of item": [item.type for item in items], "By gold answer": [_label(item) for item in items]}
    if {item.type for item in items} >= _RECKONED:
        theirs["Numbers and dates"] = ["number or date" if item.type in _RECKONED else "something else" for item in items]
    for title, keys in own.items():
        yield grouped(title, keys, predictions, outcome)
    for title, keys in theirs.items():
        if 1 < len(set(keys)) <= _MOST:
            yield grouped(title, keys, predictions, outcome)


def grouped(title: str, keys: Sequence[str], predictions: Sequence[Prediction], outcome: Outcome) -> Table:
    """Return kgqa's scores by key, larger groups first."""
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key or "none", []).append(place)
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for key, at in sorted(places.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        scores = (averaged([values[place] for place in at]) for values in outcome.scores.values())
        rows.append((key, (len(at), share([predictions[place].answered for place in at]), *scores)))
    return Table(title, ("items", "coverage", *outcome.scores), tuple(rows))


def _label(item: Item) -> str:
    """Return a gold answer that is one of a few labels."""
    return item.label if len(item.gold) == 1 else "several" if item.gold else "no answer"
