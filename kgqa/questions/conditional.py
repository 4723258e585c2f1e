"""A question with an "if", parsed once: its clause, its main clause, mood, negation and changes, with their places.

`parse_conditional` is the only parser of "if". Its result is a part of the typed question (`QuestionType.conditional`) and is
handed down from there. Classifiers, readers and retrievers take text by contract; the last parses are remembered for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kgqa.quantities.quantity_changes import QuantityChange

QUESTION_WORD_PATTERN = (
    r"(?:(?:in|on|at|by|for|to|from|with|of|until|till|under|through|against|as|over|during|after|"
    r"before|around|into|about|towards?"
    r"|approximately|exactly|within|upon|alongside|between|via)\s+){0,2}(?:who|whom|whose|what|which|when|where|why|how)\b"
)
"""The beginning of a clause that asks for something."""
AUXILIARY_PATTERN = r"(?:would|could|will|should|is|are|was|did|does|do|can)(?:n['’]t)?\b"
"""The beginning of a clause that asks whether something is so."""


@dataclass(frozen=True, slots=True)
class ConditionalOpening:
    """One way to open the clause of a conditional: a pattern, the words of which it holds one, and an example.

    `keeps_opening`: the opening is a part of the clause, for it says what is denied. `preposition`: the rules of the graph need
    it, too. `denies`: the clause is supposed not to be so. `imagined`: the main clause must have a "would", for the words have
    other uses. `changes`: the clause must change an amount.
    """

    pattern: str
    words: frozenset[str]
    example: str
    keeps_opening: bool = False
    preposition: bool = False
    denies: bool = False
    imagined: bool = False
    changes: bool = False


_SUBJECT = r"(?:it|he|she|they|we|there|the|an?|its|his|her|their|[A-Z][\w’'.\-]*)"
_AWAY = r"without|but\s+for|barring|absent|in\s+the\s+absence\s+of"

CONDITIONAL_OPENINGS = (
    ConditionalOpening(
        r"\b(?:(?i:(?:^what\s+|(?:even|only)\s+)?if)|(?:supposing|assuming)(?:\s+that)?|provided\s+that)\b"
        r"|(?:^|(?<=[.,;:]\s))(?i:suppos(?:ing|e)|assum(?:ing|e)|imagine|provided)\b(?:\s+(?:that|if)\b)?",
        frozenset(("if", "suppose", "supposing", "assume", "assuming", "imagine", "provided")),
        "If the tower were taller, which would be the tallest?",
    ),
    ConditionalOpening(
        r"\b(?:(?:^G|,\sg)iven\s+that|[Oo]n\s+the\s+assumption\s+that|[Ii]n\s+case|[Ii]n\s+a\s+world\s+(?:where|in\s+which)|"
        r"[Ll]et(?:\s+us|['’]s)\s+(?:say|assume|suppose|imagine))\b(?:\s+that\b)?",
        frozenset(("given", "assumption", "case", "world", "let", "let's")),
        "Let us say the tower had ten more floors. How many would it have?",
    ),
    ConditionalOpening(
        r"^(?i:say)\b(?:\s+that\b)?",
        frozenset(("say",)),
        "Say the tower had ten more floors, how many would it have?",
        imagined=True,
    ),
    ConditionalOpening(
        r"^(?i:had)\b", frozenset(("had",)), "Had the strike not ended, when would the film have come out?", keeps_opening=True
    ),
    ConditionalOpening(
        r"^(?i:were|should|did)\b",
        frozenset(("were", "should", "did")),
        "Were the tower 20 m taller, which would be the tallest?",
        keeps_opening=True,
        imagined=True,
    ),
    ConditionalOpening(
        rf"\b(?i:(?:in\s+a\s+world\s+(?=without))?(?:{_AWAY}))\b",
        frozenset(("without", "but", "barring", "absent", "absence")),
        "Who would have led without Chamberlain resigning?",
        keeps_opening=True,
        preposition=True,
        imagined=True,
    ),
    ConditionalOpening(
        r"\b(?i:unless|except\s+if)\b",
        frozenset(("unless", "except")),
        "Unless the strike had ended, when would the film have come out?",
        keeps_opening=True,
        denies=True,
        imagined=True,
    ),
    ConditionalOpening(
        r"^(?i:with|by)\b(?!\s+(?:wh\w+|how)\b)",
        frozenset(("with", "by")),
        "With two more floors, how tall would it be?",
        keeps_opening=True,
        imagined=True,
        changes=True,
    ),
    ConditionalOpening(
        r"\b(?i:(?:in\s+a\s+world\s+)?with\s+(?:(?:much|far|many)\s+)*(?:no|less|fewer|lower|reduced|more|higher|increased)|minus)\b",
        frozenset(("with", "minus")),
        "With less smoking, would there be less lung cancer?",
        keeps_opening=True,
        preposition=True,
        imagined=True,
    ),
    ConditionalOpening(
        rf"(?<=\s)(?<!have\s)(?<!has\s)(?:had|were)(?=\s{_SUBJECT}\s(?:[\w’'.\-]+\s){{0,7}}?(?:not|never|been|to|[a-z]+ed|[a-z]+[ew]n)\b)",
        frozenset(("had", "were")),
        "Who would have led had Chamberlain not resigned?",
        keeps_opening=True,
        imagined=True,
    ),
)
"""The openings; the first that parts a question in two clauses decides."""

_CONTRARY_OPENING = rf"^(?:(?:in\s+a\s+world\s+)?(?:{_AWAY}|unless)|(?:(?:had|were)\s+it\s+)?not\s+(?:been\s+)?for)\b"
"""The beginning of a clause that takes something away, whatever its verb."""
_HYPOTHETICAL_OPENING = r"^(?:were|should|did|with|by)\b"
_MODALS = frozenset(f"{modal}{ending}" for modal in ("would", "could", "might") for ending in ("", "n't"))
_WOULD = r"\b(?:would|could|might)(?:n['’]t)?\b"
_COMMA = r"[\"”’']?\s*(?:[,;.:]|\s[-–])[\"”’']?\s*(?:then\s+)?"
_BARE_MODAL = r"\s+(?=(?:would|could|might)\s+[\w’'\-]+\s+[\w’'\-]+)"
_MAIN_CLAUSE_STARTS = (
    rf"{_COMMA}(?={QUESTION_WORD_PATTERN})",
    rf"{_COMMA}(?={AUXILIARY_PATTERN})",
    rf"{_COMMA}(?=.*\s{QUESTION_WORD_PATTERN})",
    rf"\s+(?:then\s+)?(?={QUESTION_WORD_PATTERN}.*\b(?:would|could|will)\b)",
    rf"\s+(?:then\s+)?(?=(?:would|could|will)\s+(?-i:{_SUBJECT})\s)",
    _BARE_MODAL,
)
"""How a main clause begins behind the clause that supposes, the likeliest first: behind a comma, or with a question's verb."""
_ASKING = rf"(?:^|\s){QUESTION_WORD_PATTERN}|^{AUXILIARY_PATTERN}"
_WORD = r"[a-z]+(?:['’][a-z]+)?"
_LEAST_MAIN_WORDS = 3
LONGEST_CONDITIONAL = 2_000
"""The number of characters of a question that are parsed."""
_MOST_SPLITS = 16
"""The number of splits that are tried for the rules of the graph: a question that needs more is not one that people ask."""

_BARE = r"^(?:then\s+|also\s+|later\s+)*(?:it|he|she|they|had|was|were|not|never|did|hadn['’]t|\w+ed|won|lost|gained|sold)\b"
"""The beginning of a condition that has the subject of the condition before it."""
_COUNTERFACTUAL = r"\b(?:had|hadn['’]t)\b"
_HYPOTHETICAL = r"\b(?:were|was|did|weren['’]t|wasn['’]t|didn['’]t|could|would|[a-z]{3,}ed)\b"
_NEGATED = (
    r"\b(?:not|never|no|without|n['’]t|nobody|none|neither|failed\s+to|refused\s+to|refrained|absent|"
    r"lacked|didn['’]t\s+exist)\b|n['’]t\b"
)
_JOINTS = (
    r",?\s+(and|or|but)\s+(?=(?:then\s+|also\s+|later\s+)*"
    r"(?:had|hadn['’]t|was|were|did|didn['’]t|wasn['’]t|not|never|it|he|she|they|the|if|instead|won|lost|gained|[a-z]{3,}ed)\b"
    r"|(?-i:[A-Z][\w’'.]*(?:\s[A-Z][\w’'.]*)*\s(?:had|was|were|[a-z]{3,}ed)\b)|its\s|his\s|her\s|their\s)"
)


class ConditionalMood(StrEnum):
    """How an "if" stands to what is so: contrary to fact ("had been"), imagined ("were", "was"), or open ("is")."""

    COUNTERFACTUAL = "counterfactual"
    HYPOTHETICAL = "hypothetical"
    OPEN = "open"


class TextSpan(NamedTuple):
    """The characters from `start` to `end` of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the characters of the span."""
        return text[self.start : self.end]


class ClauseSplit(NamedTuple):
    """One way to part a question: its opening, the clause behind that, and the main clause, which is empty for "What if ...?"."""

    row: ConditionalOpening
    opening: TextSpan
    clause: TextSpan
    main: TextSpan


@dataclass(frozen=True)
class ConditionalQuestion:
    """A question that supposes something, in single spaces, and its likeliest split.

    `main` is empty where the question only supposes something ("What if there were no Moon?").
    """

    text: str
    split: ClauseSplit

    @cached_property
    def clause(self) -> str:
        """The clause that supposes, without its "if", but with an opening that says what is denied ("without", "had")."""
        row, opening, clause, main = self.split
        words = clause.of(self.text)
        if row.keeps_opening:
            words = f"{opening.of(self.text).lower()} {words}"
        before = self.text[: opening.start].rstrip(" ,;:") if main.start > clause.start else ""
        return f"{before} {words}".strip()

    @property
    def main(self) -> str:
        """The main clause, which asks."""
        return self.split.main.of(self.text)

    @cached_property
    def mood(self) -> ConditionalMood:
        """The mood by the verbs of the clause."""
        if self._is_contrary or re.search(_COUNTERFACTUAL, self.clause, re.IGNORECASE):
            return ConditionalMood.COUNTERFACTUAL
        if re.search(f"{_HYPOTHETICAL_OPENING}|{_HYPOTHETICAL}", self.clause, re.IGNORECASE):
            return ConditionalMood.HYPOTHETICAL
        return ConditionalMood.OPEN

    @cached_property
    def negated(self) -> bool:
        """Whether the clause takes something away."""
        return self._is_contrary or re.search(_NEGATED, self.clause, re.IGNORECASE) is not None

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The parts of the clause that "and", "or" or "but" joins."""
        parts = re.split(_JOINTS, self.clause, flags=re.IGNORECASE)[::2]
        return tuple(part.strip() for part in parts if part.strip()) if len(parts) > 1 else (self.clause,)

    @cached_property
    def joined(self) -> str:
        """The word that joins the parts of the clause first; empty for a single part."""
        joint = re.search(_JOINTS, self.clause, re.IGNORECASE)
        return joint[1].lower() if joint else ""

    @cached_property
    def changes(self) -> tuple[QuantityChange, ...]:
        """The amounts by which the clause changes something, surest first."""
        from kgqa.quantities.quantity_changes import find_changes

        return find_changes(self.clause)

    def condition_of(self, change: QuantityChange) -> tuple[str, bool]:
        """Return the condition in which a change stands, and whether it names a subject of its own."""
        start = 0
        for place, condition in enumerate(self.conditions):
            start = self.clause.find(condition, start)
            if start <= change.start < start + len(condition):
                return condition, place == 0 or re.match(_BARE, condition, re.IGNORECASE) is None
            start += len(condition)
        return self.clause, True

    def splits(self) -> Iterator[ClauseSplit]:
        """Yield the ways to part the question, likeliest first: the rules of the graph take the first that they can read.

        The splits behind the first are computed where they are needed, for a question with a "would".
        """
        yield self.split
        if self.main and re.search(_WOULD, self.text, re.IGNORECASE):
            yield from self._alternatives

    def further_split(self, main: TextSpan) -> ClauseSplit | None:
        """Return the split of a main clause that ends in another clause: "would B happen if C were gone"."""
        text = main.of(self.text)
        for row, *spans in _clause_splits(text):
            if spans[-1].start == 0:
                return ClauseSplit(row, *(TextSpan(main.start + span.start, main.start + span.end) for span in spans))
        return None

    @cached_property
    def _alternatives(self) -> tuple[ClauseSplit, ...]:
        return tuple(islice(_clause_splits(self.text), 1, _MOST_SPLITS))

    @property
    def _is_contrary(self) -> bool:
        return re.match(_CONTRARY_OPENING, self.clause, re.IGNORECASE) is not None


def may_suppose(question: str) -> bool:
    """Return whether a question supposes something, or has a preposition that may: "without", also beside no "would"."""
    return parse_conditional(question) is not None or re.search(r"\b(?:without|unless)\b", question, re.IGNORECASE) is not None


@lru_cache(maxsize=32)
def parse_conditional(question: str) -> ConditionalQuestion | None:
    """Return the parse of a question that supposes something, wherever its "if" stands; `None` for any other question."""
    text = " ".join(question.split())[:LONGEST_CONDITIONAL]
    split = next(_clause_splits(text), None) or _split_alone(text)
    return ConditionalQuestion(text, split) if split else None


def _clause_splits(text: str) -> Iterator[ClauseSplit]:
    """Yield the ways to part a text in single spaces, likeliest first."""
    for row, opening in _openings(text):
        for split in _splits_at(text, opening, row):
            if (not row.imagined or re.search(_WOULD, split.main.of(text), re.IGNORECASE)) and (
                not row.changes or ConditionalQuestion(text, split).changes
            ):
                yield split


def _openings(text: str) -> Iterator[tuple[ConditionalOpening, re.Match[str]]]:
    """Yield the openings in a text; only those rows are compiled that have a word there."""
    words = frozenset(re.findall(_WORD, text.lower().replace("’", "'")))
    would = not _MODALS.isdisjoint(words)
    for row in CONDITIONAL_OPENINGS:
        if not row.words.isdisjoint(words) and (would or not row.imagined):
            yield from ((row, opening) for opening in re.finditer(row.pattern, text[: _end_of(text)]))


def _end_of(text: str) -> int:
    """Return where a text ends without its last marks."""
    return len(text.rstrip("?! ."))


def _splits_at(text: str, opening: re.Match[str], row: ConditionalOpening) -> Iterator[ClauseSplit]:
    """Yield the splits at an opening: with the main clause before it, or behind it, there from the likeliest place on."""
    before = _stripped(text, 0, opening.start())
    after = _stripped(text, opening.end(), _end_of(text))
    if after.start == after.end:
        return
    span = TextSpan(*opening.span())
    main = before.of(text)
    if len(main.split()) >= _LEAST_MAIN_WORDS and re.search(_ASKING, main, re.IGNORECASE):
        yield ClauseSplit(row, span, after, before)
    behind = after.of(text)
    for pattern in _MAIN_CLAUSE_STARTS:
        for match in reversed(list(re.finditer(pattern, behind, re.IGNORECASE))):
            clause = _stripped(text, after.start, after.start + match.start())
            main_clause = _stripped(text, after.start + match.end(), after.end, " ")
            whole = " " in clause.of(text) or row.keeps_opening
            if whole and main_clause.start < main_clause.end and not (pattern is _BARE_MODAL and before.end):
                yield ClauseSplit(row, span, clause, main_clause)


def _stripped(text: str, start: int, end: int, marks: str = " ,;:") -> TextSpan:
    """Return the span from `start` to `end` without these marks at its ends."""
    while start < end and text[start] in marks:
        start += 1
    while start < end and text[end - 1] in marks:
        end -= 1
    return TextSpan(start, end)


def _split_alone(text: str) -> ClauseSplit | None:
    """Return the split of a text that only supposes something, with an empty main clause."""
    for row, opening in _openings(text):
        clause = _stripped(text, opening.end(), _end_of(text))
        if not (row.imagined or row.keeps_opening) and clause.start < clause.end:
            return ClauseSplit(row, TextSpan(*opening.span()), clause, TextSpan(clause.end, clause.end))
    return None
