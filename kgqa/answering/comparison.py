"""Answers to "Does A cause B more than C?" and "Is A or C likelier to?": a graph does not say how much; the support is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgqa.answering.asked import Asked
from kgqa.answering.evidence import cited
from kgqa.answering.findings import edge_finding
from kgqa.answering.voice import Voice
from kgqa.answering.wording import counted, listed, sentence
from kgqa.model import Answer, Missing, Options, Route, Signals, Slots, Verdict
from kgqa.request import Request

_RATED = {**dict.fromkeys(("more", "worse"), True), **dict.fromkeys(("less", "fewer"), False)}
"""Whether what compares asks for the one with more support or with less; of what is better, support says nothing."""
_MEASURED = ("than", "likely", "apt", "worse", "dangerous", "harmful")

TWICE = 2
"""How many times as many sources one of the two must have to be said to be the better supported."""


def compared_by_support(request: Request) -> Answer:
    """Answer which of two causes, or effects, is the better supported: yes or no only where one has twice the other's sources.

    What is counted are independent texts that assert it, at least one for either; the answer says that it goes by that alone. To
    a choice ("A or B") the answer is the option.
    """
    slots = request.kind.slots
    options = slots.options
    asked = [Asked(replace(request, kind=replace(request.kind, slots=one))) for one in _each(slots, options)] if options else []
    counts = [one.direct.count(Voice.TEXT) for one in asked]
    compared = (slots.comparison or "").lower().split()
    wanted, choice = _wanted(compared), compared[-1:] != ["than"]
    verdict, chosen, shown = Verdict.UNKNOWN, None, 0
    words = "unknown: the graph says what causes what, not how much"
    if options is not None and len(counts) == 2:
        support = listed(
            [f"{counted(count, 'source')} for {phrase}" for count, phrase in zip(counts, options.phrases, strict=True)]
        )
        if wanted is not None and min(counts) >= 1 and max(counts) >= TWICE * min(counts):
            first = (counts[0] > counts[1]) is wanted
            verdict = Verdict.YES if first or choice else Verdict.NO
            shown = (0 if first else 1) if choice else counts.index(max(counts))
            chosen = options.phrases[shown] if choice else verdict.value
            words = f"{chosen}, by support alone, which is no measure of how much: {support}"
        else:
            words += f"; support, which is no measure of it: {support}"
    edges = [edge for one in asked for edge in one.direct.edges]
    supporting, denying = cited(request.view, edges)
    decided = verdict is not Verdict.UNKNOWN
    better = [edge for edge in asked[shown].direct.edges if edge.support] if decided else []
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if edges else Route.NONE,
        verdict=verdict,
        answer=chosen,
        sentence=sentence(words),
        findings=tuple(
            replace(edge_finding(edge), text=chosen or verdict.value, confidence=0.5) for edge in better[: request.limit]
        ),
        confidence=0.5 if decided else 0.0,
        evidence=supporting,
        against=denying,
        missing=(Missing("a source that compares the two", "texts about both, mined with kgqa mine"),),
        signals=Signals(support=max(counts, default=0), against=min(counts, default=0), steps=1 if edges else 0),
    )


def _wanted(compared: Sequence[str]) -> bool | None:
    """Return whether the one with more support is asked for, or with less; `None` where support says nothing of it."""
    if not compared or compared[-1] not in _MEASURED:
        return None
    return _RATED.get(compared[0])


def _each(slots: Slots, options: Options) -> list[Slots]:
    """Return the slots of the question about each of the options alone."""
    alone = replace(slots, comparison=None, options=None)
    return [
        replace(alone, cause=phrase) if options.slot == "cause" else replace(alone, effect=phrase) for phrase in options.phrases
    ]
