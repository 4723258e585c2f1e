"""Answers to "Does A or B cause X?": a verdict for each of the options, and the choice among them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgqa.answering.wording import counted, listed, sentence
from kgqa.model import Answer, Attribute, Finding, Missing, Options, QuestionType, Route, Semantic, Signals, Verdict
from kgqa.request import Request
from kgqa.router import route


def answer_disjunction(request: Request) -> Answer:
    """Answer which of the options is supported ("or"), or whether all of them are ("and"), each by its own verdict."""
    options = request.kind.slots.options
    if options is None:
        raise ValueError("a question with options without its options")
    answers = [_asked(request, options, phrase) for phrase in options.phrases]
    verdicts = [one.verdict or Verdict.UNKNOWN for one in answers]
    supported = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.YES]
    verdict = _all(verdicts) if options.joined == "and" else _any(verdicts)
    chosen = listed([options.phrases[place] for place in supported]) if supported else None
    if options.joined == "and":
        chosen = verdict.value if verdict in (Verdict.YES, Verdict.NO) else None
    deciding = [place for place, one in enumerate(verdicts) if one is (Verdict.NO if chosen == Verdict.NO else Verdict.YES)]
    findings = tuple(replace(one, text=chosen) for place in deciding for one in answers[place].findings) if chosen else ()
    weakest = _weakest(answers, deciding if chosen else range(len(answers)))
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if any(one.route is not Route.NONE for one in answers) else Route.NONE,
        verdict=verdict,
        answer=chosen if findings else None,
        sentence=sentence(f"{_heading(options, verdicts)}; {_each(options, answers)}"),
        findings=_sorted(findings)[: request.limit],
        confidence=weakest.confidence if chosen else 0.0,
        evidence=tuple(dict.fromkeys(cited for one in answers for cited in one.evidence)),
        against=tuple(dict.fromkeys(cited for one in answers for cited in one.against)),
        trace=tuple(
            f"{phrase}: {step}"
            for phrase, one, verdict in zip(options.phrases, answers, verdicts, strict=True)
            for step in (*one.trace, verdict.value)
        ),
        missing=() if chosen else tuple(dict.fromkeys(gap for one in answers for gap in one.missing)) or (_gap(options),),
        signals=weakest.signals if chosen else Signals(),
    )


def _asked(request: Request, options: Options, phrase: str) -> Answer:
    """Return the answer to the question about one option alone."""
    slots = request.kind.slots
    one = replace(slots, cause=phrase, options=None) if options.slot == "cause" else replace(slots, effect=phrase, options=None)
    left = tuple(a for a in request.kind.attributes if a not in (Attribute.DISJUNCTION, Attribute.MULTI_SLOT))
    kind: QuestionType = replace(request.kind, semantic=Semantic.VERIFICATION, slots=one, attributes=left)
    return route(request.question, kind)(replace(request, kind=kind))


def _any(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a choice: yes where an option is supported, no where all are refuted."""
    for verdict in (Verdict.YES, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.NO


def _all(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of options that are asked for together: no where one is refuted, yes where all are supported."""
    for verdict in (Verdict.NO, Verdict.CONTESTED, Verdict.UNKNOWN):
        if verdict in verdicts:
            return verdict
    return Verdict.YES


def _heading(options: Options, verdicts: Sequence[Verdict]) -> str:
    """Return which of the options it is."""
    names = [phrase for phrase, verdict in zip(options.phrases, verdicts, strict=True) if verdict is Verdict.YES]
    many = "both" if len(options.phrases) == 2 else "all of them"
    if len(names) == len(options.phrases):
        return many if options.joined == "or" else f"yes, {many}"
    if names:
        shown = listed(names)
        return f"{shown}, as far as the graph knows" if options.joined == "or" else f"it is known of {shown} only, not of {many}"
    if all(verdict is Verdict.NO for verdict in verdicts):
        return "neither" if len(options.phrases) == 2 else "none of them"
    return "neither is known" if len(options.phrases) == 2 else "none of them is known"


def _each(options: Options, answers: Sequence[Answer]) -> str:
    """Return what the answer to each option says."""
    said = (one.sentence.rstrip(".") for one in answers)
    return "; ".join(f"for {phrase} {text[:1].lower()}{text[1:]}" for phrase, text in zip(options.phrases, said, strict=True))


def _weakest(answers: Sequence[Answer], places: Sequence[int]) -> Answer:
    """Return the least sure of the answers at some places."""
    return min((answers[place] for place in places), key=lambda one: one.confidence)


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings, most sure first."""
    return tuple(sorted(findings, key=lambda one: -one.confidence))


def _gap(options: Options) -> Missing:
    what = f"evidence about {counted(len(options.phrases), 'option')}: {listed(list(options.phrases))}"
    return Missing(what, "texts about them, mined with kgqa mine")
