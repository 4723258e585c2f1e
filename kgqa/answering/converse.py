"""Answers to "Does A cause B or does B cause A?": a verdict for either direction, and which of them has support."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.normalize import concept_name
from kgqa.answering.verification import answer_verification
from kgqa.answering.wording import sentence
from kgqa.model import Answer, Attribute, Missing, QuestionType, Route, Signals, Slots, Verdict
from kgqa.request import Request

CONVERSE = re.compile(
    r",?\s*\bor (?:(?P<plain>(?:is it |does it go )?(?:vice versa|the other way a?round|the reverse|the opposite way))"
    r"|(?P<asked>(?:does|do|did|can|could|will|would|is|are|was|were)\b.+))\W*$",
    re.IGNORECASE,
)
"""The second half of a question that asks for both directions."""


def converse_of(question: str, kind: QuestionType) -> tuple[QuestionType, QuestionType] | None:
    """Return the two questions, each with its slots, where a question asks for both directions, else `None`."""
    found = CONVERSE.search(question)
    slots = kind.slots
    if found is None or not slots.cause or not slots.effect:
        return None
    effect = CONVERSE.sub("", slots.effect).strip()
    if found["asked"]:
        from kgqa.typology.classifier import classify

        other = classify(f"{found['asked']}?").slots
        names = [concept_name(name or "") for name in (slots.cause, effect, other.cause, other.effect)]
        if names[:2] != names[:1:-1] or other.relation is not slots.relation:
            return None
    left = tuple(one for one in kind.attributes if one not in (Attribute.DISJUNCTION, Attribute.MULTI_SLOT))
    plain = Slots(slots.cause, effect, slots.relation, population=slots.population, place=slots.place, time=slots.time)
    first = replace(kind, slots=plain, attributes=left)
    return first, replace(first, slots=replace(plain, cause=effect, effect=slots.cause))


def answer_converse(request: Request) -> Answer:
    """Answer which of two directions the graph supports: one, both or neither."""
    both = converse_of(request.question, request.kind)
    if both is None:
        return answer_verification(request)
    answers = [answer_verification(replace(request, question=_asked(one), kind=one)) for one in both]
    verdicts = [one.verdict or Verdict.UNKNOWN for one in answers]
    names = [f"{one.slots.cause} → {one.slots.effect}" for one in both]
    supported = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.YES]
    chosen = "both" if len(supported) == 2 else names[supported[0]] if supported else None
    told = "; ".join(f"{name}: {_begun(one.sentence)}" for name, one in zip(names, answers, strict=True))
    deciding = min((answers[place] for place in supported), key=lambda one: one.confidence, default=None)
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if any(one.route is not Route.NONE for one in answers) else Route.NONE,
        verdict=_verdict(verdicts),
        answer=chosen,
        sentence=sentence(f"{_heading(names, verdicts, supported)}; {told}"),
        findings=tuple(finding for place in supported for finding in answers[place].findings)[: request.limit],
        confidence=deciding.confidence if deciding else 0.0,
        evidence=tuple(dict.fromkeys(cited for one in answers for cited in one.evidence)),
        against=tuple(dict.fromkeys(cited for one in answers for cited in one.against)),
        trace=tuple(f"{name}: {step}" for name, one in zip(names, answers, strict=True) for step in one.trace),
        missing=() if chosen else tuple(dict.fromkeys(gap for one in answers for gap in one.missing)) or (_gap(names),),
        signals=deciding.signals if deciding else Signals(),
    )


def _asked(kind: QuestionType) -> str:
    """Return the question about one direction."""
    return f"Does {kind.slots.cause} cause {kind.slots.effect}?"


def _verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a choice: yes where a direction is supported, no where both are refuted."""
    for verdict in (Verdict.YES, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.NO


def _heading(names: Sequence[str], verdicts: Sequence[Verdict], supported: Sequence[int]) -> str:
    """Return which direction it is."""
    if len(supported) == 2:
        return "both, as far as the graph knows"
    if supported:
        other = verdicts[1 - supported[0]]
        why = "the other way round is refuted" if other is Verdict.NO else "the other way round has no such support"
        return f"{names[supported[0]]}, as far as the graph knows: {why}"
    return "neither" if all(verdict is Verdict.NO for verdict in verdicts) else "neither direction is known"


def _begun(text: str) -> str:
    """Return a sentence as a clause."""
    return text[:1].lower() + text[1:].rstrip(".")


def _gap(names: Sequence[str]) -> Missing:
    return Missing(f"evidence for {' or '.join(names)}", "texts about them, mined with kgqa mine")
