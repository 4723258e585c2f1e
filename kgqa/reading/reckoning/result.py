"""What reckoning gives: an answer with its steps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reckoned:
    """An answer that was reckoned: its text, how well its numbers fit the question (0..1), the steps, and where it stands."""

    text: str
    fit: float
    trace: tuple[str, ...]
    start: int | None = None
    end: int | None = None


def spoken(phrase: str, text: str, fit: float, trace: tuple[str, ...]) -> Reckoned:
    """Return a phrase of the question as the passage has it, where it has it."""
    place = text.lower().find(phrase.lower())
    if place < 0:
        return Reckoned(phrase, fit, trace)
    return Reckoned(text[place : place + len(phrase)], fit, trace, place, place + len(phrase))
