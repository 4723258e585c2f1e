"""Scores without the items that the training file gives away: some releases repeat questions and passages across their splits."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.item import DatasetItem
from kgqa.evaluation.metrics.normalisation import normalise_text
from kgqa.evaluation.scoring.outcome import ScoringOutcome, mean_with_interval
from kgqa.evaluation.tables import ScoreCell, ScoreTable


def find_leaked(items: Sequence[DatasetItem], train: Sequence[DatasetItem]) -> tuple[list[bool], list[bool]]:
    """Return for each item whether its question, and whether one of the paragraphs of its passage, is in the training items."""
    questions = {normalise_text(item.question) for item in train}
    passages = {normalise_text(part) for item in train for part in _paragraphs(item)}
    return (
        [normalise_text(item.question) in questions for item in items],
        [any(normalise_text(part) in passages for part in _paragraphs(item)) for item in items],
    )


def leakage_table(items: Sequence[DatasetItem], train: Sequence[DatasetItem], outcome: ScoringOutcome) -> ScoreTable:
    """Return kgqa's scores with and without the items that share a question or a passage with the training items."""
    question, passage = find_leaked(items, train)
    groups = {
        "all": [True] * len(items),
        "question not in training": [not flag for flag in question],
        "neither question nor passage in training": [
            not (flag or other_flag) for flag, other_flag in zip(question, passage, strict=True)
        ],
        "question in training": question,
        "passage in training": passage,
    }
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for name, flags in groups.items():
        at = [place for place, flag in enumerate(flags) if flag]
        rows.append(
            (name, (len(at), *(mean_with_interval([values[place] for place in at]) for values in outcome.scores.values())))
        )
    return ScoreTable(
        "Leakage", ("items", *outcome.scores), tuple(rows), f"Against {len(train):,} training items, after normalisation."
    )


def _paragraphs(item: DatasetItem) -> list[str]:
    return [part for part in item.passage.split("\n\n") if part.strip()]
