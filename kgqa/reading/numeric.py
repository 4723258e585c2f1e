"""The numeric reader: questions whose answer is reckoned from the numbers and dates of a passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgqa.reading.model import Candidate, Kind, Passage

if TYPE_CHECKING:
    from kgqa.reading.protocols import Reader
    from kgqa.reading.reckoning.asked import Operation
    from kgqa.reading.reckoning.result import Reckoned

LONGEST = 20_000
"""So many characters of a passage are reckoned with."""
_READ = 5
"""How many candidates of the base reader compete at least: how many are shown does not change which is first."""
_POINTED = 0.15
"""What part of the doubt goes where the base reader points at the same number."""


@dataclass(frozen=True, slots=True)
class NumericReader:
    """Reckons answers: differences, sums, shares, time between, which is more or first; `base` reads what needs no reckoning.

    A number that `base` points at as the one to reckon from counts for the answers that use it. Without a `base`, a question
    that nothing is reckoned for has the answer NULL.
    """

    base: Reader | None = None
    name: str = "numeric"

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; NULL where nothing can be told."""
        from kgqa.reading.reckoning.asked import asked
        from kgqa.reading.reckoning.carried import carried

        spans = list(self.base.read(question, passages, max(best, _READ))) if self.base is not None else []
        wanted = asked(question)
        reckoned: list[Candidate] = []
        if wanted is not None:
            for place, passage in enumerate(passages):
                found = carried(wanted, passage.text[:LONGEST])
                if found is not None:
                    reckoned.append(_candidate(found, wanted.operation, place, passage.text, spans))
        joined = _joined(reckoned, spans)[: max(best, 1)]
        return joined or [Candidate("", 0.5, Kind.NULL)]


def operation(question: str) -> Operation | None:
    """Return what a question wants reckoned, `None` where it is no question of numbers."""
    from kgqa.reading.reckoning.asked import asked

    found = asked(question)
    return None if found is None else found.operation


def make(model: str | None = None) -> NumericReader:
    """Return the numeric reader on top of the extractive one of a model folder, the shipped one for `None`."""
    from kgqa.reading.extractive import make as extractive

    return NumericReader(extractive(model))


def _candidate(found: Reckoned, operation: Operation, place: int, text: str, spans: Sequence[Candidate]) -> Candidate:
    """Return what was reckoned as a candidate, surer where the base reader points at the same number."""
    from kgqa.reading.reckoning.sureness import sureness

    score = sureness(operation, found.fit)
    if any(_points_at(span, found, place) for span in spans):
        score += (1 - score) * _POINTED
    stands = found.start is not None and text[found.start : found.end] == found.text
    if not stands:
        return Candidate(found.text, score, trace=found.trace)
    return Candidate(found.text, score, Kind.SPAN, place, found.start, found.end, found.trace)


def _points_at(span: Candidate, found: Reckoned, place: int) -> bool:
    """Tell whether a candidate says that a number is to be reckoned from what this one was reckoned from."""
    if span.kind is not Kind.NUMBER or span.passage != place:
        return False
    if span.start is None or span.end is None or found.start is None or found.end is None:
        return False
    return span.start < found.end and found.start < span.end


def _joined(reckoned: list[Candidate], spans: list[Candidate]) -> list[Candidate]:
    """Return what was reckoned and what was read, likeliest first, with scores that add up to at most 1.

    A number that is only pointed at is no answer. What both found is likelier than either.
    """
    merged: dict[str, Candidate] = {}
    for one in (*reckoned, *(span for span in spans if span.kind is not Kind.NUMBER)):
        key = f"{one.kind}:{one.text.casefold()}" if one.kind is not Kind.SPAN else one.text.casefold()
        other = merged.get(key)
        if other is not None:
            score = 1 - (1 - one.score) * (1 - other.score)
            one = Candidate(other.text, score, other.kind, other.passage, other.start, other.end, other.trace or one.trace)
        merged[key] = one
    ordered = sorted(merged.values(), key=lambda one: -one.score)
    total = sum(one.score for one in ordered)
    if total <= 1:
        return ordered
    return [Candidate(one.text, one.score / total, one.kind, one.passage, one.start, one.end, one.trace) for one in ordered]
