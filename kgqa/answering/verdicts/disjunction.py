"""Answers to "Does A or B cause X?", a verdict for each option, and to "Does A cause B or B A?", a verdict for each direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph.text.concept_nouns import join_phrases
from kgqa.answer_model import Answer, ConfidenceSignals, Finding, MissingInformation, Route, Verdict
from kgqa.answering.verdicts.verdict_conclusion import DirectionsConclusion, OptionsConclusion
from kgqa.answering.verdicts.verification import answer_verification
from kgqa.question import Attribute, QuestionType, Semantic, SlotOptions
from kgqa.questions.converse import converse_questions
from kgqa.reasons import Missing, Need, Remedy, Step, StepKind
from kgqa.request import Answerer, Request, Router


def answer_disjunction(route: Router) -> Answerer:
    """Return what answers which of the options is supported, each by the answerer that `route` gives the question about it."""
    return lambda request: _answer_options(request, route)


def _answer_options(request: Request, route: Router) -> Answer:
    """Answer which of the options is supported ("or"), or whether all of them are ("and"), each by its own verdict."""
    options = request.kind.slots.options
    if options is None:
        raise ValueError("a question with options without its options")
    answers = [_answer_for_option(request, options, phrase, route) for phrase in options.phrases]
    verdicts = [item.verdict or Verdict.UNKNOWN for item in answers]
    supported = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.YES]
    verdict = _all_verdict(verdicts) if options.joined == "and" else _any_verdict(verdicts)
    chosen = join_phrases([options.phrases[place] for place in supported]) if supported else None
    if options.joined == "and":
        chosen = verdict.value if verdict in (Verdict.YES, Verdict.NO) else None
    deciding = [place for place, item in enumerate(verdicts) if item is (Verdict.NO if chosen == Verdict.NO else Verdict.YES)]
    findings = tuple(replace(item, text=chosen) for place in deciding for item in answers[place].findings) if chosen else ()
    weakest = _weakest_answer(answers, deciding if chosen else range(len(answers)))
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if any(item.route is not Route.NONE for item in answers) else Route.NONE,
        verdict=verdict,
        answer=chosen if findings else None,
        conclusion=OptionsConclusion(
            options.phrases, options.joined, tuple(verdicts), tuple(item.conclusion for item in answers)
        ),
        findings=_surest_first(findings)[: request.limit],
        confidence=weakest.confidence if chosen else 0.0,
        evidence=tuple(dict.fromkeys(cited for item in answers for cited in item.evidence)),
        against=tuple(dict.fromkeys(cited for item in answers for cited in item.against)),
        steps=tuple(
            Step(StepKind.OF_PART, (phrase, step))
            for phrase, item, verdict in zip(options.phrases, answers, verdicts, strict=True)
            for step in (*item.steps, Step(StepKind.VERDICT, (verdict,)))
        ),
        gaps=() if chosen else _gaps_of(answers) or (_missing_evidence(Need.OPTION_EVIDENCE, options.phrases),),
        signals=weakest.signals if chosen else ConfidenceSignals(),
    )


def _answer_for_option(request: Request, options: SlotOptions, phrase: str, route: Router) -> Answer:
    """Return the answer to the question about one option alone."""
    slots = request.kind.slots
    option_slots = (
        replace(slots, cause=phrase, options=None) if options.slot == "cause" else replace(slots, effect=phrase, options=None)
    )
    left = tuple(a for a in request.kind.attributes if a not in (Attribute.DISJUNCTION, Attribute.MULTI_SLOT))
    kind: QuestionType = replace(request.kind, semantic=Semantic.VERIFICATION, slots=option_slots, attributes=left)
    return route(request.question, kind)(replace(request, kind=kind))


def _any_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a choice among options or directions: yes where one is supported, no where all are refuted."""
    for verdict in (Verdict.YES, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.NO


def _all_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of options that "and" joins: no where one is refuted, yes where all are supported."""
    for verdict in (Verdict.NO, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.YES


def _weakest_answer(answers: Sequence[Answer], places: Sequence[int]) -> Answer:
    """Return the least sure of the answers at some places."""
    return min((answers[place] for place in places), key=lambda answer: answer.confidence)


def _surest_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings, most sure first."""
    return tuple(sorted(findings, key=lambda finding: -finding.confidence))


def _gaps_of(answers: Sequence[Answer]) -> tuple[Missing | MissingInformation, ...]:
    """Return the different gaps of some answers."""
    return tuple(dict.fromkeys(gap for answer in answers for gap in answer.gaps))


def _missing_evidence(need: Need, names: Sequence[str]) -> Missing:
    """Return that evidence is missing about some options or directions."""
    return Missing(need, tuple(names), Remedy.TEXTS_ABOUT_THEM)


def answer_converse(request: Request) -> Answer:
    """Answer which of two directions the graph supports: one, both or neither."""
    both = converse_questions(request.question, request.kind)
    if both is None:
        raise ValueError("a question about two directions without its directions")
    answers = [answer_verification(replace(request, question=_direction_question(item), kind=item)) for item in both]
    verdicts = [item.verdict or Verdict.UNKNOWN for item in answers]
    names = [f"{item.slots.cause} → {item.slots.effect}" for item in both]
    supported = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.YES]
    chosen = "both" if len(supported) == 2 else names[supported[0]] if supported else None
    deciding = min((answers[place] for place in supported), key=lambda item: item.confidence, default=None)
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if any(item.route is not Route.NONE for item in answers) else Route.NONE,
        verdict=_any_verdict(verdicts),
        answer=chosen,
        conclusion=DirectionsConclusion(tuple(names), tuple(verdicts), tuple(item.conclusion for item in answers)),
        findings=tuple(finding for place in supported for finding in answers[place].findings)[: request.limit],
        confidence=deciding.confidence if deciding else 0.0,
        evidence=tuple(dict.fromkeys(cited for item in answers for cited in item.evidence)),
        against=tuple(dict.fromkeys(cited for item in answers for cited in item.against)),
        steps=tuple(
            Step(StepKind.OF_PART, (name, step)) for name, item in zip(names, answers, strict=True) for step in item.steps
        ),
        gaps=() if chosen else _gaps_of(answers) or (_missing_evidence(Need.DIRECTION_EVIDENCE, names),),
        signals=deciding.signals if deciding else ConfidenceSignals(),
    )


def _direction_question(kind: QuestionType) -> str:
    """Return the question about one direction."""
    return f"Does {kind.slots.cause} cause {kind.slots.effect}?"
