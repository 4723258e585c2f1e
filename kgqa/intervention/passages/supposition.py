"""What an "if" question supposes and what it asks: its two clauses, the mood and negation of the "if", and its changes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from kgqa.intervention.passages.changes import QuantityChange, find_changes
from kgqa.intervention.passages.openings import CONTRARY_OPENING, HYPOTHETICAL_OPENING, split_clauses


class ConditionalMood(StrEnum):
    """How an "if" stands to what is so: contrary to fact ("had been"), imagined ("were", "was"), or open ("is")."""

    COUNTERFACTUAL = "counterfactual"
    HYPOTHETICAL = "hypothetical"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class ConditionalClauses:
    """A question with an "if" in two clauses; `conditions` are the parts of the "if", joined by `joined` ("and", "or", "but").

    `changes` are the amounts by which the "if" changes something, surest first; `negated` says that it takes something away.
    """

    clause: str
    main: str
    mood: ConditionalMood
    negated: bool
    conditions: tuple[str, ...]
    joined: str
    changes: tuple[QuantityChange, ...]

    def condition_of(self, change: QuantityChange) -> tuple[str, bool]:
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


def parse_conditional_clauses(question: str) -> ConditionalClauses | None:
    """Return the clauses of a question that supposes something, wherever its "if" stands; `None` where it supposes nothing."""
    cut = split_clauses(question)
    if cut is None:
        return None
    clause, main = cut
    mood = ConditionalMood.OPEN
    contrary = CONTRARY_OPENING.match(clause) is not None
    if contrary or _COUNTERFACTUAL.search(clause):
        mood = ConditionalMood.COUNTERFACTUAL
    elif HYPOTHETICAL_OPENING.match(clause) or _HYPOTHETICAL.search(clause):
        mood = ConditionalMood.HYPOTHETICAL
    joints = _JOINTS.findall(clause)
    conditions = tuple(part.strip() for part in _JOINTS.split(clause)[::2] if part.strip()) if joints else (clause,)
    negated = contrary or _NEGATED.search(clause) is not None
    return ConditionalClauses(clause, main, mood, negated, conditions, joints[0].lower() if joints else "", find_changes(clause))
