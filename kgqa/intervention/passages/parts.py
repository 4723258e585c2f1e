"""Parts of a number of things: "of the 60 riders who started, 21 finished" tells that 21 riders finished, and not 60."""

from __future__ import annotations

import re

from kgqa.intervention.passages.facts import Fact, Reading, counted_stems
from kgqa.intervention.passages.successions import act
from kgqa.intervention.passages.words import words
from kgqa.quantities.model import Date, Quantity, Sort

_WHOLE = re.compile(
    r"\b(?:of|out of|among|from)\s(?:(?:the|its|their|his|her|these|those|all|an?|about|some)\s)*$", re.IGNORECASE
)
_PART = re.compile(
    r"(?:\s(?:of (?:them|these|those|which|whom)|were|was|had|have|did|are|been|also|only|later|even|\w+ly))*\s(?P<verb>[a-z]+)\b"
)
_RELATIVE = re.compile(r"\b(?:who|that|which|whom)(?:\s(?:were|was|had|have|are|been))*\s$")
_VERB = re.compile(
    r"\b(?:had|have|has|were|was|been|not|never)\s+(?:\w+ly\s+)?"
    r"(?!(?:had|have|has|were|was|been|not|never|to|the|an?|more|less|fewer|twice)\b)(?P<verb>[a-z]+)\b"
)


def verbs_of(clause: str, main: str) -> frozenset[str]:
    """Return the verbs of what is supposed and of what is asked, as `act` gives them: those behind "had" and "have"."""
    return frozenset(act(found["verb"]) for found in _VERB.finditer(f"{clause} . {main}"))


def counted_by(fact: Fact, passage: Reading, verbs: frozenset[str], most: int = 4) -> tuple[str, ...] | None:
    """Return the stems of what a number counts, of those that do what the verbs tell.

    A part, whose verb is one of them, counts what the whole does; for the whole it is `None` then, for it tells of others.
    """
    own = counted_stems(fact, passage, most)
    if not verbs:
        return own
    there = [one for one in passage.facts if one.sentence == fact.sentence and _counts(one.value)]
    for whole in there:
        nouns = counted_stems(whole, passage, most)
        parts = [one for one in there if nouns and one is not whole and _is_part(one, whole, passage, verbs)]
        if fact is whole and parts:
            return None
        if fact in parts:
            return nouns
    return own


def _counts(value: Quantity | Date) -> bool:
    return isinstance(value, Quantity) and value.sort is Sort.CARDINAL and not value.unit


def _is_part(part: Fact, whole: Fact, passage: Reading, verbs: frozenset[str]) -> bool:
    """Tell whether a number is one of a whole and its verb, right behind it or behind the whole, is one of these."""
    text = passage.text
    if whole.end <= part.start:
        behind = _PART.match(text, part.end)
        named = _WHOLE.search(text, max(0, whole.start - 24), whole.start)
        return named is not None and behind is not None and act(behind["verb"]) in verbs
    if _WHOLE.fullmatch(text[part.end : whole.start].strip() + " ") is None:
        return False
    clause = re.split(r"[,;.:]", text[whole.end : passage.sentences[whole.sentence][1]], maxsplit=1)[0]
    return any(act(word.text) in verbs and not _RELATIVE.search(clause[: word.start]) for word in words(clause))
