"""Answers to questions that no answerer can take: each has a reason, and what to ask instead."""

from __future__ import annotations

from kgqa.answer_model import Answer, Route
from kgqa.question import QuestionType, Slots
from kgqa.reasons import Missing, Need, Reason, Refusal, Remedy
from kgqa.request import Request


def refuse_question(question: str, why: str) -> Answer:
    """Return the answer to a question that cannot be put to the graph, with the reason."""
    kind = QuestionType(None, Slots())
    return _refuse(question, kind, Refusal(Reason.INVALID_QUESTION, (why,)), Missing(Need.QUESTION, (), Remedy.REASON, (why,)))


def refuse_negated(request: Request) -> Answer:
    """Refuse to list what does *not* cause something: a graph of claims does not bound that list."""
    missing = Missing(Need.SINGLE_QUESTION, remedy=Remedy.EXAMPLE_CLAIM)
    return _refuse(request.question, request.kind, Refusal(Reason.NEGATED_LIST), missing)


def refuse_noncausal(request: Request) -> Answer:
    """Refuse a question that does not ask for a cause or an effect."""
    from kgqa.questions.foreign_languages import foreign_language

    manner = any("manner" in rule for rule in request.kind.rules)
    refusal = Refusal(Reason.NO_CAUSAL_QUESTION, (manner, foreign_language(request.question) is not None))
    return _refuse(request.question, request.kind, refusal, Missing(Need.CAUSAL_QUESTION, remedy=Remedy.EXAMPLE_LIST))


def refuse_without_slot(request: Request) -> Answer:
    """Refuse a causal question in which no phrase for a cause or an effect was found."""
    missing = Missing(Need.SLOT, remedy=Remedy.NAME_SLOT)
    return _refuse(request.question, request.kind, Refusal(Reason.NO_SLOT), missing)


def _refuse(question: str, kind: QuestionType, refusal: Refusal, missing: Missing) -> Answer:
    return Answer(question=question, type=kind, route=Route.NONE, conclusion=refusal, gaps=(missing,))
