"""The scores by kind of question, without the items that training files hold, and by the rank of the gold passage (M3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.metrics.label_scores import claim_support
from kgqa.evaluation.metrics.retrieval_scores import links_group, means_by_group, recall_at, set_scores
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, ScoringOutcome, bootstrap_share, mean_with_interval
from kgqa.evaluation.scoring.leakage import find_leaked

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
    return item.label if len(item.gold) == 1 else "several" if item.gold else "no answer"


def leakage_table(items: Sequence[DatasetItem], train: Sequence[DatasetItem], outcome: ScoringOutcome) -> ScoreTable:
    """Return kgqa's scores with and without the items that share a question or a passage with the training items."""
    question, passage = find_leaked(items, train)
    groups = {
        "all": [True] * len(items),
        "question not in training": [not flag for flag in question],
        "neither question nor passage in training": [not any(flags) for flags in zip(question, passage, strict=True)],
        "question in training": question,
        "passage in training": passage,
    }
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for name, flags in groups.items():
        at = [place for place, flag in enumerate(flags) if flag]
        scores = (mean_with_interval([values[place] for place in at]) for values in outcome.scores.values())
        rows.append((name, (len(at), *scores)))
    note = f"Against {len(train):,} training items, after normalisation."
    return ScoreTable("Leakage", ("items", *outcome.scores), tuple(rows), note)


def support_table(predictions: Sequence[Prediction]) -> Iterator[ScoreTable]:
    """Yield M19, the share of the claims of an answer that it shows evidence for, where predictions tell of their claims."""
    counts = [prediction.claims for prediction in predictions if prediction.claims]
    if counts:
        cells = (len(counts), sum(map(len, counts)), mean_with_interval([claim_support(claims) for claims in counts]))
        note = "Of the answers that rest on causal claims; a refusal makes none."
        yield ScoreTable("Claims with evidence (M19)", ("answers", "claims", "share supported"), (("kgqa", cells),), note)


_LINKED = "DROP F1, strict"


def link_tables(items: Sequence[DatasetItem], predictions: Sequence[Prediction], outcome: ScoringOutcome) -> Iterator[ScoreTable]:
    """Yield M17, the scores by answer type and number of links, and M16 where predictions tell which links were read."""
    scores = outcome.scores.get(_LINKED, ())
    keys = [(item.type, "" if item.links is None else links_group(len(item.links))) for item in items]
    pairs = ((key, score) for key, score in zip(keys, scores, strict=True) if score is not None)
    means = means_by_group(pairs) if scores else {}
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = [
        (f"{kind}{f', {links} links' if links else ''}", (group.count, group.score))
        for (kind, links), group in sorted(means.items())
    ]
    if rows:
        yield ScoreTable("By answer type and number of links (M17)", ("items", _LINKED), tuple(rows))
    linked = [
        set_scores([title.lower() for title in prediction.links], item.links)
        for item, prediction in zip(items, predictions, strict=True)
        if item.links is not None and prediction.links is not None
    ]
    if linked:
        measures = ("precision", "recall", "f1")
        cells = (mean_with_interval([getattr(entry, measure) for entry in linked]) for measure in measures)
        yield ScoreTable("Links (M16)", ("items", "precision", "recall", "F1"), (("kgqa", (len(linked), *cells)),))


PLACES = (1, 5, 20, 100)
_RETRIEVAL_NOTE = (
    "The share of the questions with a gold passage among so many that were retrieved; a passage is told by its words alone, and "
    "one of several is enough."
)


def retrieval_tables(predictions: Sequence[Prediction], outcome: ScoringOutcome) -> Iterator[ScoreTable]:
    """Yield the tables of a run that retrieved its passages; none of another."""
    ranks = [prediction.rank for prediction in predictions]
    known_ranks = [rank for rank in ranks if rank is not None]
    if not known_ranks:
        return
    retrieved = range(1, PLACES[-1] + 1)
    cells = tuple(mean_with_interval([recall_at(retrieved, {rank}, place) for rank in known_ranks]) for place in PLACES)
    columns = ("items", *(f"R@{place}" for place in PLACES))
    yield ScoreTable("Passages retrieved (M3)", columns, (("kgqa", (len(known_ranks), *cells)),), _RETRIEVAL_NOTE)
    yield group_table("By the place of the gold passage", [_rank_group(rank) for rank in ranks], predictions, outcome)


def _rank_group(rank: int | None) -> str:
    if rank is None:
        return "not retrieved"
    last = 0
    for place in PLACES:
        if last < rank <= place:
            return str(place) if place == 1 else f"{last + 1} to {place}"
        last = place
    return "not found"
