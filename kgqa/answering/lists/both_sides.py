"""Answers to "X: causes and effects?": the causes of a thing, and then its effects."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kgqa.answer_model import Answer
from kgqa.answering.findings import join_answers
from kgqa.answering.lists.listing import answer_listing
from kgqa.question import Semantic
from kgqa.reasons import Conclusion
from kgqa.request import Request


@dataclass(frozen=True, slots=True)
class SidesConclusion(Conclusion):
    """The conclusions about the causes and about the effects of a thing."""

    causes: Conclusion | str
    effects: Conclusion | str


def answer_both_sides(request: Request) -> Answer:
    """Answer with the causes and the effects of what a question names; with one of them where only that is known."""
    kind, slots = request.kind, request.kind.slots
    causes = answer_listing(request)
    turned = replace(kind, semantic=Semantic.RESULT, slots=replace(slots, cause=slots.effect, effect=None))
    effects = answer_listing(replace(request, question=f"effects of {slots.effect}", kind=turned))
    if causes.answer is None and effects.answer is not None:
        return replace(effects, question=request.question, type=kind)
    if effects.answer is None:
        return causes
    joined = join_answers(
        request, ("causes", "effects"), (causes, effects), SidesConclusion(causes.conclusion, effects.conclusion)
    )
    return replace(
        joined,
        answer=causes.answer,
        findings=(*causes.findings, *effects.findings),
        confidence=min(causes.confidence, effects.confidence),
        signals=causes.signals,
        connection=causes.connection,
    )
