"""The rules of the typology, read from data/rules.jsonl: one rule a line, each with examples that are its tests.

The first rule that matches a sentence wins, so the order of the file is part of what it says. Its sections are

1. `asking.*`, `true.*`: what introduces a question is taken off, and the rest is read again;
2. `condition.*`: "if" and "without", before all else, because the rest of such a question looks like any other question;
3. `remedy.*`: what to do against something, before "how to", which is else a question of manner;
4. `chain.*`: both ends are given and the way between them is asked for;
5. `result.*`: what follows from something, before what it follows from, for "what does X cause" begins like "what caused X";
6. `purpose.*`, `enablement.*`: narrow forms of "what" and "how", before the wide ones of `cause.*`;
7. `cause.*`, then `why.*`: what something follows from, with goals and purposes before the plain "why";
8. `verification.*`: whether something follows from something, verbs that are always causal before those that may be nouns;
9. `not-causal.*`: questions of manner, person, place, time and thing, so that nothing after them looks inside; among them
   `late.question`, for a question that begins in the middle of a sentence;
10. `telegraphic.*`: queries without a question word.

A rule that stands outside its section has a `note` that says why there. Within a section the more specific stands before the
more general. The confidence of a rule is a grade, from .9 for a form that is causal in nearly every question over .7 for one
that mostly is to .5 and below for a guess; it is not a measured probability.

A rule fills the slots and proposes a class; kgqa/questions/classifier.py has the last word on the class. An example's
"semantic" is
what comes out in the end, where that is another class than the rule's.

The seven lexical rules by which CausalQA finds causal questions (Bondarenko et al. 2022, table 3), in two modes.

`paper` reads them as the paper prints them: whole words, so "because" is no "cause". `released` is what the code does that was
published with the data and made the corpus: it reads a question in lower case with nothing but Latin and Cyrillic letters and
digits, and has its own limits (it misses "affects" and "leads to", takes "lead toxicity", and of "why" hardly more than a first
word). Rules of either kind detect; they do not classify: "How can FIFA be so blatantly corrupt?" is causal and matches none.

A rule of data/lexical.jsonl matches where all expressions of one of its alternatives ("any") are found and that of "unless",
where there is one, is not.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from graph.intervene import Presence
from graph.model import Relation
from kgqa.question import Amount, Attribute, EffectOutcome, Semantic
from kgqa.questions.lexicon import read_question_data
from kgqa.questions.patterns import QuestionPattern, first_pattern_words, parse_pattern
from kgqa.questions.tokenization import LONGEST_QUESTION


class QuestionRule(NamedTuple):
    """One form of question and what it means.

    `relation` is what is asked for; where it is `None`, the matched verb says it. A `clause` rule asks about a whole clause:
    its negation is an expectation that failed, and a last "happen" is no part of the phrase. What a `final` rule finds inside its
    slot `main` stands, even if it is nothing causal. A `trouble` rule holds only of an effect that one wants to be rid of.
    """

    id: str
    pattern: QuestionPattern
    semantic: Semantic | None
    relation: Relation | None
    attributes: tuple[Attribute, ...]
    confidence: float
    clause: bool
    final: bool
    trouble: bool
    examples: tuple[Mapping[str, Any], ...]


class ConditionRule(NamedTuple):
    """One form of "if" clause: what it supposes of its target, and whether its mood alone makes it counterfactual.

    With a slot `effect` it is about a claim. A rule that `negates` has its negation before the target, so that what stands
    behind an "or" is denied as well. One that is `beside` another part of a clause ("but not B") takes from it what is supposed:
    "same", "opposite", or "absent" whatever that is. The target of a `loose` rule may be anything that is left of a clause.
    """

    id: str
    pattern: QuestionPattern
    presence: Presence
    amount: Amount | None
    counterfactual: bool
    negates: bool
    loose: bool
    beside: str
    examples: tuple[Mapping[str, Any], ...]


class OutcomeRule(NamedTuple):
    """One form of the main clause of a question with an "if", and what it asks of its effect."""

    id: str
    pattern: QuestionPattern
    semantic: Semantic
    outcome: EffectOutcome | None
    confidence: float
    examples: tuple[Mapping[str, Any], ...]


def question_rules() -> tuple[QuestionRule, ...]:
    """Return all the rules in their order."""
    return tuple(map(_question_rule, range(len(_rule_rows()))))


@cache
def condition_rules() -> tuple[ConditionRule, ...]:
    """Read the rules for "if" clauses, once, in their order."""
    return tuple(_condition_rule(json.loads(line)) for line in read_question_data("conditions.jsonl").splitlines())


@cache
def outcome_rules() -> tuple[OutcomeRule, ...]:
    """Read the rules for main clauses beside an "if", once, in their order."""
    return tuple(_outcome_rule(json.loads(line)) for line in read_question_data("outcomes.jsonl").splitlines())


def rules_for_word(word: str) -> tuple[QuestionRule, ...]:
    """Return the rules that a sentence which begins with `word` may match, in their order."""
    table = _by_first_word()
    return tuple(map(_question_rule, table.get(word, table[""])))


@cache
def _rule_rows() -> Sequence[Mapping[str, Any]]:
    """Read the lines of the table, once."""
    return [json.loads(line) for line in read_question_data("rules.jsonl").splitlines()]


@cache
def _by_first_word() -> Mapping[str, Sequence[int]]:
    """Return the places of the rules for each word that some rule begins with, and under "" those for all other words."""
    firsts = [first_pattern_words(row["pattern"]) for row in _rule_rows()]
    table: dict[str, list[int]] = {word: [] for word in ["", *frozenset().union(*(first or () for first in firsts))]}
    for place, first in enumerate(firsts):
        for word in table if first is None else first:
            table[word].append(place)
    return table


@cache
def _question_rule(place: int) -> QuestionRule:
    """Return the rule of one line of the table: only those that may match a sentence are ever read to their end."""
    row = _rule_rows()[place]
    return QuestionRule(
        id=row["id"],
        pattern=parse_pattern(row["pattern"]),
        semantic=Semantic(row["semantic"]) if row.get("semantic") else None,
        relation=Relation(row["relation"]) if "relation" in row else None,
        attributes=tuple(Attribute(name) for name in row.get("attributes", ())),
        confidence=row["confidence"],
        clause=row.get("clause", False),
        final=row.get("final", False),
        trouble=row.get("trouble", False),
        examples=tuple(row["examples"]),
    )


def _condition_rule(row: Mapping[str, Any]) -> ConditionRule:
    """Return the rule for "if" clauses of one line of the table."""
    return ConditionRule(
        id=row["id"],
        pattern=parse_pattern(row["pattern"]),
        presence=Presence(row["presence"]),
        amount=Amount(row["amount"]) if "amount" in row else None,
        counterfactual=row.get("counterfactual", False),
        negates=row.get("negates", False),
        loose=row.get("loose", False),
        beside=row.get("beside", ""),
        examples=tuple(row["examples"]),
    )


def _outcome_rule(row: Mapping[str, Any]) -> OutcomeRule:
    """Return the rule for main clauses of one line of the table."""
    return OutcomeRule(
        id=row["id"],
        pattern=parse_pattern(row["pattern"]),
        semantic=Semantic(row["semantic"]),
        outcome=EffectOutcome(row["outcome"]) if "outcome" in row else None,
        confidence=row["confidence"],
        examples=tuple(row["examples"]),
    )


LexicalMode = Literal["paper", "released"]
"""Which reading of the rules: the paper's, or that of the code released with it."""

_NOT_RELEASED = re.compile(r"[^0-9A-Za-zÀ-ÖØ-öø-ɏЀ-ӿ]+")


class LexicalRule(NamedTuple):
    """One of R1 to R7: the alternatives, of each all expressions; what forbids a match; and the paper's example."""

    id: str
    alternatives: tuple[tuple[re.Pattern[str], ...], ...]
    unless: re.Pattern[str] | None
    example: str

    def matches(self, text: str) -> bool:
        """Say whether a question, in the form that the rule's mode reads, matches."""
        if self.unless and self.unless.search(text):
            return False
        return any(all(expression.search(text) for expression in expressions) for expressions in self.alternatives)


@cache
def lexical_rules(mode: LexicalMode = "paper") -> tuple[LexicalRule, ...]:
    """Read the rules of a mode, once."""
    rows = [json.loads(line) for line in read_question_data("lexical.jsonl").splitlines()]
    return tuple(
        LexicalRule(
            row["id"],
            tuple(tuple(map(re.compile, expressions)) for expressions in row["any"]),
            re.compile(row["unless"]) if "unless" in row else None,
            row["example"],
        )
        for row in rows
        if row["mode"] == mode
    )


def lexical_matches(question: str, mode: LexicalMode = "paper") -> tuple[str, ...]:
    """Return the names of the lexical rules that `question` matches, of which it may match several."""
    text = _MODE_FORMS[mode](question[:LONGEST_QUESTION])
    return tuple(rule.id for rule in lexical_rules(mode) if rule.matches(text))


def _paper_form(question: str) -> str:
    """Return a question in lower case and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", question).lower().split())


def _released_form(question: str) -> str:
    """Return a question in lower case, letters of two scripts and digits alone, in single spaces."""
    return _NOT_RELEASED.sub(" ", question.lower()).strip()


_MODE_FORMS: dict[LexicalMode, Callable[[str], str]] = {"paper": _paper_form, "released": _released_form}
