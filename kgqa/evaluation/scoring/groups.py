"""The same scores by kind of question: by semantic class, pragmatic class, route, type of answer, source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.item import DatasetItem
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import ScoringOutcome, bootstrap_share, mean_with_interval
from kgqa.evaluation.tables import ScoreCell, ScoreTable

_MOST_GROUPS = 12
"""A data set's own way of grouping is shown where it has no more groups than this."""

_NUMERIC_TYPES = {"number", "date"}


def group_tables(
    items: Sequence[DatasetItem], predictions: Sequence[Prediction], outcome: ScoringOutcome
) -> Iterator[ScoreTable]:
    """Yield a table for each way of grouping; of groups that the data set gives, only where there is more than one."""
    own = {
        "By semantic class": [prediction.semantic or "not causal" for prediction in predictions],
        "By pragmatic class": [prediction.pragmatic or "none told" for prediction in predictions],
        "By pragmatic subtype": [prediction.subtype or "none told" for prediction in predictions],
        "By route": [prediction.route for prediction in predictions],
    }
    if any(prediction.edit for prediction in predictions):
        own["By edit of the passage"] = [prediction.edit or "not edited" for prediction in predictions]
    theirs = {"By type of item": [item.type for item in items], "By gold answer": [_gold_label(item) for item in items]}
    if {item.type for item in items} >= _NUMERIC_TYPES:
        theirs["Numbers and dates"] = ["number or date" if item.type in _NUMERIC_TYPES else "something else" for item in items]
    for title, keys in own.items():
        yield group_table(title, keys, predictions, outcome)
    for title, keys in theirs.items():
        if 1 < len(set(keys)) <= _MOST_GROUPS:
            yield group_table(title, keys, predictions, outcome)


def group_table(title: str, keys: Sequence[str], predictions: Sequence[Prediction], outcome: ScoringOutcome) -> ScoreTable:
    """Return kgqa's scores by key, larger groups first."""
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key or "none", []).append(place)
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for key, at in sorted(places.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        scores = (mean_with_interval([values[place] for place in at]) for values in outcome.scores.values())
        rows.append((key, (len(at), bootstrap_share([predictions[place].answered for place in at]), *scores)))
    return ScoreTable(title, ("items", "coverage", *outcome.scores), tuple(rows))


def _gold_label(item: DatasetItem) -> str:
    """Return a gold answer that is one of a few labels."""
    return item.label if len(item.gold) == 1 else "several" if item.gold else "no answer"
