"""Answers that say that something is unknown: each has a reason, and what to ask or where to look instead."""

from __future__ import annotations

from kgqa.answer_model import Answer, Route
from kgqa.linking.concept_links import BROADER, SPELLING, ConceptLink
from kgqa.linking.linker import link_phrase, similar_names
from kgqa.question import QuestionType, Slots
from kgqa.reasons import Missing, Refusal, Remedy
from kgqa.request import Request


def refuse(request: Request, refusal: Refusal, missing: Missing) -> Answer:
    """Return the answer "unknown" for a reason, with what is missing."""
    return Answer(question=request.question, type=request.kind, route=Route.NONE, conclusion=refusal, gaps=(missing,))


def refuse_question(question: str, why: str) -> Answer:
    """Return the answer to a question that cannot be put to the graph, with the reason."""
    refusal, missing = Refusal("invalid_question", (why,)), Missing("question", (), "reason", (why,))
    return Answer(question, QuestionType(None, Slots()), Route.NONE, refusal, gaps=(missing,))


def refuse_negated(request: Request) -> Answer:
    """Refuse to list what does *not* cause something: a graph of claims does not bound that list."""
    return refuse(request, Refusal("negated_list"), Missing("single_question", remedy="example_claim"))


def refuse_noncausal(request: Request) -> Answer:
    """Refuse a question that does not ask for a cause or an effect."""
    from kgqa.questions.tokenization import foreign_language

    manner = any("manner" in rule for rule in request.kind.rules)
    refusal = Refusal("no_causal_question", (manner, foreign_language(request.question) is not None))
    return refuse(request, refusal, Missing("causal_question", remedy="example_list"))


def refuse_without_slot(request: Request) -> Answer:
    """Refuse a causal question in which no phrase for a cause or an effect was found."""
    return refuse(request, Refusal("no_slot"), Missing("slot", remedy="name_slot"))


def refuse_phrase(request: Request, missing: Missing, phrase: str) -> Answer:
    """Return the answer "unknown": what is missing, and whether the phrase itself is unknown to the graph."""
    return refuse_link(request, missing, phrase, next(iter(link_phrase(phrase, request.view)), None))


def refuse_link(request: Request, missing: Missing, phrase: str, link: ConceptLink | None) -> Answer:
    """Return the answer "unknown" where `link` is the surest link of the phrase, or `None` where there is none."""
    if link is None:
        gap = missing._replace(remedy="no_concept", details=(phrase,))
    elif link.how == SPELLING:
        gap = missing._replace(remedy="near_names", details=(phrase, *similar_names(phrase, request.view)))
    else:
        remedy: Remedy = "wider_concept" if link.how == BROADER else "no_such_claim"
        gap = missing._replace(remedy=remedy, details=(link.concepts[0],))
    return refuse(request, Refusal("not_said", (gap,)), gap)
