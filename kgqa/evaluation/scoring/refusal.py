"""Refusing what cannot be answered: how well confidence tells questions that have an answer from those that have none."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import ANSWERABLE, DatasetItem
from kgqa.evaluation.metrics.intervals import bootstrap
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import (
    BINARY_MEASURES,
    ScoringOutcome,
    auroc_of_pairs,
    binary_scores,
    bootstrap_share,
    mean_with_interval,
)
from kgqa.evaluation.tables import ScoreCell, ScoreTable

_ROUNDS = 200


def score_refusals(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the AUROC of confidence, which is 0 where nothing is said, beside rankings that know nothing of the graph."""
    gold = [item.label == ANSWERABLE for item in items]
    given = [entry.response not in (None, "unknown") for entry in predictions]
    ours = [entry.confidence if ok else 0.0 for entry, ok in zip(predictions, given, strict=True)]
    rankings = {
        "kgqa, by confidence": ours,
        "kgqa, answered or not": [float(entry) for entry in given],
        "shorter questions first": [-float(len(item.question)) for item in items],
        "all alike": [0.0] * len(items),
    }
    ranked = ScoreTable(
        "Answerable before unanswerable",
        ("AUROC",),
        tuple((name, (_refusal_auroc(scores, gold),)) for name, scores in rankings.items()),
    )
    constant = {"always answered": [True] * len(gold), "always refused": [False] * len(gold)}
    systems = {"kgqa": given, **constant}
    answered = ScoreTable(
        "Answered or refused",
        BINARY_MEASURES,
        tuple((name, binary_scores(gold, responses)) for name, responses in systems.items()),
        "A contested verdict counts as an answer here: it shows what speaks for either side.",
    )
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for kind in dict.fromkeys(item.type for item in items):
        at = [place for place, item in enumerate(items) if item.type == kind]
        label = items[at[0]].label
        rows.append(
            (
                kind,
                (
                    label,
                    len(at),
                    bootstrap_share([given[place] for place in at]),
                    mean_with_interval([ours[place] for place in at]),
                ),
            )
        )
    answerable = [place for place, label in enumerate(gold) if label]
    against: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for kind in dict.fromkeys(item.type for item in items if item.label != ANSWERABLE):
        at = answerable + [place for place, item in enumerate(items) if item.type == kind and not gold[place]]
        against.append((kind, (_refusal_auroc([ours[place] for place in at], [gold[place] for place in at]),)))
    each = ScoreTable("All answerable questions before each kind of unanswerable ones", ("AUROC",), tuple(against))
    kinds = ScoreTable("By kind of question", ("should be", "items", "answered", "mean confidence"), tuple(rows))
    right = [float(entry == attempted) for entry, attempted in zip(gold, given, strict=True)]
    return ScoringOutcome((ranked, answered, kinds, each), {"rightly answered or refused": right})


def _refusal_auroc(scores: Sequence[float], gold: Sequence[bool]) -> ScoreCell:
    """Return an AUROC with its interval; `None` where all items are of one kind."""
    if len(set(gold)) < 2:
        return None
    return bootstrap(list(zip(scores, gold, strict=True)), auroc_of_pairs, rounds=_ROUNDS)
