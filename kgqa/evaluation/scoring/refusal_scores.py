"""Scores of refusing what cannot be answered: AUROC of confidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.dataset_item import ANSWERABLE, DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.metrics.label_scores import rule_scores
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.score_table import (
    BINARY_MEASURES,
    ScoreCell,
    ScoreTable,
    ScoringOutcome,
    auroc_interval,
    binary_scores,
    bootstrap_share,
    mean_with_interval,
)
from kgqa.questions.question_rules import lexical_matches


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
        tuple((name, (auroc_interval(scores, gold),)) for name, scores in rankings.items()),
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
        share, confidence = bootstrap_share([given[place] for place in at]), mean_with_interval([ours[place] for place in at])
        rows.append((kind, (items[at[0]].label, len(at), share, confidence)))
    answerable = [place for place, label in enumerate(gold) if label]
    against: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for kind in dict.fromkeys(item.type for item in items if item.label != ANSWERABLE):
        at = answerable + [place for place, item in enumerate(items) if item.type == kind and not gold[place]]
        against.append((kind, (auroc_interval([ours[place] for place in at], [gold[place] for place in at]),)))
    each = ScoreTable("All answerable questions before each kind of unanswerable ones", ("AUROC",), tuple(against))
    kinds = ScoreTable("By kind of question", ("should be", "items", "answered", "mean confidence"), tuple(rows))
    right = [float(entry == attempted) for entry, attempted in zip(gold, given, strict=True)]
    return ScoringOutcome((ranked, answered, kinds, each, *_rule_tables(items)), {"rightly answered or refused": right})


_NOT_CAUSAL = "not causal"
"""The kind of the questions of a refusal set that ask for no cause or effect."""


def _rule_tables(items: Sequence[DatasetItem]) -> Iterator[ScoreTable]:
    """Yield M18: how well the lexical rules of CausalQA detect causal questions, where the set has others, too."""
    causal = [item.type != _NOT_CAUSAL for item in items]
    if all(causal):
        return
    rules = rule_scores([lexical_matches(item.question) for item in items], causal)
    rows = tuple(
        (name, (rule.matches, rule.scores.precision, rule.scores.recall, rule.scores.f1)) for name, rule in rules.items()
    )
    note = "R1 to R7 of CausalQA, as the paper prints them; a question may match several."
    yield ScoreTable("Rules that detect causal questions (M18)", ("matches", "precision", "recall", "F1"), rows, note)
