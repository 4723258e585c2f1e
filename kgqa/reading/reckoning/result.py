"""What reckoning gives: an answer with its steps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumericAnswer:
    """An answer that was reckoned: its text, how well its numbers fit the question (0..1), the steps, and where it stands."""

    text: str
    fit: float
    trace: tuple[str, ...]
    start: int | None = None
    end: int | None = None


def answer_from_phrase(phrase: str, text: str, fit: float, trace: tuple[str, ...]) -> NumericAnswer:
    """Return a phrase of the question as the passage has it, where it has it."""
    place = text.lower().find(phrase.lower())
    if place < 0:
        return NumericAnswer(phrase, fit, trace)
    return NumericAnswer(text[place : place + len(phrase)], fit, trace, place, place + len(phrase))
