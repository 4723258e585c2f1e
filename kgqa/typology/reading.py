"""What the rules make of a question: class, slots, attributes, and the names of the rules that matched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from graph.model import Relation
from kgqa.model import Attribute, Semantic, Slots
from kgqa.typology.condition import Supposition, supposition
from kgqa.typology.matching import Match, match
from kgqa.typology.phrases import text_of, trimmed, without_happening
from kgqa.typology.rules import Rule, rules_for
from kgqa.typology.supposing import Supposed, supposed, with_supposed
from kgqa.typology.trouble import is_trouble
from kgqa.typology.vocabulary import vocabulary
from kgqa.typology.words import COMMA, Sentence, Word, sentences

_ALONE = 0.9
"""The confidence in "What if ...?" without more."""
_DEEPEST = 4
_MOST_SENTENCES = 20
_SUPPOSING = frozenset("would could might if suppose supposing imagine assume assuming let's say".split())
"""Of these words a question with an "if" has one."""
RELATIONS = {Semantic.GOAL: Relation.MOTIVATES, Semantic.PURPOSE: Relation.IS_FOR, Semantic.ENABLEMENT: Relation.ENABLES}
"""What is asked for by the classes that have a relation of their own."""
_CLAUSE_ENDS = frozenset((COMMA, "if", "when", "while", "because", "but", "than", "unless"))
_NEGATIONS = frozenset(("not", "n't", "never", "nobody", "nothing", "none"))
_REMNANT = re.compile(
    r"(?:be|been|is|are|was|were|am|do|does|did|has|have|had|should|would|could|n['’]t)(?= |$)"
    r"|it (?:not |n['’]t |really )?(?:true|false|wrong|untrue|a|is|not)\b"
    r"|.*\bbecause (?:they|it|he|she|we|you|i)\b",
    re.IGNORECASE,
)
"""How a phrase begins, or what it holds, that is left of a sentence cut in the wrong place."""


class Reading(NamedTuple):
    """What the rules make of one sentence; `clause` says that a slot holds a whole clause and no noun phrase."""

    semantic: Semantic | None
    slots: Slots
    attributes: tuple[Attribute, ...]
    confidence: float
    rules: tuple[str, ...]
    clause: bool = False


def read_question(question: str) -> tuple[Sequence[Word], Reading | None]:
    """Return the sentence that is answered, the first causal one, sentences that ask before others, and its reading.

    The reading is `None` where no rule matches any sentence.
    """
    asked = sorted(with_supposed(sentences(question)[:_MOST_SENTENCES]), key=_order)
    first: tuple[Sequence[Word], Reading | None] = (asked[0].words if asked else (), None)
    for sentence in asked:
        reading = _read(question, sentence.words, 0)
        if reading is not None and reading.semantic is not None:
            return sentence.words, reading
        if first[1] is None and reading is not None:
            first = sentence.words, reading
    return first


def _is_remnant(phrase: str | None) -> bool:
    """Say whether a phrase is what is left of a sentence that was cut in the wrong place: "it false that smoking"."""
    return phrase is not None and _REMNANT.match(phrase) is not None


def is_vague(phrase: str) -> bool:
    """Say whether `phrase` is a pronoun or the like, to which no concept can be linked."""
    return phrase.lower() in vocabulary().plain["vague"]


def _order(sentence: Sentence) -> bool:
    """Return the sort key by which sentences that ask come first."""
    return not sentence.asks and sentence.words[0].form not in vocabulary().plain["question word"]


def _read(question: str, words: Sequence[Word], depth: int) -> Reading | None:
    """Return the reading by the first rule that matches all of `words`; a rule with a `main` slot is read on inside it."""
    forms = frozenset(word.form for word in words)
    under_if = supposed(question, words) if not forms.isdisjoint(_SUPPOSING) else None
    if under_if is not None:
        return _under_if(question, under_if)
    for rule in rules_for(words[0].form) if words else ():
        found = match(rule.pattern, words) if rule.pattern.may_match(forms) else None
        if found is None:
            continue
        if "main" not in found.slots:
            reading = _reading(question, words, rule, found)
            if rule.trouble and not is_trouble(reading.slots.effect or ""):
                continue
            return reading
        start, end = found.slots["main"]
        inner = _read(question, words[start:end], depth + 1) if depth < _DEEPEST else None
        if inner is not None and (rule.final or (inner.semantic and rule.semantic in (None, inner.semantic))):
            return _with_outer(inner, rule, _supposed(question, words, found), _antecedent(question, words, found))
    return None


def _reading(question: str, words: Sequence[Word], rule: Rule, found: Match) -> Reading:
    """Return what `rule` says of `words`, which it matched."""
    spans = {slot: trimmed(words, *span) for slot, span in found.slots.items() if slot in ("cause", "effect")}
    if rule.clause and "effect" in spans:
        spans["effect"] = (spans["effect"][0], without_happening(words, *spans["effect"]))
    supposed = _supposed(question, words, found)
    condition = supposed.condition if supposed else None
    attributes = {*rule.attributes, *_attributes(rule, words, found)}
    if supposed and supposed.counterfactual:
        attributes.add(Attribute.COUNTERFACTUAL)
    phrases = {slot: text_of(question, words, *span) for slot, span in spans.items()}
    if condition and "cause" not in phrases:
        phrases["cause"] = condition.target if Attribute.COUNTERFACTUAL in attributes else condition.text
    relation = rule.relation or (RELATIONS.get(rule.semantic) if rule.semantic else None) or found.relation or Relation.CAUSES
    slots = Slots(phrases.get("cause"), phrases.get("effect"), relation, condition)
    if not rule.clause and condition is None and spans and _is_remnant(phrases[min(spans, key=lambda slot: spans[slot])]):
        slots = Slots(relation=relation)  # A phrase that was cut wrongly says nothing of what is asked.
    elif "comparison" in found.slots:
        slots = replace(slots, comparison=text_of(question, words, *found.slots["comparison"]))
    if slots.cause and slots.effect and rule.semantic not in (None, Semantic.VERIFICATION):
        attributes.add(Attribute.MULTI_SLOT)
    names = (rule.id, *([supposed.rule] if supposed else []))
    return Reading(rule.semantic, slots, tuple(attributes), rule.confidence, names, rule.clause or condition is not None)


def _under_if(question: str, found: Supposed) -> Reading:
    """Return the reading of a question with an "if" that only supposes something."""
    supposition, asked = found.supposition, found.asked
    condition = supposition.condition
    names = [supposition.rule]
    attributes: tuple[Attribute, ...] = (Attribute.COUNTERFACTUAL,)
    if asked is None:
        slots = Slots(condition.target, condition=condition)
        return Reading(Semantic.RESULT, slots, attributes, _ALONE, ("condition.what-if-alone", *names), clause=True)
    effect = None
    if "effect" in asked.found.slots:
        effect = text_of(question, asked.words, *trimmed(asked.words, *asked.found.slots["effect"]))
    rule = asked.rule
    slots = Slots(condition.target, effect, condition=condition, outcome=rule.outcome)
    if effect and rule.semantic is not Semantic.VERIFICATION:
        attributes += (Attribute.MULTI_SLOT,)
    return Reading(rule.semantic, slots, attributes, rule.confidence, (f"condition.{rule.id}", *names), clause=True)


def _with_outer(inner: Reading, rule: Rule, supposed: Supposition | None, antecedent: str | None) -> Reading:
    """Return the reading of an embedded question with what the rule around it adds: a condition, what a pronoun stands for."""
    attributes = inner.attributes + rule.attributes
    slots, rules = inner.slots, (rule.id, *inner.rules)
    if antecedent:
        slots = replace(
            slots,
            cause=antecedent if slots.cause and is_vague(slots.cause) else slots.cause,
            effect=antecedent if slots.effect and is_vague(slots.effect) else slots.effect,
        )
    if supposed:
        slots = replace(slots, condition=supposed.condition)
        attributes += (Attribute.COUNTERFACTUAL,) if supposed.counterfactual else ()
        rules += (supposed.rule,)
    return inner._replace(slots=slots, attributes=attributes, confidence=inner.confidence * rule.confidence, rules=rules)


def _supposed(question: str, words: Sequence[Word], found: Match) -> Supposition | None:
    """Return what the slot `condition` of a match supposes."""
    if "condition" not in found.slots:
        return None
    start, end = found.slots["condition"]
    return supposition(question, words[start:end])


def _antecedent(question: str, words: Sequence[Word], found: Match) -> str | None:
    """Return the phrase of the slot `antecedent` of a match."""
    if "antecedent" not in found.slots:
        return None
    return text_of(question, words, *trimmed(words, *found.slots["antecedent"]))


def _attributes(rule: Rule, words: Sequence[Word], found: Match) -> set[Attribute]:
    """Return the attributes that the words show whatever the rule: superlative, disjunction, expectational."""
    shown: set[Attribute] = set()
    inside = [place for start, end in found.slots.values() for place in range(start, end)]
    outside = set(range(len(words))).difference(inside)
    ranks = vocabulary().plain["rank"]
    for place in outside:
        if words[place].form in ranks or " ".join(word.form for word in words[place : place + 2]) in ranks:
            shown.add(Attribute.SUPERLATIVE)
    if rule.semantic is Semantic.VERIFICATION and any(words[place].form == "or" for place in inside):
        shown.add(Attribute.DISJUNCTION)
    if rule.clause:
        for word in words:
            if word.form in _CLAUSE_ENDS:
                break
            if word.form in _NEGATIONS:
                shown.add(Attribute.EXPECTATIONAL)
    return shown
