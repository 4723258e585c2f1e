"""Answers to "Does A or B cause X?": a verdict for each of the options, and the choice among them alone.

Answers to "Does A cause B or does B cause A?": a verdict for either direction, and which of them has support.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgqa.answering.verdicts.verification import answer_verification
from kgqa.answers import Answer, ConfidenceSignals, Finding, MissingInformation, Route, Verdict
from kgqa.question import Attribute, QuestionType, Semantic, SlotOptions
from kgqa.questions.converse import converse_questions
from kgqa.request import Answerer, Request, Router
from kgqa.wording.claim_clauses import as_sentence, count_noun, join_phrases


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
        sentence=as_sentence(f"{_options_heading(options, verdicts)}; {_option_sentences(options, answers)}"),
        findings=_surest_first(findings)[: request.limit],
        confidence=weakest.confidence if chosen else 0.0,
        evidence=tuple(dict.fromkeys(cited for item in answers for cited in item.evidence)),
        against=tuple(dict.fromkeys(cited for item in answers for cited in item.against)),
        trace=tuple(
            f"{phrase}: {step}"
            for phrase, item, verdict in zip(options.phrases, answers, verdicts, strict=True)
            for step in (*item.trace, verdict.value)
        ),
        missing=()
        if chosen
        else tuple(dict.fromkeys(gap for item in answers for gap in item.missing)) or (_missing_option_evidence(options),),
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
    """Return the verdict of a choice: yes where an option is supported, no where all are refuted."""
    for verdict in (Verdict.YES, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.NO


def _all_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of options that are asked for together: no where one is refuted, yes where all are supported."""
    for verdict in (Verdict.NO, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.YES


def _options_heading(options: SlotOptions, verdicts: Sequence[Verdict]) -> str:
    """Return which of the options it is."""
    names = [phrase for phrase, verdict in zip(options.phrases, verdicts, strict=True) if verdict is Verdict.YES]
    many = "both" if len(options.phrases) == 2 else "all of them"
    if len(names) == len(options.phrases):
        return many if options.joined == "or" else f"yes, {many}"
    if names:
        phrase_list = join_phrases(names)
        return (
            f"{phrase_list}, as far as the graph knows"
            if options.joined == "or"
            else f"it is known of {phrase_list} only, not of {many}"
        )
    if all(verdict is Verdict.NO for verdict in verdicts):
        return "neither" if len(options.phrases) == 2 else "none of them"
    return "neither is known" if len(options.phrases) == 2 else "none of them is known"


def _option_sentences(options: SlotOptions, answers: Sequence[Answer]) -> str:
    """Return what the answer to each option says."""
    sentences = (answer.sentence.rstrip(".") for answer in answers)
    return "; ".join(
        f"for {phrase} {text[:1].lower()}{text[1:]}" for phrase, text in zip(options.phrases, sentences, strict=True)
    )


def _weakest_answer(answers: Sequence[Answer], places: Sequence[int]) -> Answer:
    """Return the least sure of the answers at some places."""
    return min((answers[place] for place in places), key=lambda answer: answer.confidence)


def _surest_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings, most sure first."""
    return tuple(sorted(findings, key=lambda finding: -finding.confidence))


def _missing_option_evidence(options: SlotOptions) -> MissingInformation:
    what = f"evidence about {count_noun(len(options.phrases), 'option')}: {join_phrases(list(options.phrases))}"
    return MissingInformation(what, "texts about them, mined with kgqa mine")


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
