"""Answers to "If A or B were gone, ...": a world for each of what is supposed, and what they come to together."""

from __future__ import annotations

from dataclasses import replace

from kgqa.answering.counterfactual import answer_in_world, as_undecided
from kgqa.answering.wording import as_sentence
from kgqa.model import Answer, Condition, Route, Semantic, Verdict
from kgqa.request import Request


def answer_alternatives(request: Request, condition: Condition) -> Answer:
    """Answer for each alternative by itself; where they differ, there is no one verdict, and each is told."""
    answers = [(item, answer_in_world(request, item)) for item in condition.each]
    first = answers[0][1]
    weakest = min((answer for _, answer in answers), key=lambda answer: answer.confidence)
    outcomes = {answer.verdict if answer.verdict else answer.answer for _, answer in answers}
    statements = "; ".join(
        f"if it is '{item.target}' that is {_state_phrase(item)}: {_as_clause(answer.sentence)}" for item, answer in answers
    )
    agreed = len(outcomes) == 1 and weakest.answer is not None
    whole = replace(
        weakest if agreed else first,
        route=Route.INTERVENTION_GRAPH if any(answer.route is not Route.NONE for _, answer in answers) else Route.NONE,
        sentence=as_sentence(
            f"either way, {_as_clause(str(weakest.answer))}: {statements}" if agreed else f"it depends: {statements}"
        ),
        findings=tuple(dict.fromkeys(finding for _, answer in answers for finding in answer.findings))[: request.limit],
        interventions=tuple(item for _, answer in answers for item in answer.interventions),
        evidence=tuple(dict.fromkeys(cited for _, answer in answers for cited in answer.evidence)),
        against=tuple(dict.fromkeys(cited for _, answer in answers for cited in answer.against)),
        change=None,
        trace=tuple(f"{item.target} {item.value}: {step}" for item, answer in answers for step in answer.trace),
        missing=tuple(dict.fromkeys(gap for _, answer in answers for gap in answer.missing)),
    )
    if agreed:
        return whole
    if request.kind.semantic is Semantic.VERIFICATION:
        return replace(as_undecided(whole), verdict=Verdict.UNKNOWN)
    return as_undecided(whole)


def _state_phrase(condition: Condition) -> str:
    """Return what is supposed of a target."""
    return {"absent": "gone", "present": "there"}.get(condition.value, condition.value)


def _as_clause(text: str) -> str:
    """Return a sentence as a clause."""
    return text[:1].lower() + text[1:].rstrip(".")
