"""Whether an answer is of the kind that a question asks for, such as a year for "in what year" and a number for "how many"."""

from __future__ import annotations

import re

from graph.text.word_lists import place_names
from kgqa.edits.answer_type import AnswerType, answer_type_of
from kgqa.edits.consequence_queries import takes_away
from kgqa.quantities.dates import MONTH_NAMES, SEASONS, WEEKDAYS
from kgqa.quantities.numbers import BELOW_HUNDRED, SCALES
from kgqa.questions.conditional_parser import ConditionalQuestion
from kgqa.readers.numeric.passage_tokens import content_lemmas, is_same_name, name_mentions

_NUMBER_WORDS = frozenset({*BELOW_HUNDRED, *SCALES, "no", "none", "nobody", "half", "twice", "once", "dozen", "several", "both"})
_WEEKDAY_WORDS = frozenset(f"{day.lower()}{ending}" for day in WEEKDAYS for ending in ("", "s"))
_COUNTS = re.compile(r"(?i)^\W*(?:[a-z]+\s){0,2}how (?:many|old)\b")
_HOW_MUCH = re.compile(r"(?i)^\W*(?:by |for )?how much (?:money |did|do|does|was|is|were|has|had|would)")
_AMOUNT_WORDS = frozenset("all most more less little much nothing everything part nominal free doubled tripled".split())
_WHY = re.compile(r"(?i)^\W*(?:why|how come)\b")
_WHO = re.compile(r"(?i)^\W*(?:(?:by|to|from|with|for|of|against)\s)?(?:who|whom)\b")
_WHAT_YEAR = re.compile(r"(?i)^\W*(?:(?:in|during|by|since|until|from)\s)?(?:what|which) year\b")
_WHAT_WEEKDAY = re.compile(r"(?i)^\W*(?:on\s)?(?:what|which) (?:day of the week|weekday)\b")
_WHAT_DATE = re.compile(r"(?i)^\W*(?:on\s)?(?:what|which) (?:date|day)\b(?! of the week)")
_NAMED = re.compile(r"(?i)^\W*(?:who\b|what (?:is|was) the name of)")
_OPTIONS = re.compile(r"\bor\b|,")
_WHICH_THING = re.compile(r"(?i)^\W*(?:(?:in|on|into|to|from|through|across|at|by|of) )?which (?P<thing>[a-z]+)\b")
_SEAS = frozenset(("ocean", "sea"))
_WATERS = frozenset("ocean sea gulf bay strait channel".split())
_NUMBERED = re.compile(
    r"(?i)(?:numbers?|percent\w*|years?|decades?|ages?|flights?|routes?|rooms?|scores?|amounts?|shares?|quarters?|dates?|days?|rates?|"
    r"times?|models?|sections?|articles?|chapters?|verses?|lines?|units?|floors?|figures?|values?|part|proportion|fraction)$"
)
_YEAR = re.compile(r"\b\d{3,4}(?:s|\b)|\b\d+ (?:BC|AD|BCE|CE)\b")
_WORD = re.compile(r"[^\W\d_]+")


def is_of_requested_kind(question: str, conditional: ConditionalQuestion | None, answer: str) -> bool:
    """Return whether an answer can be what a question, or the main clause of one with an "if", asks for."""
    asks = conditional.main if conditional is not None and conditional.main else question
    words = {word.lower() for word in _WORD.findall(answer)}
    digits = any(map(str.isdigit, answer))
    if _WHAT_YEAR.match(asks):
        return _YEAR.search(answer) is not None
    if _WHAT_WEEKDAY.match(asks):
        return not words.isdisjoint(_WEEKDAY_WORDS)
    if _WHAT_DATE.match(asks):
        return digits or not words.isdisjoint(MONTH_NAMES | SEASONS | _WEEKDAY_WORDS)
    if _COUNTS.match(asks):
        return _is_number(answer)
    if _NAMED.match(asks) and not _OPTIONS.search(asks):
        known = name_mentions(asks)
        if any(is_same_name(name, mention) for name in name_mentions(answer) for mention in known if mention.start):
            return False
    if _WHY.match(asks) and _is_bare_name(asks, answer):
        return False
    thing = _WHICH_THING.match(asks)
    if thing is not None and thing["thing"].lower() in _SEAS and _is_on_land(answer):
        return False
    if thing is not None and answer.strip(" ,.").replace(",", "").isdigit() and not _NUMBERED.match(thing["thing"]):
        return False
    if _HOW_MUCH.match(asks):
        return _is_number(answer) or not words.isdisjoint(_AMOUNT_WORDS)
    return not _WHO.match(asks) or not words <= _NUMBER_WORDS | MONTH_NAMES


def _is_on_land(answer: str) -> bool:
    """Return whether an answer is the name of a place that is known, and of no sea: a city is no ocean."""
    name = answer.strip(" ,.").lower().removeprefix("the ")
    if not _WATERS.isdisjoint(name.split()) or name not in place_names():
        return False
    return place_names().isdisjoint(words for kind in _WATERS for words in (f"{name} {kind}", f"{kind} of {name}"))


def _is_bare_name(question: str, answer: str) -> bool:
    """Return whether an answer ends with a name that the question has, with at most a word before: "The tenor Aurelio Banti"."""
    known = name_mentions(question)
    own = [name for name in name_mentions(answer) if any(is_same_name(name, mention) for mention in known)]
    plain = answer.strip(" .,;:!?\"'")
    return any(plain.endswith(name.text) and len(content_lemmas(plain)) <= len(name.text.split()) + 1 for name in own)


_UNCOMPUTED_TYPES = frozenset(
    {AnswerType.YEAR, AnswerType.DATE, AnswerType.MONTH, AnswerType.WEEKDAY, AnswerType.NUMBER, AnswerType.MONEY}
    | {AnswerType.PERCENT, AnswerType.DECADE, AnswerType.CENTURY, AnswerType.TIME, AnswerType.AGE, AnswerType.DIFFERENCE}
)
"""What an "if" that changes an amount changes: only an edit computes it."""
_LEAST_UNEDITED = 0.3
"""The least confidence of a number or date that a passage has without the "if", where that takes nothing away."""


_DENIED = re.compile(r"(?i)\bnot\b|n['’]t\b")
_MEASURES = re.compile(r"(?i)\bhow\b")


def depends_on_condition(conditional: ConditionalQuestion, answer: str, confidence: float) -> bool:
    """Return whether what a reader finds is no answer since the "if", which was not worked in, changes it.

    Who is taken away is none to "who". A number or date is none where the "if" changes an amount, or where an age is asked for;
    else where the reader is not sure, too, unless the "if" only takes something away.
    """
    answer_type = answer_type_of(conditional.main)
    if _WHO.match(conditional.main) and not _DENIED.search(conditional.main) and takes_away(conditional):
        names = name_mentions(conditional.clause)[:1]
        return any(is_same_name(name, mention) for name in names for mention in name_mentions(answer))
    counts = answer_type is not AnswerType.NUMBER or _MEASURES.search(conditional.main) is not None
    if answer_type not in _UNCOMPUTED_TYPES or not (counts or (conditional.changes and not conditional.negated)):
        return False
    if not _is_number(answer):
        return False
    if answer_type is AnswerType.AGE or conditional.changes:
        return True
    return not conditional.negated and confidence < _LEAST_UNEDITED


def _is_number(answer: str) -> bool:
    words = {word.lower() for word in _WORD.findall(answer)}
    return any(map(str.isdigit, answer)) or not words.isdisjoint(_NUMBER_WORDS)
