"""The test questions, and the paragraphs of their passages, that a training file contains."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.metrics.text_scores import normalise_text


def find_leaked(items: Sequence[DatasetItem], train: Sequence[DatasetItem]) -> tuple[list[bool], list[bool]]:
    """Return for each item whether its question, and whether one of the paragraphs of its passage, is in the training items."""
    questions = {normalise_text(item.question) for item in train}
    passages = {normalise_text(part) for item in train for part in _paragraphs(item)}
    return (
        [normalise_text(item.question) in questions for item in items],
        [any(normalise_text(part) in passages for part in _paragraphs(item)) for item in items],
    )


def _paragraphs(item: DatasetItem) -> list[str]:
    return [part for part in item.passage.split("\n\n") if part.strip()]
