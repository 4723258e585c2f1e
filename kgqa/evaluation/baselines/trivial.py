"""Answers that need no understanding at all: what any system has to beat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from kgqa.evaluation.baselines.sentences import cut_sentences
from kgqa.evaluation.item import DatasetItem

_CAPITALS = re.compile(r"[^\W\d_a-z][\w'’.-]*(?:\s+(?:(?:of|the|de|von|van|and)\s+)?[^\W\d_a-z][\w'’.-]*)*")


def first_capitalised_span(item: DatasetItem) -> str | None:
    """Return the first run of capitalised words of the passage, or else of the question behind its first word."""
    text = item.passage or item.question.partition(" ")[2]
    match = _CAPITALS.search(text)
    return match[0].rstrip(".") if match else None


def copy_of_question(item: DatasetItem) -> str | None:
    """Return the question itself."""
    return item.question


def first_sentence(item: DatasetItem) -> str | None:
    """Return the first sentence of the passage."""
    return next(iter(cut_sentences(item.passage)), None)


def no_answer(item: DatasetItem) -> str | None:
    """Return nothing."""
    return None


TRIVIAL_ANSWERS: Mapping[str, Callable[[DatasetItem], str | None]] = {
    "first capitalised span": first_capitalised_span,
    "first sentence of the passage": first_sentence,
    "copy of the question": copy_of_question,
    "always no answer": no_answer,
}
"""Trivial answers in words, by name."""


def majority_answer(items: Iterable[DatasetItem]) -> str | None:
    """Return the gold answer that most items have, the first of equals; `None` where most have none."""
    counts = Counter(item.gold[0] if item.gold else None for item in items)
    return counts.most_common(1)[0][0] if counts else None
