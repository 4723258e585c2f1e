"""Answers to "Does A cause B or does B cause A?": a verdict for either direction, and which of them has support."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.normalize import concept_name
from kgqa.answering.verification import answer_verification
from kgqa.answering.wording import as_sentence
from kgqa.model import Answer, Attribute, ConfidenceSignals, MissingInformation, QuestionType, Route, Slots, Verdict
from kgqa.request import Request

CONVERSE_PATTERN = re.compile(
    r",?\s*\bor (?:(?P<plain>(?:is it |does it go )?(?:vice versa|the other way a?round|the reverse|the opposite way))"
    r"|(?P<asked>(?:does|do|did|can|could|will|would|is|are|was|were)\b.+))\W*$",
    re.IGNORECASE,
)
"""The second half of a question that asks for both directions."""


def converse_questions(question: str, kind: QuestionType) -> tuple[QuestionType, QuestionType] | None:
    """Return the two questions, each with its slots, where a question asks for both directions, else `None`."""
    match = CONVERSE_PATTERN.search(question)
    slots = kind.slots
    if match is None or not slots.cause or not slots.effect:
        return None
    effect = CONVERSE_PATTERN.sub("", slots.effect).strip()
    if match["asked"]:
        from kgqa.typology.classifier import classify

        converse = classify(f"{match['asked']}?").slots
        names = [concept_name(name or "") for name in (slots.cause, effect, converse.cause, converse.effect)]
        if names[:2] != names[:1:-1] or converse.relation is not slots.relation:
            return None
    left = tuple(attribute for attribute in kind.attributes if attribute not in (Attribute.DISJUNCTION, Attribute.MULTI_SLOT))
    plain = Slots(slots.cause, effect, slots.relation, population=slots.population, place=slots.place, time=slots.time)
    first = replace(kind, slots=plain, attributes=left)
    return first, replace(first, slots=replace(plain, cause=effect, effect=slots.cause))


def answer_converse(request: Request) -> Answer:
    """Answer which of two directions the graph supports: one, both or neither."""
    both = converse_questions(request.question, request.kind)
    if both is None:
        return answer_verification(request)
    answers = [answer_verification(replace(request, question=_direction_question(item), kind=item)) for item in both]
    verdicts = [item.verdict or Verdict.UNKNOWN for item in answers]
    names = [f"{item.slots.cause} → {item.slots.effect}" for item in both]
    supported = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.YES]
    chosen = "both" if len(supported) == 2 else names[supported[0]] if supported else None
    statements = "; ".join(f"{name}: {_as_clause(item.sentence)}" for name, item in zip(names, answers, strict=True))
    deciding = min((answers[place] for place in supported), key=lambda item: item.confidence, default=None)
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if any(item.route is not Route.NONE for item in answers) else Route.NONE,
        verdict=_direction_verdict(verdicts),
        answer=chosen,
        sentence=as_sentence(f"{_direction_heading(names, verdicts, supported)}; {statements}"),
        findings=tuple(finding for place in supported for finding in answers[place].findings)[: request.limit],
        confidence=deciding.confidence if deciding else 0.0,
        evidence=tuple(dict.fromkeys(cited for item in answers for cited in item.evidence)),
        against=tuple(dict.fromkeys(cited for item in answers for cited in item.against)),
        trace=tuple(f"{name}: {step}" for name, item in zip(names, answers, strict=True) for step in item.trace),
        missing=()
        if chosen
        else tuple(dict.fromkeys(gap for item in answers for gap in item.missing)) or (_missing_direction_evidence(names),),
        signals=deciding.signals if deciding else ConfidenceSignals(),
    )


def _direction_question(kind: QuestionType) -> str:
    """Return the question about one direction."""
    return f"Does {kind.slots.cause} cause {kind.slots.effect}?"


def _direction_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a choice: yes where a direction is supported, no where both are refuted."""
    for verdict in (Verdict.YES, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.NO


def _direction_heading(names: Sequence[str], verdicts: Sequence[Verdict], supported: Sequence[int]) -> str:
    """Return which direction it is."""
    if len(supported) == 2:
        return "both, as far as the graph knows"
    if supported:
        reverse_verdict = verdicts[1 - supported[0]]
        why = "the other way round is refuted" if reverse_verdict is Verdict.NO else "the other way round has no such support"
        return f"{names[supported[0]]}, as far as the graph knows: {why}"
    return "neither" if all(verdict is Verdict.NO for verdict in verdicts) else "neither direction is known"


def _as_clause(text: str) -> str:
    """Return a sentence as a clause."""
    return text[:1].lower() + text[1:].rstrip(".")


def _missing_direction_evidence(names: Sequence[str]) -> MissingInformation:
    return MissingInformation(f"evidence for {' or '.join(names)}", "texts about them, mined with kgqa mine")
