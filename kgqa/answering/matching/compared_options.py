"""Questions which of two does more, answered by the claims near to each: a graph says what causes what, and not how much."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from graph.model import Edge
from kgqa.answer_model import Answer, ConfidenceSignals, Route
from kgqa.answering.findings import cite_evidence, edge_finding
from kgqa.answering.matching.claim_matcher import AskedClaim, ClaimMatcher, RelevantClaim
from kgqa.reasons import Conclusion, Missing, Step
from kgqa.request import Request

_WHICH = re.compile(r"\W*(?:what|which)\b", re.IGNORECASE)
_LEAST, _MOST_BEHIND, _LEAST_LIKE, _LEAST_ASKED = 0.5, 0.25, 0.6, 0.5
"""How probably a claim answers at least, and how far behind the best, and how near its ends are at least to option and effect."""
_MOST_SHOWN, _MOST_CONFIDENT = 2, 0.6
"""How many claims are shown of an option, and how sure the answer is at most: which of the two does more, it does not know."""


@dataclass(frozen=True, slots=True)
class ComparedConclusion(Conclusion):
    """The claims about each of several options that are compared; none where nothing near is known of one."""

    options: tuple[str, ...]
    edges: tuple[tuple[Edge, ...], ...]


def compare_options(
    request: Request, answer: Answer, matcher: ClaimMatcher, near: Callable[[Request], Mapping[Edge, float]]
) -> Answer | None:
    """Return the answer to which of several options does more: what is known of each; `None` where of none anything is."""
    slots = request.kind.slots
    options = slots.options
    chooses = _WHICH.match(request.question) or (slots.comparison and not slots.comparison.endswith(" than"))
    if options is None or not chooses or options.slot != "cause" or not slots.effect:
        return None
    likeliest: dict[str, list[RelevantClaim]] = {}
    for phrase in options.phrases:
        kind = replace(request.kind, slots=replace(slots, cause=phrase, options=None, comparison=None))
        # What is compared does more for an end, or for what ends something.
        questions = (f"How does {phrase} contribute to {slots.effect}?", f"How does {phrase} {slots.effect}?")
        rated: dict[Edge, RelevantClaim] = {}
        candidates = near(replace(request, question=questions[0], kind=kind))
        for question in questions:
            for item in matcher.relevance(AskedClaim(question, phrase, slots.effect), candidates):
                rated[item.edge] = max(item, rated.get(item.edge, item), key=lambda each: each.probability)
        likeliest[phrase] = _fitting(phrase, slots.effect, list(rated.values()), matcher)
    if not any(likeliest.values()):
        return None
    edges = list(dict.fromkeys(item.edge for item in chain(*likeliest.values())))
    evidence, against = cite_evidence(request.view, edges)
    weakest = min((items[0] for items in likeliest.values() if items), key=lambda item: item.probability)
    findings = tuple(map(edge_finding, edges))
    return replace(
        answer,
        type=request.kind,
        route=Route.GRAPH,
        conclusion=ComparedConclusion(options.phrases, tuple(tuple(item.edge for item in items) for items in likeliest.values())),
        answer=" and ".join(phrase for phrase, items in likeliest.items() if items),
        verdict=None,
        findings=findings,
        confidence=min(weakest.probability, weakest.edge.belief, _MOST_CONFIDENT),
        evidence=evidence,
        against=against,
        steps=(*answer.steps, Step("claims_read", (len(edges), weakest.edge, weakest.probability))),
        gaps=(Missing("comparison", remedy="texts_about_both"),),
        signals=ConfidenceSignals(weakest.edge.belief, weakest.probability, weakest.edge.support, steps=1),
    )


def _fitting(option: str, effect: str, items: Sequence[RelevantClaim], matcher: ClaimMatcher) -> list[RelevantClaim]:
    """Return the likeliest claims from what an option names to what the effect names."""
    ends = list(dict.fromkeys(name for item in items for name in (item.edge.cause, item.edge.effect)))
    own, wanted, *vectors = matcher.vectors([option, effect, *ends])
    by_name = dict(zip(ends, vectors, strict=True))
    fitting = [
        item
        for item in sorted(items, key=lambda item: -item.probability)
        if item.probability >= _LEAST
        and float(own @ by_name[item.edge.cause]) >= _LEAST_LIKE
        and float(wanted @ by_name[item.edge.effect]) >= _LEAST_ASKED
    ]
    once = {(item.edge.cause, item.edge.effect): item for item in reversed(fitting)}
    likely = (item for item in fitting if item.probability >= fitting[0].probability - _MOST_BEHIND)
    return [item for item in likely if once[item.edge.cause, item.edge.effect] is item][:_MOST_SHOWN]
