"""Scores without the items that the training file gives away: some releases repeat questions and passages across their splits."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.item import Item
from kgqa.evaluation.metrics.normalisation import normalise
from kgqa.evaluation.scoring.outcome import Outcome, averaged
from kgqa.evaluation.tables import Cell, Table


def leaked(items: Sequence[Item], train: Sequence[Item]) -> tuple[list[bool], list[bool]]:
    """Return for each item whether its question, and whether one of the paragraphs of its passage, is in the training items."""
    questions = {normalise(item.question) for item in train}
    passages = {normalise(part) for item in train for part in _parts(item)}
    return (
        [normalise(item.question) in questions for item in items],
        [any(normalise(part) in passages for part in _parts(item)) for item in items],
    )


def by_leakage(items: Sequence[Item], train: Sequence[Item], outcome: Outcome) -> Table:
    """Return kgqa's scores with and without the items that share a question or a passage with the training items."""
    question, passage = leaked(items, train)
    groups = {
        "all": [True] * len(items),
        "question not in training": [not one for one in question],
        "neither question nor passage in training": [not (one or two) for one, two in zip(question, passage, strict=True)],
        "question in training": question,
        "passage in training": passage,
    }
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for name, kept in groups.items():
        at = [place for place, one in enumerate(kept) if one]
        rows.append((name, (len(at), *(averaged([values[place] for place in at]) for values in outcome.scores.values()))))
    return Table(
        "Leakage", ("items", *outcome.scores), tuple(rows), f"Against {len(train):,} training items, after normalisation."
    )


def _parts(item: Item) -> list[str]:
    return [part for part in item.passage.split("\n\n") if part.strip()]
