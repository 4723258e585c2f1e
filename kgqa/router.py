"""Which kind of answer a question gets, from its type and slots."""

from __future__ import annotations

import re
from dataclasses import replace

from graph.model import Relation
from kgqa.answers import Answer, MissingInformation, Route
from kgqa.question import Attribute, QuestionType, Semantic
from kgqa.request import Answerer, Request

_EITHER_DIRECTION = re.compile(r"\bor (?:does|do|did|can|could|is|are|was|were|will|vice versa|the)\b", re.IGNORECASE)
_ANTECEDENTS = (Semantic.CAUSE, Semantic.GOAL, Semantic.PURPOSE, Semantic.ENABLEMENT)
_LEAST_SUPPOSED_MOOD = 0.5
"""Below this mood an "if" rather takes something for so than supposes it."""

_NEGATED_QUESTION = re.compile(r"\b(?:what|which)\b.*\b(?:not|never|cannot|\w+n['’]t)\b", re.IGNORECASE)


def route(question: str, kind: QuestionType) -> Answerer:
    """Return what answers a question of this type: "if" comes first, then the slots decide.

    Only that one is imported: a process that answers one question spends most of its time on imports.
    """
    slots = kind.slots
    if kind.semantic is None:
        return _refuse_noncausal
    if kind.mood is not None and kind.mood < _LEAST_SUPPOSED_MOOD and kind.semantic in _ANTECEDENTS:
        from kgqa.answering.counterfactuals.counterfactual import answer_indicative

        return answer_indicative(route(question, replace(kind, mood=None)))
    if Attribute.COUNTERFACTUAL in kind.attributes and slots.condition is not None:
        from kgqa.answering.counterfactuals.counterfactual import answer_counterfactual

        return answer_counterfactual
    if slots.cause and slots.effect:
        if kind.semantic is Semantic.VERIFICATION and _EITHER_DIRECTION.search(question):
            from kgqa.answering.verdicts.disjunction import answer_converse, converse_questions

            if converse_questions(question, kind) is not None:
                return answer_converse
        if (
            slots.options is not None
            and not slots.comparison
            and (kind.semantic is Semantic.VERIFICATION or slots.options.joined == "or")
        ):
            from kgqa.answering.verdicts.disjunction import answer_disjunction

            return answer_disjunction
        # Why something does *not* lead to another thing takes for granted what must be looked at first.
        denied = Attribute.EXPECTATIONAL in kind.attributes
        if kind.semantic is not Semantic.VERIFICATION and slots.relation is not Relation.PREVENTS and not denied:
            from kgqa.answering.chains.chain_answer import answer_chain

            return answer_chain
        from kgqa.answering.verdicts.verification import answer_verification

        return answer_verification
    if slots.cause or slots.effect:
        if _NEGATED_QUESTION.match(question) and slots.condition is None:
            return _refuse_negated
        from kgqa.answering.lists.listing import answer_listing

        return answer_listing
    return _refuse_without_slot


def _refuse_negated(request: Request) -> Answer:
    """Say that what does *not* cause something is no list that a graph of claims can give."""
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.NONE,
        sentence="Unknown: what is not a cause or not an effect of something is a list without an end; ask about one of them.",
        missing=(MissingInformation("a question about one cause or effect", 'for instance "Does coffee cause cancer?"'),),
    )


def _refuse_noncausal(request: Request) -> Answer:
    """Say that the question does not ask for a cause or an effect."""
    from kgqa.questions.preprocess import is_foreign

    manner = any("manner" in rule for rule in request.kind.rules)
    why = "it asks how to do something" if manner else "it asks for no cause, effect or prevention"
    if is_foreign(request.question):
        why = "it seems to be in another language, and kgqa reads English"
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.NONE,
        sentence=f"This is not a causal question: {why}. kgqa answers causal questions only.",
        missing=(MissingInformation("a causal question", 'for instance "What causes tsunamis?"'),),
    )


def _refuse_without_slot(request: Request) -> Answer:
    """Say that the question is causal but that what it is about could not be made out."""
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.NONE,
        sentence="Unknown: this is a causal question, but what it asks about could not be made out.",
        missing=(MissingInformation("a cause or an effect in the question", 'name it, for instance "What causes tsunamis?"'),),
    )
