"""Refusing what cannot be answered: how well confidence tells questions that have an answer from those that have none."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import ANSWERABLE, Item
from kgqa.evaluation.metrics.intervals import bootstrap
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import BINARY, Outcome, area_of, averaged, binary_scores, share
from kgqa.evaluation.tables import Cell, Table

_ROUNDS = 200


def score(dataset: Dataset, items: Sequence[Item], predictions: Sequence[Prediction]) -> Outcome:
    """Return the AUROC of confidence, which is 0 where nothing is said, beside rankings that know nothing of the graph."""
    gold = [item.label == ANSWERABLE for item in items]
    given = [one.said not in (None, "unknown") for one in predictions]
    ours = [one.confidence if ok else 0.0 for one, ok in zip(predictions, given, strict=True)]
    rankings = {
        "kgqa, by confidence": ours,
        "kgqa, answered or not": [float(one) for one in given],
        "shorter questions first": [-float(len(item.question)) for item in items],
        "all alike": [0.0] * len(items),
    }
    ranked = Table(
        "Answerable before unanswerable", ("AUROC",), tuple((name, (_area(scores, gold),)) for name, scores in rankings.items())
    )
    constant = {"always answered": [True] * len(gold), "always refused": [False] * len(gold)}
    systems = {"kgqa": given, **constant}
    answered = Table(
        "Answered or refused",
        BINARY,
        tuple((name, binary_scores(gold, said)) for name, said in systems.items()),
        "A contested verdict counts as an answer here: it shows what speaks for either side.",
    )
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for kind in dict.fromkeys(item.type for item in items):
        at = [place for place, item in enumerate(items) if item.type == kind]
        label = items[at[0]].label
        rows.append((kind, (label, len(at), share([given[place] for place in at]), averaged([ours[place] for place in at]))))
    answerable = [place for place, label in enumerate(gold) if label]
    against: list[tuple[str, tuple[Cell, ...]]] = []
    for kind in dict.fromkeys(item.type for item in items if item.label != ANSWERABLE):
        at = answerable + [place for place, item in enumerate(items) if item.type == kind and not gold[place]]
        against.append((kind, (_area([ours[place] for place in at], [gold[place] for place in at]),)))
    each = Table("All answerable questions before each kind of unanswerable ones", ("AUROC",), tuple(against))
    kinds = Table("By kind of question", ("should be", "items", "answered", "mean confidence"), tuple(rows))
    right = [float(one == other) for one, other in zip(gold, given, strict=True)]
    return Outcome((ranked, answered, kinds, each), {"rightly answered or refused": right})


def _area(scores: Sequence[float], gold: Sequence[bool]) -> Cell:
    """Return an AUROC with its interval; `None` where all items are of one kind."""
    if len(set(gold)) < 2:
        return None
    return bootstrap(list(zip(scores, gold, strict=True)), area_of, rounds=_ROUNDS)
