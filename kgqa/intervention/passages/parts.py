"""Parts of a number of things: "of the 60 riders who started, 21 finished" tells that 21 riders finished, and not 60."""

from __future__ import annotations

import re

from kgqa.intervention.passages.facts import ParsedPassage, PassageFact, counted_noun_stems
from kgqa.intervention.passages.successions import verb_lemma
from kgqa.intervention.passages.words import passage_tokens
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


def question_verbs(clause: str, main: str) -> frozenset[str]:
    """Return the verbs of what is supposed and of what is asked, as `act` gives them: those behind "had" and "have"."""
    return frozenset(verb_lemma(match["verb"]) for match in _VERB.finditer(f"{clause} . {main}"))


def counted_by_verbs(fact: PassageFact, passage: ParsedPassage, verbs: frozenset[str], most: int = 4) -> tuple[str, ...] | None:
    """Return the stems of what a number counts, of those that do what the verbs tell.

    A part, whose verb is one of them, counts what the whole does; for the whole it is `None` then, for it tells of others.
    """
    own = counted_noun_stems(fact, passage, most)
    if not verbs:
        return own
    there = [number for number in passage.facts if number.sentence == fact.sentence and _is_plain_count(number.value)]
    for whole in there:
        nouns = counted_noun_stems(whole, passage, most)
        parts = [number for number in there if nouns and number is not whole and _is_part_of_whole(number, whole, passage, verbs)]
        if fact is whole and parts:
            return None
        if fact in parts:
            return nouns
    return own


def _is_plain_count(value: Quantity | Date) -> bool:
    return isinstance(value, Quantity) and value.sort is Sort.CARDINAL and not value.unit


def _is_part_of_whole(part: PassageFact, whole: PassageFact, passage: ParsedPassage, verbs: frozenset[str]) -> bool:
    """Tell whether a number is one of a whole and its verb, right behind it or behind the whole, is one of these."""
    text = passage.text
    if whole.end <= part.start:
        behind = _PART.match(text, part.end)
        whole_match = _WHOLE.search(text, max(0, whole.start - 24), whole.start)
        return whole_match is not None and behind is not None and verb_lemma(behind["verb"]) in verbs
    if _WHOLE.fullmatch(text[part.end : whole.start].strip() + " ") is None:
        return False
    clause = re.split(r"[,;.:]", text[whole.end : passage.sentences[whole.sentence][1]], maxsplit=1)[0]
    return any(verb_lemma(word.text) in verbs and not _RELATIVE.search(clause[: word.start]) for word in passage_tokens(clause))
