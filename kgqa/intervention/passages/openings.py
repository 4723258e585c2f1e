"""How a question opens what it supposes: "if", "had" and "were" before their subject, "without", each with an example."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from kgqa.intervention.passages.changes import find_changes

QUESTION_WORD_PATTERN = (
    r"(?:(?:in|on|at|by|for|to|from|with|of|until|till|under|through|against|as|over|during|after|"
    r"before|around|into|about|towards?"
    r"|approximately|exactly|within|upon|alongside|between|via)\s+){0,2}(?:who|whom|whose|what|which|when|where|why|how)\b"
)
"""How a clause begins that asks for something."""
AUXILIARY_PATTERN = r"(?:would|could|will|should|is|are|was|did|does|do|can)\b"
"""How a clause begins that asks whether something is so."""


@dataclass(frozen=True, slots=True)
class ConditionalOpening:
    """One way to open a supposition: a pattern, and an example.

    `kept` says that the words belong to the clause, for they tell what is denied; `imagined` that the main clause must have a
    "would", for the words have other uses; `changes` that the clause must change an amount.
    """

    pattern: str
    example: str
    keeps_opening: bool = False
    imagined: bool = False
    changes: bool = False


_SUBJECT = r"(?:it|he|she|they|we|there|the|an?|its|his|her|their|[A-Z][\w’'.\-]*)"
_AWAY = r"without|but\s+for|barring|absent|in\s+the\s+absence\s+of|unless"

CONDITIONAL_OPENINGS = (
    ConditionalOpening(
        r"\b(?:(?i:(?:^what\s+)?if)|supposing|assuming|provided)\b(?:\s+that\b)?"
        r"|(?:^|(?<=[.,;:]\s))(?i:suppos(?:ing|e)|assum(?:ing|e)|imagine|provided)\b(?:\s+that\b)?",
        "If the tower were taller, which would be the tallest?",
    ),
    ConditionalOpening(
        r"\b(?:(?:^G|,\sg)iven\s+that|[Oo]n\s+the\s+assumption\s+that|[Ii]n\s+case|[Ii]n\s+a\s+world\s+(?:where|in\s+which)|"
        r"[Ll]et(?:\s+us|['’]s)\s+(?:say|assume|suppose|imagine))\b(?:\s+that\b)?",
        "Let us say the tower had ten more floors. How many would it have?",
    ),
    ConditionalOpening(r"^(?i:say)\b(?:\s+that\b)?", "Say the tower had ten more floors, how many would it have?", imagined=True),
    ConditionalOpening(r"^(?i:had)\b", "Had the strike not ended, when would the film have come out?", keeps_opening=True),
    ConditionalOpening(
        r"^(?i:were|should|did)\b", "Were the tower 20 m taller, which would be the tallest?", keeps_opening=True, imagined=True
    ),
    ConditionalOpening(
        rf"\b(?i:{_AWAY})\b", "Who would have led without Chamberlain resigning?", keeps_opening=True, imagined=True
    ),
    ConditionalOpening(
        r"^(?i:with|by)\b(?!\s+(?:wh\w+|how)\b)",
        "With two more floors, how tall would it be?",
        keeps_opening=True,
        imagined=True,
        changes=True,
    ),
    ConditionalOpening(
        rf"(?<=\s)(?<!have\s)(?<!has\s)(?:had|were)(?=\s{_SUBJECT}\s(?:[\w’'.\-]+\s){{0,7}}?(?:not|never|been|to|[a-z]+ed|[a-z]+[ew]n)\b)",
        "Who would have led had Chamberlain not resigned?",
        keeps_opening=True,
        imagined=True,
    ),
)
"""The openings, the first that parts a question in two clauses tells."""

CONTRARY_OPENING = re.compile(rf"^(?:{_AWAY}|(?:(?:had|were)\s+it\s+)?not\s+(?:been\s+)?for)\b", re.IGNORECASE)
"""How a kept clause begins that takes something away, whatever its verb."""
HYPOTHETICAL_OPENING = re.compile(r"^(?:were|should|did|with|by)\b", re.IGNORECASE)
"""How a kept clause begins that imagines something."""

_WOULD = re.compile(r"\b(?:would|could|might)(?:n['’]t)?\b", re.IGNORECASE)
_COMMA = r"[\"”’']?\s*(?:[,;.:]|\s[-–])[\"”’']?\s*(?:then\s+)?"
_MAIN_WH = re.compile(rf"{_COMMA}(?={QUESTION_WORD_PATTERN})", re.IGNORECASE)
_MAIN_WHETHER = re.compile(rf"{_COMMA}(?={AUXILIARY_PATTERN})", re.IGNORECASE)
_MAIN_LATE = re.compile(rf"{_COMMA}(?=.*\s{QUESTION_WORD_PATTERN})", re.IGNORECASE)
_BARE_MAIN = re.compile(rf"\s+(?:then\s+)?(?={QUESTION_WORD_PATTERN}.*\b(?:would|could|will)\b)", re.IGNORECASE)
_BARE_WHETHER = re.compile(rf"\s+(?:then\s+)?(?=(?:would|could|will)\s+(?-i:{_SUBJECT})\s)", re.IGNORECASE)
_MAINS = (_MAIN_WH, _MAIN_WHETHER, _MAIN_LATE, _BARE_MAIN, _BARE_WHETHER)
_ASKING = re.compile(rf"(?:^|\s){QUESTION_WORD_PATTERN}|^{AUXILIARY_PATTERN}", re.IGNORECASE)


@cache
def _compiled_openings() -> tuple[tuple[ConditionalOpening, re.Pattern[str]], ...]:
    return tuple((row, re.compile(row.pattern)) for row in CONDITIONAL_OPENINGS)


def split_clauses(question: str) -> tuple[str, str] | None:
    """Return the clause of a question that supposes, without its "if", and the main clause; `None` where there are not both."""
    text = " ".join(question.split()).rstrip("?! .")
    for row, pattern in _compiled_openings():
        opening = pattern.search(text)
        cut = None if opening is None else _split_at_opening(text, opening, row)
        if cut is not None and (not row.imagined or _WOULD.search(cut[1])) and (not row.changes or find_changes(cut[0])):
            return cut
    return None


def _split_at_opening(text: str, opening: re.Match[str], row: ConditionalOpening) -> tuple[str, str] | None:
    """Return the clause behind an opening, with the opening where that is kept, and the main clause before or behind it."""
    before, after = text[: opening.start()].rstrip(" ,;:"), text[opening.end() :].strip(" ,;:")
    if row.keeps_opening:
        after = f"{opening[0].lower()} {after}"
    if len(before.split()) >= 3 and _ASKING.search(before):
        return (after, before) if after else None
    main = next(filter(None, (_last_match(pattern, after) for pattern in _MAINS)), None)
    if main is None:
        return None
    clause, main_clause = after[: main.start()].strip(" ,;:"), after[main.end() :].strip()
    return (f"{before} {clause}".strip() if before else clause, main_clause) if clause and main_clause else None


def _last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the last place where a main clause may begin: an "if" clause often has a relative clause between commas."""
    return next(reversed(list(pattern.finditer(text))), None)
