"""Answers to "If A or B were gone, ...": a world for each of what is supposed, and what they come to together."""

from __future__ import annotations

from dataclasses import replace

from kgqa.answering.counterfactual import answer_supposed, undecided
from kgqa.answering.wording import sentence
from kgqa.model import Answer, Condition, Route, Semantic, Verdict
from kgqa.request import Request


def answer_alternatives(request: Request, condition: Condition) -> Answer:
    """Answer for each alternative by itself; where they differ, there is no one verdict, and each is told."""
    answers = [(one, answer_supposed(request, one)) for one in condition.each]
    first = answers[0][1]
    weakest = min((answer for _, answer in answers), key=lambda answer: answer.confidence)
    said = {answer.verdict if answer.verdict else answer.answer for _, answer in answers}
    told = "; ".join(f"if it is '{one.target}' that is {_set(one)}: {_begun(answer.sentence)}" for one, answer in answers)
    agreed = len(said) == 1 and weakest.answer is not None
    whole = replace(
        weakest if agreed else first,
        route=Route.INTERVENTION_GRAPH if any(answer.route is not Route.NONE for _, answer in answers) else Route.NONE,
        sentence=sentence(f"either way, {_begun(str(weakest.answer))}: {told}" if agreed else f"it depends: {told}"),
        findings=tuple(dict.fromkeys(finding for _, answer in answers for finding in answer.findings))[: request.limit],
        interventions=tuple(one for _, answer in answers for one in answer.interventions),
        evidence=tuple(dict.fromkeys(cited for _, answer in answers for cited in answer.evidence)),
        against=tuple(dict.fromkeys(cited for _, answer in answers for cited in answer.against)),
        change=None,
        trace=tuple(f"{one.target} {one.value}: {step}" for one, answer in answers for step in answer.trace),
        missing=tuple(dict.fromkeys(gap for _, answer in answers for gap in answer.missing)),
    )
    if agreed:
        return whole
    if request.kind.semantic is Semantic.VERIFICATION:
        return replace(undecided(whole), verdict=Verdict.UNKNOWN)
    return undecided(whole)


def _set(one: Condition) -> str:
    """Return what is supposed of a target."""
    return {"absent": "gone", "present": "there"}.get(one.value, one.value)


def _begun(text: str) -> str:
    """Return a sentence as a clause."""
    return text[:1].lower() + text[1:].rstrip(".")
