"""Answers to "Does A cause B more than C does?": nothing in a graph of claims measures how much; the support is told."""

from __future__ import annotations

from dataclasses import replace

from kgqa.answering.asked import Asked
from kgqa.answering.evidence import cited
from kgqa.answering.findings import edge_finding
from kgqa.answering.voice import Voice
from kgqa.answering.wording import counted, listed, sentence
from kgqa.model import Answer, Missing, Options, Route, Signals, Slots, Verdict
from kgqa.request import Request

TWICE = 2
"""How many times as many sources one of the two must have to be said to be the better supported."""


def compared_by_support(request: Request) -> Answer:
    """Answer which of two causes, or effects, is the better supported: yes or no only where one has twice the other's sources.

    What is counted are independent texts that assert it, at least one for either; the answer says that it goes by that alone.
    """
    slots = request.kind.slots
    options = slots.options
    asked = [Asked(replace(request, kind=replace(request.kind, slots=one))) for one in _each(slots, options)] if options else []
    counts = [one.direct.count(Voice.TEXT) for one in asked]
    verdict = Verdict.UNKNOWN
    words = "unknown: the graph says what causes what, not how much"
    if options is not None and len(counts) == 2:
        support = listed(
            [f"{counted(count, 'source')} for {phrase}" for count, phrase in zip(counts, options.phrases, strict=True)]
        )
        if min(counts) >= 1 and max(counts) >= TWICE * min(counts):
            verdict = Verdict.YES if counts[0] > counts[1] else Verdict.NO
            words = f"{verdict.value}, by support alone, which is no measure of how much: {support}"
        else:
            words += f"; support, which is no measure of it: {support}"
    edges = [edge for one in asked for edge in one.direct.edges]
    supporting, denying = cited(request.view, edges)
    decided = verdict is not Verdict.UNKNOWN
    better = [edge for edge in asked[counts.index(max(counts))].direct.edges if edge.support] if decided else []
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if edges else Route.NONE,
        verdict=verdict,
        answer=verdict.value if decided else None,
        sentence=sentence(words),
        findings=tuple(replace(edge_finding(edge), text=verdict.value, confidence=0.5) for edge in better[: request.limit]),
        confidence=0.5 if decided else 0.0,
        evidence=supporting,
        against=denying,
        missing=(Missing("a source that compares the two", "texts about both, mined with kgqa mine"),),
        signals=Signals(support=max(counts, default=0), against=min(counts, default=0), steps=1 if edges else 0),
    )


def _each(slots: Slots, options: Options) -> list[Slots]:
    """Return the slots of the question about each of the options alone."""
    alone = replace(slots, comparison=None, options=None)
    return [
        replace(alone, cause=phrase) if options.slot == "cause" else replace(alone, effect=phrase) for phrase in options.phrases
    ]
