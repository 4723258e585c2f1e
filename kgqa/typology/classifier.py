"""From a question to its type: rules read the slots, a linear model weighs what the rules and the words say of the class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graph.model import Relation
from kgqa.model import Attribute, Pragmatic, QuestionType, Semantic, Slots
from kgqa.typology.deciding import (
    NOT_CAUSAL,
    PragmaticDecision,
    SemanticDecision,
    decide_pragmatic,
    decide_semantic,
    with_decided_class,
)
from kgqa.typology.language import foreign_language
from kgqa.typology.lexical import LexicalMode, lexical_matches
from kgqa.typology.linear import linear_classifier
from kgqa.typology.mood import conditional_mood
from kgqa.typology.narrowing import narrow_slots
from kgqa.typology.reading import CLASS_RELATIONS, ParsedQuestion, is_vague_phrase, parse_question
from kgqa.typology.words import question_sentences

_VAGUE_FACTOR = 0.7
_MOST_REASONS = 3


def classify(question: str, lexical: LexicalMode = "paper") -> QuestionType:
    """Return the semantic and pragmatic class, attributes and slots of `question`, and the names of the rules that matched.

    `semantic` is `None` for a question that is not causal, or not in English. The slots are phrases of the question, word for
    word. In a counterfactual the condition's target is the cause too. The rules are those of data/rules.jsonl, outermost first,
    then that of data/conditions.jsonl, then the lexical rules R1 to R7 in the mode `lexical`, on which no slot depends.
    """
    names = lexical_matches(question, lexical)
    language = foreign_language([word for sentence in question_sentences(question) for word in sentence.words])
    if language:
        return QuestionType(None, Slots(), confidence=1.0, rules=(f"language.{language}", *names))
    reading, decision, wanted = _classify_sentence(question)
    rules = (reading.rules if reading else ()) + names
    if reading is None or decision.semantic is None or wanted is None:
        return QuestionType(None, Slots(), confidence=round(decision.confidence, 4), rules=rules, scores=decision.scores)
    slots = _slots_as_class(reading.slots, reading.semantic, decision.semantic)
    limits = narrow_slots(slots, decision.semantic, clause=reading.clause)
    vague = any(text and is_vague_phrase(text) for text in (limits.slots.cause, limits.slots.effect))
    attributes = {*reading.attributes, *limits.attributes}
    if limits.slots.comparison:
        attributes.discard(Attribute.DISJUNCTION)
    return QuestionType(
        decision.semantic,
        limits.slots,
        tuple(attribute for attribute in Attribute if attribute in attributes),
        pragmatic=wanted.subtype,
        confidence=round(decision.confidence * (_VAGUE_FACTOR if vague else 1), 4),
        rules=rules,
        intent=wanted.intent,
        pragmatic_confidence=round(wanted.confidence, 4),
        scores=decision.scores,
        pragmatic_scores=wanted.scores,
        mood=conditional_mood(question),
    )


def explain_classification(question: str) -> Iterator[str]:
    """Yield why `classify` says what it says, a sentence each: the rule, and the features that weighed most."""
    language = foreign_language([word for sentence in question_sentences(question) for word in sentence.words])
    if language:
        yield f"not in English, by its small words: {language}"
        return
    reading, decision, wanted = _classify_sentence(question)
    ruled = str(reading.semantic or NOT_CAUSAL) if reading else NOT_CAUSAL
    decided = str(decision.semantic or NOT_CAUSAL)
    yield (
        f"the rule {reading.rules[0]} says {ruled}" if reading else "no rule takes a sentence of this form, so no slot is known"
    )
    yield _explain_preference("semantic", decision.features, decided, [name for name, _ in decision.scores])
    if decided != ruled:
        yield f"the model overrules the rule: {decided}"
    if wanted and decision.semantic:
        names = [name for name, _ in wanted.scores]
        subtype = wanted.subtype or next(
            name for name in names if Pragmatic(name).intent is (wanted.intent or Pragmatic(name).intent)
        )
        yield _explain_preference("pragmatic", with_decided_class(decision.features, decision.semantic), subtype, names)


def _explain_preference(model: str, seen: frozenset[str], name: str, ranked: Sequence[str]) -> str:
    """Say what speaks for a class rather than the next one."""
    rival = next((candidate for candidate in ranked if candidate != name), None)
    if rival is None:
        return f"{name}: nothing else comes into question"
    reasons = linear_classifier(model).contributions(seen, name, rival)[:_MOST_REASONS]
    summary = ", ".join(f"{feature} (+{weight:.2f})" for feature, weight in reasons) or "nothing that the model knows"
    return f"{name} rather than {rival}: {summary}"


def _classify_sentence(question: str) -> tuple[ParsedQuestion | None, SemanticDecision, PragmaticDecision | None]:
    """Return the reading of the sentence that is answered, and the decisions about it.

    R1 to R7 count for the decision as the paper prints them, whichever mode is shown.
    """
    words, reading = parse_question(question)
    decision = decide_semantic(words, reading, lexical_matches(question))
    return reading, decision, decide_pragmatic(decision.features, decision.semantic) if decision.semantic else None


def _slots_as_class(slots: Slots, ruled: Semantic | None, decided: Semantic) -> Slots:
    """Return the slots of a question that was read as `ruled` as the class `decided` has them.

    A purpose is that of a thing, which is the cause; the other classes ask what stands before an effect.
    """
    if decided is ruled:
        return slots
    relation = CLASS_RELATIONS.get(decided, Relation.CAUSES)
    if Semantic.PURPOSE in (decided, ruled) and not (slots.cause and slots.effect):
        return replace(slots, cause=slots.effect, effect=slots.cause, relation=relation)
    return replace(slots, relation=relation)
