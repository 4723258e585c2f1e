"""Answers to "Does A cause B more than C?" and "Is A or C likelier to?": a graph does not say how much; the support is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgqa.answering.asked import VerificationQuery
from kgqa.answering.evidence import cite_evidence
from kgqa.answering.findings import edge_finding
from kgqa.answering.voice import EvidenceKind
from kgqa.answering.wording import as_sentence, count_noun, join_phrases
from kgqa.model import Answer, ConfidenceSignals, MissingInformation, Route, SlotOptions, Slots, Verdict
from kgqa.request import Request

_COMPARATIVES = {**dict.fromkeys(("more", "worse"), True), **dict.fromkeys(("less", "fewer"), False)}
"""Whether what compares asks for the one with more support or with less; of what is better, support says nothing."""
_MEASURE_WORDS = ("than", "likely", "apt", "worse", "dangerous", "harmful")

SUPPORT_RATIO = 2
"""How many times as many sources one of the two must have to be said to be the better supported."""


def compare_by_support(request: Request) -> Answer:
    """Answer which of two causes, or effects, is the better supported: yes or no only where one has twice the other's sources.

    What is counted are independent texts that assert it, at least one for either; the answer says that it goes by that alone. To
    a choice ("A or B") the answer is the option.
    """
    slots = request.kind.slots
    options = slots.options
    queries = (
        [
            VerificationQuery(replace(request, kind=replace(request.kind, slots=item)))
            for item in _slots_of_options(slots, options)
        ]
        if options
        else []
    )
    counts = [item.direct.count(EvidenceKind.TEXT) for item in queries]
    compared = (slots.comparison or "").lower().split()
    wanted, choice = _wants_more_support(compared), compared[-1:] != ["than"]
    verdict, chosen, place = Verdict.UNKNOWN, None, 0
    words = "unknown: the graph says what causes what, not how much"
    if options is not None and len(counts) == 2:
        support = join_phrases(
            [f"{count_noun(count, 'source')} for {phrase}" for count, phrase in zip(counts, options.phrases, strict=True)]
        )
        if wanted is not None and min(counts) >= 1 and max(counts) >= SUPPORT_RATIO * min(counts):
            first = (counts[0] > counts[1]) is wanted
            verdict = Verdict.YES if first or choice else Verdict.NO
            place = (0 if first else 1) if choice else counts.index(max(counts))
            chosen = options.phrases[place] if choice else verdict.value
            words = f"{chosen}, by support alone, which is no measure of how much: {support}"
        else:
            words += f"; support, which is no measure of it: {support}"
    edges = [edge for item in queries for edge in item.direct.edges]
    supporting, denying = cite_evidence(request.view, edges)
    decided = verdict is not Verdict.UNKNOWN
    better = [edge for edge in queries[place].direct.edges if edge.support] if decided else []
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if edges else Route.NONE,
        verdict=verdict,
        answer=chosen,
        sentence=as_sentence(words),
        findings=tuple(
            replace(edge_finding(edge), text=chosen or verdict.value, confidence=0.5) for edge in better[: request.limit]
        ),
        confidence=0.5 if decided else 0.0,
        evidence=supporting,
        against=denying,
        missing=(MissingInformation("a source that compares the two", "texts about both, mined with kgqa mine"),),
        signals=ConfidenceSignals(support=max(counts, default=0), against=min(counts, default=0), steps=1 if edges else 0),
    )


def _wants_more_support(words: Sequence[str]) -> bool | None:
    """Return whether the one with more support is asked for, or with less; `None` where support says nothing of it."""
    if not words or words[-1] not in _MEASURE_WORDS:
        return None
    return _COMPARATIVES.get(words[0])


def _slots_of_options(slots: Slots, options: SlotOptions) -> list[Slots]:
    """Return the slots of the question about each of the options alone."""
    alone = replace(slots, comparison=None, options=None)
    return [
        replace(alone, cause=phrase) if options.slot == "cause" else replace(alone, effect=phrase) for phrase in options.phrases
    ]
