"""The one parser of "if": the clause of a question, its main clause, mood, negation and changes, with their places.

`parse_conditional` is called once for a question, and its result handed down as `QuestionType.conditional`: `conditional_slots`
fills slots of the graph from it, `kgqa.edits` edits the facts of a passage, `kgqa.retrieval` makes queries. Classifiers, readers
and retrievers take text by contract; the last parses are remembered for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from kgqa.questions.lexicon import read_question_rows

if TYPE_CHECKING:
    from kgqa.quantities.quantity_changes import QuantityChange

QUESTION_WORD_PATTERN = (
    r"(?:(?:in|on|at|by|for|to|from|with|of|until|till|under|through|against|as|over|during|after|before|around|into|about|"
    r"towards?|approximately|exactly|within|upon|alongside|between|via)\s+){0,2}"
    r"(?:who|whom|whose|what|which|when|where|why|how)\b"
)
"""The beginning of a clause that asks for something."""
AUXILIARY_PATTERN = r"(?:would|could|will|should|is|are|was|did|does|do|can)(?:n['’]t)?\b"
"""The beginning of a clause that asks whether something is so."""


class ConditionalOpening(NamedTuple):
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


@cache
def conditional_openings() -> tuple[ConditionalOpening, ...]:
    """Return the openings of data/openings.jsonl; the first that parts a question in two clauses decides."""
    openings = []
    for row in read_question_rows("openings.jsonl"):
        pattern = row.pop("pattern").replace("{SUBJECT}", _SUBJECT).replace("{AWAY}", _AWAY)
        openings.append(ConditionalOpening(pattern, frozenset(row.pop("words").split()), **row))
    return tuple(openings)


_CONTRARY_OPENING = rf"^(?:(?:in\s+a\s+world\s+)?(?:{_AWAY}|unless)|(?:(?:had|were)\s+it\s+)?not\s+(?:been\s+)?for)\b"
"""The beginning of a clause that takes something away, whatever its verb."""
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
_LONGEST_CONDITIONAL = 2_000
"""The number of characters of a question that are parsed."""
_MOST_SPLITS = 16
"""The number of splits that are tried for the rules of the graph: a question that needs more is not one that people ask."""

_BARE = r"^(?:then\s+|also\s+|later\s+)*(?:it|he|she|they|had|was|were|not|never|did|hadn['’]t|\w+ed|won|lost|gained|sold)\b"
"""The beginning of a condition that has the subject of the condition before it."""
_COUNTERFACTUAL = r"\b(?:had|hadn['’]t)\b"
_HYPOTHETICAL = r"^(?:were|should|did|with|by)\b|\b(?:were|was|did|weren['’]t|wasn['’]t|didn['’]t|could|would|[a-z]{3,}ed)\b"
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
        if re.search(_HYPOTHETICAL, self.clause, re.IGNORECASE):
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

    @cached_property
    def _alternatives(self) -> tuple[ClauseSplit, ...]:
        return tuple(islice(_clause_splits(self.text), 1, _MOST_SPLITS))

    def further_split(self, main: TextSpan) -> ClauseSplit | None:
        """Return the split of a main clause that ends in another clause: "would B happen if C were gone"."""
        text = main.of(self.text)
        split = next((split for split in _clause_splits(text) if split.main.start == 0), None)
        if split is None:
            return None
        return ClauseSplit(split.row, *(TextSpan(main.start + span.start, main.start + span.end) for span in split[1:]))

    @property
    def _is_contrary(self) -> bool:
        return re.match(_CONTRARY_OPENING, self.clause, re.IGNORECASE) is not None


def may_suppose(question: str) -> bool:
    """Return whether a question supposes something, or has a preposition that may: "without", also beside no "would"."""
    return parse_conditional(question) is not None or re.search(r"\b(?:without|unless)\b", question, re.IGNORECASE) is not None


@lru_cache(maxsize=32)
def parse_conditional(question: str) -> ConditionalQuestion | None:
    """Return the parse of a question that supposes something, wherever its "if" stands; `None` for any other question."""
    text = " ".join(question.split())[:_LONGEST_CONDITIONAL]
    split = next(_clause_splits(text), None) or _split_alone(text)
    return ConditionalQuestion(text, split) if split else None


def _clause_splits(text: str) -> Iterator[ClauseSplit]:
    for row, opening in _openings(text):
        for split in _splits_at(text, opening, row):
            imagined = not row.imagined or re.search(_WOULD, split.main.of(text), re.IGNORECASE)
            if imagined and (not row.changes or ConditionalQuestion(text, split).changes):
                yield split


def _openings(text: str) -> Iterator[tuple[ConditionalOpening, re.Match[str]]]:
    words = frozenset(re.findall(_WORD, text.lower().replace("’", "'")))
    would = not _MODALS.isdisjoint(words)
    for row in conditional_openings():
        if not row.words.isdisjoint(words) and (would or not row.imagined):
            yield from ((row, opening) for opening in re.finditer(row.pattern, text[: _end_of(text)]))


def _end_of(text: str) -> int:
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
    behind = text[start:end].lstrip(marks)
    return TextSpan(end - len(behind), end - len(behind) + len(behind.rstrip(marks)))


def _split_alone(text: str) -> ClauseSplit | None:
    for row, opening in _openings(text):
        clause = _stripped(text, opening.end(), _end_of(text))
        if not (row.imagined or row.keeps_opening) and clause.start < clause.end:
            return ClauseSplit(row, TextSpan(*opening.span()), clause, TextSpan(clause.end, clause.end))
    return None
