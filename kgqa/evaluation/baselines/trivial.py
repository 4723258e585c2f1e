"""Answers that need no understanding at all: what any system has to beat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from kgqa.evaluation.baselines.sentences import sentences_of
from kgqa.evaluation.item import Item

_CAPITALS = re.compile(r"[^\W\d_a-z][\w'’.-]*(?:\s+(?:(?:of|the|de|von|van|and)\s+)?[^\W\d_a-z][\w'’.-]*)*")


def first_capitalised_span(item: Item) -> str | None:
    """Return the first run of capitalised words of the passage, or else of the question behind its first word."""
    text = item.passage or item.question.partition(" ")[2]
    found = _CAPITALS.search(text)
    return found[0].rstrip(".") if found else None


def copy_of_question(item: Item) -> str | None:
    """Return the question itself."""
    return item.question


def first_sentence(item: Item) -> str | None:
    """Return the first sentence of the passage."""
    return next(iter(sentences_of(item.passage)), None)


def no_answer(item: Item) -> str | None:
    """Return nothing."""
    return None


READING: Mapping[str, Callable[[Item], str | None]] = {
    "first capitalised span": first_capitalised_span,
    "first sentence of the passage": first_sentence,
    "copy of the question": copy_of_question,
    "always no answer": no_answer,
}
"""Trivial answers in words, by name."""


def majority(items: Iterable[Item]) -> str | None:
    """Return the gold answer that most items have, the first of equals; `None` where most have none."""
    counts = Counter(item.gold[0] if item.gold else None for item in items)
    return counts.most_common(1)[0][0] if counts else None
