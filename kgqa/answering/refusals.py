"""Answers to questions that no answerer can take: each says why, and what to ask instead."""

from __future__ import annotations

from kgqa.answers import Answer, MissingInformation, Route
from kgqa.question import QuestionType, Slots
from kgqa.request import Request
from kgqa.wording.claim_clauses import as_sentence


def refuse_question(question: str, why: str) -> Answer:
    """Return the answer to a question that cannot be asked of the graph, with the reason."""
    kind = QuestionType(None, Slots())
    return Answer(
        question=question,
        type=kind,
        route=Route.NONE,
        sentence=as_sentence(why),
        missing=(MissingInformation("a question", why),),
    )


def refuse_negated(request: Request) -> Answer:
    """Say that what does *not* cause something is no list that a graph of claims can give."""
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.NONE,
        sentence="Unknown: what is not a cause or not an effect of something is a list without an end; ask about one of them.",
        missing=(MissingInformation("a question about one cause or effect", 'for instance "Does coffee cause cancer?"'),),
    )


def refuse_noncausal(request: Request) -> Answer:
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


def refuse_without_slot(request: Request) -> Answer:
    """Say that the question is causal but that what it is about could not be made out."""
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.NONE,
        sentence="Unknown: this is a causal question, but what it asks about could not be made out.",
        missing=(MissingInformation("a cause or an effect in the question", 'name it, for instance "What causes tsunamis?"'),),
    )
