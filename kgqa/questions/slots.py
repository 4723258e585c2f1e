"""What the rules make of a question: class, slots, attributes, and the names of the rules that matched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from graph.intervene import Presence
from graph.model import Relation
from kgqa.question import Attribute, Condition, Semantic, Slots
from kgqa.questions.conditional_parser import ConditionalQuestion
from kgqa.questions.lexicon import is_trouble, lexicon
from kgqa.questions.patterns import PatternMatch, match_pattern, slot_phrase
from kgqa.questions.question_rules import QuestionRule, rules_for_word
from kgqa.questions.tokenization import (
    COMMA,
    QuestionSentence,
    QuestionWord,
    dropped_length,
    phrase_text,
    question_sentences,
    trim_happening,
    trim_phrase,
)

if TYPE_CHECKING:
    from kgqa.questions.conditional_slots import ConditionalReading, ParsedCondition

_ALONE_CONFIDENCE = 0.9
"""The confidence in "What if ...?" without more."""
_DEEPEST = 4
_MOST_SENTENCES = 20
CLASS_RELATIONS = {Semantic.GOAL: Relation.MOTIVATES, Semantic.PURPOSE: Relation.IS_FOR, Semantic.ENABLEMENT: Relation.ENABLES}
"""What is asked for by the classes that have a relation of their own."""
_TURNED = {Relation.CAUSES: Relation.PREVENTS, Relation.PREVENTS: Relation.CAUSES}
_AMOUNT = re.compile(r"(more|less|fewer) (?!or\b|and\b|.*\bthan\b)", re.IGNORECASE)
"""How much of an effect is caused: what causes fewer floods prevents floods."""
_CLAUSE_ENDS = frozenset((COMMA, "if", "when", "while", "because", "but", "than", "unless"))
_NEGATIONS = frozenset(("not", "n't", "never", "nobody", "nothing", "none"))
_REMNANT = re.compile(
    r"(?:be|been|is|are|was|were|am|do|does|did|has|have|had|should|would|could|n['’]t)(?= |$)"
    r"|it (?:not |n['’]t |really )?(?:true|false|wrong|untrue|a|is|not)\b"
    r"|.*\bbecause (?:they|it|he|she|we|you|i)\b",
    re.IGNORECASE,
)
"""How a phrase begins, or what it holds, that is left of a sentence cut in the wrong place."""


class ParsedQuestion(NamedTuple):
    """What the rules make of one sentence; `clause` says that a slot holds a whole clause and no noun phrase.

    `plain` are the words of the plain question that an introduced statement comes to.
    """

    semantic: Semantic | None
    slots: Slots
    attributes: tuple[Attribute, ...]
    confidence: float
    rules: tuple[str, ...]
    clause: bool = False
    plain: Sequence[QuestionWord] = ()


def parse_question(
    question: str, conditional: ConditionalQuestion | None
) -> tuple[Sequence[QuestionWord], ParsedQuestion | None]:
    """Return the sentence that is answered, the first causal one, sentences that ask before others, and its reading.

    `question` has single spaces, and `conditional` is its parse. The reading is `None` where no rule matches any sentence.
    """
    sentences = question_sentences(question)[:_MOST_SENTENCES]
    candidates = sorted(_join_suppositions(sentences) if len(sentences) > 1 else sentences, key=_asks_last)
    readings: list[tuple[Sequence[QuestionWord], ParsedQuestion]] = []
    for sentence in candidates:
        reading = _parse_sentence(question, sentence.words, 0, conditional)
        if reading is not None and reading.semantic is not None:
            return reading.plain or sentence.words, reading
        if reading is not None:
            readings.append((sentence.words, reading))
    return readings[0] if readings else (candidates[0].words if candidates else (), None)


def _join_suppositions(sentences: Sequence[QuestionSentence]) -> list[QuestionSentence]:
    """Return sentences; one that only supposes something ("Suppose X had never existed.") is joined to the question behind it."""
    openings = lexicon().plain["supposing alone"]
    result: list[QuestionSentence] = []
    for sentence in sentences:
        before = result[-1] if result else None
        if (
            before
            and not before.asks
            and sentence.asks
            and dropped_length(before.words, 0, len(before.words), openings, (5, 4, 3, 2, 1))
        ):
            end = before.words[-1].end
            result[-1] = QuestionSentence((*before.words, QuestionWord(COMMA, end, end), *sentence.words), asks=True)
        else:
            result.append(sentence)
    return result


def is_vague_phrase(phrase: str) -> bool:
    """Say whether `phrase` is a pronoun or the like, to which no concept can be linked."""
    return phrase.lower() in lexicon().plain["vague"]


def _asks_last(sentence: QuestionSentence) -> bool:
    return not sentence.asks and sentence.words[0].form not in lexicon().plain["question word"]


def _parse_sentence(
    question: str, words: Sequence[QuestionWord], depth: int, conditional: ConditionalQuestion | None
) -> ParsedQuestion | None:
    """Return the reading by the first rule that matches all of `words`; a rule with a `main` slot is read on inside it."""
    forms = frozenset(word.form for word in words)
    if conditional:
        from kgqa.questions.conditional_slots import read_conditional

        conditional_reading = read_conditional(question, words, conditional)
        if conditional_reading is not None:
            return _conditional_question(conditional_reading)
    for rule in rules_for_word(words[0].form) if words else ():
        pattern_match = match_pattern(rule.pattern, words) if rule.pattern.may_match(forms) else None
        if pattern_match is None:
            continue
        if "main" not in pattern_match.slots:
            reading = _apply_rule(question, words, rule, pattern_match)
            if rule.trouble and not is_trouble(reading.slots.effect or ""):
                continue
            return reading
        start, end = pattern_match.slots["main"]
        inner = _parse_main(question, words[start:end], depth + 1, conditional, rule.semantic) if depth < _DEEPEST else None
        if inner is not None and (rule.final or (inner.semantic and rule.semantic in (None, inner.semantic))):
            return _embedded_reading(question, words, inner, rule, pattern_match)
    return None


def _parse_main(
    question: str,
    words: Sequence[QuestionWord],
    depth: int,
    conditional: ConditionalQuestion | None,
    semantic: Semantic | None,
) -> ParsedQuestion | None:
    """Return the reading of what a rule introduces; a statement is read as the question whether it is so: "does X makes Y"."""
    reading = _parse_sentence(question, words, depth, conditional)
    if semantic is not Semantic.VERIFICATION or not words:
        return reading
    if reading is not None and reading.semantic is semantic and reading.slots.cause and reading.slots.effect:
        return reading
    question_words = QuestionWord("does", words[0].start, words[0].start), *words
    plain = _parse_sentence(question, question_words, depth, conditional)
    return plain._replace(plain=question_words) if plain is not None else reading


def _apply_rule(question: str, words: Sequence[QuestionWord], rule: QuestionRule, pattern_match: PatternMatch) -> ParsedQuestion:
    spans = {slot: trim_phrase(words, *span) for slot, span in pattern_match.slots.items() if slot in ("cause", "effect")}
    if rule.clause and "effect" in spans:
        spans["effect"] = (spans["effect"][0], trim_happening(words, *spans["effect"]))
    supposed = _condition_of(question, words, pattern_match)
    condition = supposed.condition if supposed else None
    attributes = {*rule.attributes, *_attributes_of(rule, words, pattern_match)}
    asks_result = rule.semantic is Semantic.RESULT and any(word.form == "if" for word in words)
    if supposed and (supposed.counterfactual or (asks_result and _changes_amount(supposed.condition))):
        attributes.add(Attribute.COUNTERFACTUAL)
    phrases = {slot: phrase_text(question, words, *span) for slot, span in spans.items()}
    if condition and "cause" not in phrases:
        phrases["cause"] = condition.target if Attribute.COUNTERFACTUAL in attributes else condition.text
    class_relation = CLASS_RELATIONS.get(rule.semantic) if rule.semantic else None
    relation = rule.relation or class_relation or pattern_match.relation or Relation.CAUSES
    if relation is Relation.ENABLES and pattern_match.relation is relation and is_trouble(phrases.get("effect") or ""):
        relation = Relation.PREVENTS  # What helps a headache does not help it to come.
    amount = _AMOUNT.match(phrases.get("effect") or "") if relation in _TURNED and not condition else None
    if amount is not None and rule.semantic is not Semantic.GOAL:
        phrases["effect"] = (phrases["effect"] or "")[amount.end() :]
        relation = relation if amount[1].lower() == "more" else _TURNED[relation]
    slots = Slots(phrases.get("cause"), phrases.get("effect"), relation, condition)
    first = phrases[min(spans, key=lambda slot: spans[slot])] if spans else None
    if not rule.clause and condition is None and first and _REMNANT.match(first):
        slots = Slots(relation=relation)  # A phrase that was cut wrongly says nothing of what is asked.
    elif "comparison" in pattern_match.slots:
        slots = replace(slots, comparison=phrase_text(question, words, *pattern_match.slots["comparison"]))
    if slots.cause and slots.effect and rule.semantic not in (None, Semantic.VERIFICATION):
        attributes.add(Attribute.MULTI_SLOT)
    names = (rule.id, *([supposed.rule] if supposed else []))
    return ParsedQuestion(rule.semantic, slots, tuple(attributes), rule.confidence, names, rule.clause or condition is not None)


def _changes_amount(condition: Condition) -> bool:
    """Return whether a condition is that there is none, more or less of something: "if you eat too much salt"."""
    return condition.presence is Presence.ABSENT or condition.amount is not None


def _conditional_question(reading: ConditionalReading) -> ParsedQuestion:
    condition, rule, effect = reading.supposition.condition, reading.rule, reading.effect
    names = "condition.what-if-alone" if rule is None else f"condition.{rule.id}", reading.supposition.rule
    attributes: tuple[Attribute, ...] = (Attribute.COUNTERFACTUAL,)
    if rule is None:
        slots = Slots(condition.target, condition=condition)
        return ParsedQuestion(Semantic.RESULT, slots, attributes, _ALONE_CONFIDENCE, names, clause=True)
    slots = Slots(condition.target, effect, condition=condition, outcome=rule.outcome)
    if effect and rule.semantic is not Semantic.VERIFICATION:
        attributes += (Attribute.MULTI_SLOT,)
    return ParsedQuestion(rule.semantic, slots, attributes, rule.confidence, names, clause=True)


def _embedded_reading(
    question: str, words: Sequence[QuestionWord], inner: ParsedQuestion, rule: QuestionRule, pattern_match: PatternMatch
) -> ParsedQuestion:
    attributes = inner.attributes + rule.attributes
    slots, rules = inner.slots, (rule.id, *inner.rules)
    antecedent = slot_phrase(question, words, pattern_match, "antecedent")
    if antecedent:
        slots = replace(
            slots,
            cause=antecedent if slots.cause and is_vague_phrase(slots.cause) else slots.cause,
            effect=antecedent if slots.effect and is_vague_phrase(slots.effect) else slots.effect,
        )
    supposed = _condition_of(question, words, pattern_match)
    if supposed:
        slots = replace(slots, condition=supposed.condition)
        attributes += (Attribute.COUNTERFACTUAL,) if supposed.counterfactual else ()
        rules += (supposed.rule,)
    return inner._replace(slots=slots, attributes=attributes, confidence=inner.confidence * rule.confidence, rules=rules)


def _condition_of(question: str, words: Sequence[QuestionWord], pattern_match: PatternMatch) -> ParsedCondition | None:
    span = pattern_match.slots.get("condition")
    if not span:
        return None
    from kgqa.questions.conditional_slots import parse_condition

    return parse_condition(question, words[slice(*span)])


def _attributes_of(rule: QuestionRule, words: Sequence[QuestionWord], pattern_match: PatternMatch) -> set[Attribute]:
    """Return the attributes that the words show whatever the rule: superlative, disjunction, expectational."""
    attributes: set[Attribute] = set()
    inside = {place for start, end in pattern_match.slots.values() for place in range(start, end)}
    ranks = lexicon().plain["rank"]
    for place in set(range(len(words))) - inside:
        if words[place].form in ranks or " ".join(word.form for word in words[place : place + 2]) in ranks:
            attributes.add(Attribute.SUPERLATIVE)
    if rule.semantic is Semantic.VERIFICATION and any(words[place].form == "or" for place in inside):
        attributes.add(Attribute.DISJUNCTION)
    opening = takewhile(lambda form: form not in _CLAUSE_ENDS, (word.form for word in words)) if rule.clause else ()
    if not _NEGATIONS.isdisjoint(opening):
        attributes.add(Attribute.EXPECTATIONAL)
    return attributes
