"""What an "if" question supposes and what it asks: its two clauses, the mood and negation of the "if", and its changes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from kgqa.intervention.passages.changes import Change, changes


class Mood(StrEnum):
    """How an "if" stands to what is so: contrary to fact ("had been"), imagined ("were", "was"), or open ("is")."""

    COUNTERFACTUAL = "counterfactual"
    HYPOTHETICAL = "hypothetical"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Supposition:
    """A question with an "if" in two clauses; `conditions` are the parts of the "if", joined by `joined` ("and", "or", "but").

    `changes` are the amounts by which the "if" changes something, surest first; `negated` says that it takes something away.
    """

    clause: str
    main: str
    mood: Mood
    negated: bool
    conditions: tuple[str, ...]
    joined: str
    changes: tuple[Change, ...]

    def condition_of(self, change: Change) -> tuple[str, bool]:
        """Return the condition in which a change stands, and whether that names a subject of its own."""
        at = 0
        for place, condition in enumerate(self.conditions):
            at = self.clause.find(condition, at)
            if at <= change.start < at + len(condition):
                return condition, place == 0 or not _BARE.match(condition)
            at += len(condition)
        return self.clause, True


_BARE = re.compile(
    r"^(?:then\s+|also\s+|later\s+)*(?:it|he|she|they|had|was|were|not|never|did|hadn['’]t|\w+ed|won|lost|gained|sold)\b",
    re.IGNORECASE,
)
"""How a condition begins that is on what the one before it is on."""
_ASKS = (
    r"(?:(?:in|on|at|by|for|to|from|with|of|until|till|under|through|against|as|over|during|after|"
    r"before|around|into|about|towards?"
    r"|approximately|exactly|within|upon|alongside|between|via)\s+){0,2}(?:who|whom|whose|what|which|when|where|why|how)\b"
)
_ASKS_WHETHER = r"(?:would|could|will|should|is|are|was|did|does|do|can)\b"
_IF = re.compile(r"\b(?:if|supposing|suppose|assuming|assume|imagine|provided|had)\b(?:\s+that\b)?", re.IGNORECASE)
_COMMA = r"[\"”’']?\s*(?:[,;.]|\s[-–])[\"”’']?\s*(?:then\s+)?"
_MAIN = re.compile(rf"{_COMMA}(?={_ASKS})", re.IGNORECASE)
_MAIN_WHETHER = re.compile(rf"{_COMMA}(?={_ASKS_WHETHER})", re.IGNORECASE)
_MAIN_LATE = re.compile(rf"{_COMMA}(?=.*\s{_ASKS})", re.IGNORECASE)
_BARE_MAIN = re.compile(rf"\s+(?:then\s+)?(?={_ASKS}.*\b(?:would|could|will)\b)", re.IGNORECASE)
_ASKING = re.compile(rf"(?:^|\s){_ASKS}|^{_ASKS_WHETHER}", re.IGNORECASE)
_COUNTERFACTUAL = re.compile(r"\b(?:had|hadn['’]t)\b", re.IGNORECASE)
_HYPOTHETICAL = re.compile(r"\b(?:were|was|did|weren['’]t|wasn['’]t|didn['’]t|could|would|[a-z]{3,}ed)\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:not|never|no|without|n['’]t|nobody|none|neither|failed\s+to|refused\s+to|refrained|absent|"
    r"lacked|didn['’]t\s+exist)\b|n['’]t\b",
    re.IGNORECASE,
)
_JOINTS = re.compile(
    r",?\s+(and|or|but)\s+(?=(?:then\s+|also\s+|later\s+)*"
    r"(?:had|hadn['’]t|was|were|did|didn['’]t|wasn['’]t|not|never|it|he|she|they|the|if|instead|won|lost|gained|[a-z]{3,}ed)\b"
    r"|(?-i:[A-Z][\w’'.]*(?:\s[A-Z][\w’'.]*)*\s(?:had|was|were|[a-z]{3,}ed)\b)|its\s|his\s|her\s|their\s)",
    re.IGNORECASE,
)


def supposed(question: str) -> Supposition | None:
    """Return the clauses of a question that supposes something, wherever its "if" stands; `None` where it supposes nothing."""
    cut = clauses(question)
    if cut is None:
        return None
    clause, main = cut
    mood = Mood.OPEN
    if _COUNTERFACTUAL.search(clause):
        mood = Mood.COUNTERFACTUAL
    elif _HYPOTHETICAL.search(clause):
        mood = Mood.HYPOTHETICAL
    joints = _JOINTS.findall(clause)
    conditions = tuple(part.strip() for part in _JOINTS.split(clause)[::2] if part.strip()) if joints else (clause,)
    return Supposition(
        clause, main, mood, _NEGATED.search(clause) is not None, conditions, joints[0].lower() if joints else "", changes(clause)
    )


def clauses(question: str) -> tuple[str, str] | None:
    """Return the "if" clause of a question without its "if", and its main clause; `None` where there are not both."""
    text = " ".join(question.split()).rstrip("?! .")
    opening = _IF.search(text)
    while opening is not None and opening[0].lower() == "had" and opening.start() > 0:
        opening = _IF.search(text, opening.end())
    if opening is None:
        return None
    before, after = text[: opening.start()].rstrip(" ,;"), text[opening.end() :].strip()
    if opening[0].lower() == "had":
        after = f"had {after}"
    if len(before.split()) >= 3 and _ASKING.search(before):
        return (after, before) if after else None
    main = next(filter(None, (_last(pattern, after) for pattern in (_MAIN, _MAIN_WHETHER, _MAIN_LATE, _BARE_MAIN))), None)
    if main is None:
        return None
    clause, asked = after[: main.start()].strip(" ,;"), after[main.end() :].strip()
    return (f"{before} {clause}".strip() if before else clause, asked) if clause and asked else None


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the last place where a main clause may begin: an "if" clause often has a relative clause between commas."""
    return next(reversed(list(pattern.finditer(text))), None)
