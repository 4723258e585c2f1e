"""The rules of the typology, read from data/rules.jsonl: one rule a line, each with examples that are its tests.

The first rule that matches a sentence wins, so the order of the file is part of what it says:

1. `asking.*`, `true.*`: what introduces a question is taken off, and the rest is read again;
2. `condition.*`: "if" and "without", because the rest of such a question looks like any other question;
3. `remedy.*`: what to do against something, before "how to", which is else a question of manner;
4. `chain.*`: both ends are given; 5. `result.*`, for "what does X cause" begins like "what caused X";
6. `purpose.*`, `enablement.*`: narrow forms of "what" and "how"; 7. `cause.*`, then `why.*`, goals and purposes first;
8. `verification.*`: verbs that are always causal before those that may be nouns;
9. `not-causal.*`, so that nothing after them looks inside; 10. `telegraphic.*`: queries without a question word.

A rule that stands outside its section has a `note` that says why there. Within a section the more specific stands first. The
confidence of a rule is a grade, from .9 for a form that is nearly always causal to .5 for a guess, not a measured probability. An
example's "semantic" is the class that the classifier decides on, where that is another than the rule's.

The lexical rules R1 to R7 of CausalQA (Bondarenko et al. 2022, table 3) only detect causal questions. `paper` reads them as the
paper prints them; `released` as the code published with the data does, over letters of two scripts and digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar

from graph.intervene import Presence
from graph.model import Relation
from kgqa.question import Amount, Attribute, EffectOutcome, Semantic
from kgqa.questions.lexicon import read_question_rows
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
    confidence: float
    examples: tuple[Mapping[str, Any], ...]
    semantic: Semantic | None = None
    relation: Relation | None = None
    attributes: tuple[Attribute, ...] = ()
    clause: bool = False
    final: bool = False
    trouble: bool = False


class ConditionRule(NamedTuple):
    """One form of "if" clause: what it supposes of its target, and whether its mood alone makes it counterfactual.

    With a slot `effect` it is about a claim. A rule that `negates` has its negation before the target, so that what stands
    behind an "or" is denied as well. One that is `beside` another part of a clause ("but not B") takes from it what is supposed:
    "same", "opposite", or "absent" whatever that is. The target of a `loose` rule may be anything that is left of a clause; that
    of a `whole` one is the clause without its auxiliaries and its negation.
    """

    id: str
    pattern: QuestionPattern
    presence: Presence
    examples: tuple[Mapping[str, Any], ...]
    amount: Amount | None = None
    counterfactual: bool = False
    negates: bool = False
    loose: bool = False
    whole: bool = False
    beside: str = ""


class OutcomeRule(NamedTuple):
    """One form of the main clause of a question with an "if", and what it asks of its effect."""

    id: str
    pattern: QuestionPattern
    semantic: Semantic
    confidence: float
    examples: tuple[Mapping[str, Any], ...]
    outcome: EffectOutcome | None = None


_Rule = TypeVar("_Rule", QuestionRule, ConditionRule, OutcomeRule)


_FIELD_TYPES: Mapping[str, Callable[[Any], Any]] = {
    "pattern": parse_pattern,
    "semantic": Semantic,
    "relation": Relation,
    "presence": Presence,
    "amount": Amount,
    "outcome": EffectOutcome,
    "attributes": lambda names: tuple(map(Attribute, names)),
    "examples": tuple,
}
"""What makes the value of a field of its JSON; other fields are as they stand."""


def _rule_of_row(rule: type[_Rule], row: Mapping[str, Any]) -> _Rule:
    """Return the rule of one line of a table; a "note" and a null are no fields."""
    fields = {name: value for name, value in row.items() if name in rule._fields and value is not None}
    return rule(**{name: _FIELD_TYPES[name](value) if name in _FIELD_TYPES else value for name, value in fields.items()})


def question_rules() -> tuple[QuestionRule, ...]:
    """Return all the rules in their order."""
    return tuple(map(_question_rule, range(len(_rule_rows()))))


@cache
def condition_rules() -> tuple[ConditionRule, ...]:
    """Read the rules for "if" clauses, once, in their order."""
    return tuple(_rule_of_row(ConditionRule, row) for row in read_question_rows("conditions.jsonl"))


@cache
def outcome_rules() -> tuple[OutcomeRule, ...]:
    """Read the rules for main clauses beside an "if", once, in their order."""
    return tuple(_rule_of_row(OutcomeRule, row) for row in read_question_rows("outcomes.jsonl"))


def rules_for_word(word: str) -> tuple[QuestionRule, ...]:
    """Return the rules that a sentence which begins with `word` may match, in their order."""
    table = _places_by_first_word()
    return tuple(map(_question_rule, table.get(word, table[""])))


@cache
def _rule_rows() -> Sequence[Mapping[str, Any]]:
    return read_question_rows("rules.jsonl")


@cache
def _places_by_first_word() -> Mapping[str, Sequence[int]]:
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
    return _rule_of_row(QuestionRule, _rule_rows()[place])


LexicalMode = Literal["paper", "released"]
"""Which reading of the rules: the paper's, or that of the code released with it."""

_NOT_RELEASED = re.compile(r"[^0-9A-Za-zÀ-ÖØ-öø-ɏЀ-ӿ]+")


class LexicalRule(NamedTuple):
    """One of R1 to R7: the alternatives, of each all expressions; what forbids a match; and the paper's example."""

    id: str
    alternatives: tuple[tuple[re.Pattern[str], ...], ...]
    unless: re.Pattern[str] | None
    example: str


@cache
def lexical_rules(mode: LexicalMode = "paper") -> tuple[LexicalRule, ...]:
    """Read the rules of a mode, once."""
    return tuple(
        LexicalRule(
            row["id"],
            tuple(tuple(map(re.compile, expressions)) for expressions in row["any"]),
            re.compile(row["unless"]) if "unless" in row else None,
            row["example"],
        )
        for row in read_question_rows("lexical.jsonl")
        if row["mode"] == mode
    )


def lexical_matches(question: str, mode: LexicalMode = "paper") -> tuple[str, ...]:
    """Return the names of the lexical rules that `question` matches, of which it may match several."""
    text = question[:LONGEST_QUESTION]
    if mode == "paper":
        text = " ".join(unicodedata.normalize("NFKC", text).lower().split())
    else:
        text = _NOT_RELEASED.sub(" ", text.lower()).strip()
    return tuple(
        rule.id
        for rule in lexical_rules(mode)
        if not (rule.unless and rule.unless.search(text))
        and any(all(expression.search(text) for expression in expressions) for expressions in rule.alternatives)
    )
