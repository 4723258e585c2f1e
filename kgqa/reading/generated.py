"""From texts that a model wrote to candidates: what they mean, and where they stand in the passages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa.reading.beams import Hypothesis
from kgqa.reading.form import Form, form_of
from kgqa.reading.model import Candidate, Kind, Passage

_REFUSALS = {"noanswer", "unanswerable", "cannotanswer", "notanswerable"}


@dataclass(frozen=True, slots=True)
class Written:
    """A text that a model wrote as tokens, and the numbers of the passages that are searched for it, in order."""

    text: str
    tokens: Hypothesis
    order: tuple[int, ...] = ()
    trace: tuple[str, ...] = ()


def candidates(question: str, written: Sequence[Written], passages: Sequence[Passage], best: int) -> tuple[Candidate, ...]:
    """Return the `best` candidates that texts are, likeliest first, never none.

    The scores add up to the probability of one token of the likeliest text on average, which does not fall with its length; each
    candidate has its share of it by the probability of its whole text. Texts that differ in case or space only are one candidate.
    What stands in a passage is told as it stands there; "yes" and "no" are such only where the question may ask whether.
    """
    if not written:
        return (Candidate("", 0.0, Kind.NULL),)
    whether = form_of(question) is not Form.OPEN
    first = max(one.tokens.log_probability for one in written)
    sure = max(one.tokens.score for one in written if one.tokens.log_probability == first)
    total = math.fsum(math.exp(one.tokens.log_probability - first) for one in written)
    told: dict[tuple[Kind, str], Candidate] = {}
    for one in sorted(written, key=lambda one: (-one.tokens.log_probability, one.text)):
        found = _candidate(one, passages, whether)
        key = found.kind, " ".join(found.text.lower().split())
        share = sure * math.exp(one.tokens.log_probability - first) / total
        known = told.setdefault(key, replace(found, score=0.0))
        told[key] = replace(known, score=known.score + share)
    return tuple(sorted(told.values(), key=lambda one: -one.score)[:best])


def is_refusal(text: str) -> bool:
    """Return whether a text says that there is no answer, or nothing at all."""
    letters = _letters(text)
    return not letters or letters in _REFUSALS


def nothing(reader: str) -> Candidate:
    """Return the one candidate of a reader where there is nothing to read."""
    return Candidate("", 1.0, Kind.NULL, trace=(f"{reader}: nothing to read",))


def place_of(text: str, passage: str) -> tuple[int, int] | None:
    """Return where a text first stands in a passage as whole words, whatever its case and space; `None` where it does not."""
    words = text.split()
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words)
    found = re.search(rf"(?<!\w){pattern}(?!\w)", passage, re.IGNORECASE)
    return found.span() if found else None


def _candidate(one: Written, passages: Sequence[Passage], whether: bool) -> Candidate:
    text = " ".join(one.text.split()).strip()
    if is_refusal(text):
        return Candidate("", 0.0, Kind.NULL, trace=one.trace)
    if whether and _letters(text) in {"yes", "no"}:
        return Candidate(_letters(text), 0.0, Kind(_letters(text)), trace=one.trace)
    for number in one.order:
        place = place_of(text, passages[number].text)
        if place is not None:
            start, end = place
            return Candidate(passages[number].text[start:end], 0.0, Kind.SPAN, number, start, end, one.trace)
    return Candidate(text, 0.0, Kind.SPAN, trace=one.trace)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())
