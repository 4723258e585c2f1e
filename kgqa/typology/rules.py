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

A rule fills the slots and proposes a class; kgqa/typology/deciding.py has the last word on the class. An example's "semantic" is
what comes out in the end, where that is another class than the rule's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from graph.intervene import Presence
from graph.model import Relation
from kgqa.model import Amount, Attribute, EffectOutcome, Semantic
from kgqa.typology.pattern import QuestionPattern, first_pattern_words, parse_pattern
from kgqa.typology.vocabulary import read_question_data


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
