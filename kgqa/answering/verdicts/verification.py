"""Answers to "Does X cause Y?" and "Does X prevent Y?": a verdict from the evidence on both sides, and how the two are connected.

The claims of the two concepts come first; then the reverse, where only that is well supported; then the claims of narrower and of
wider concepts; then chains; then a refusal with the nearest that is known.

Answers to "Does A cause B more than C?" and "Is A or C likelier to?" compare support, for a graph does not say how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph.model import Edge, Relation
from kgqa.answer_model import Answer, CausalConnection, ConfidenceSignals, ContextSplit, Route, Verdict
from kgqa.answering.chains.chain_validity import MIN_VALIDITY
from kgqa.answering.evidence_kind import EvidenceKind
from kgqa.answering.findings import cite_evidence, edge_finding
from kgqa.answering.link_quality import BROADER, SPELLING, SURE_LINK
from kgqa.answering.verdicts.evidence_weighing import ClaimRole, WeighedEvidence, witness_verdict
from kgqa.answering.verdicts.verdict_answer import (
    answer_by_chain,
    answer_reversed,
    build_verdict_answer,
    refuse_same_thing,
    refuse_unconnected,
)
from kgqa.answering.verdicts.verdict_conclusion import SupportConclusion, VerdictConclusion
from kgqa.answering.verdicts.verdict_sensitivity import find_flips, find_separation
from kgqa.answering.verdicts.verification_query import ReadingPair, VerificationQuery, is_narrower
from kgqa.question import Semantic, SlotOptions, Slots
from kgqa.reasons import Missing, Need, Remedy
from kgqa.request import Request

MIN_REVERSE_SOURCES = 2
"""How many independent texts must claim the reverse, where none claims the proposition, for the answer no."""

MIN_VERDICT_LINK = 0.25
"""The least certainty of a pair of readings that is answered from, one of which must be sure."""


def answer_verification(request: Request) -> Answer:
    """Answer whether the cause of the question bears on its effect, in the sense of the question."""
    query = VerificationQuery(request)
    if query.same_concept:
        return refuse_same_thing(query)
    verdict = query.verdict(query.direct)
    has_texts = bool(query.direct.count(EvidenceKind.TEXT) or query.direct.denying or query.direct.reported)
    if verdict is not Verdict.UNKNOWN and (has_texts or query.reverse.count(EvidenceKind.TEXT) < MIN_REVERSE_SOURCES):
        return answer_directly(query, query.direct, query.sure[0], verdict)
    if query.reverse.count(EvidenceKind.TEXT) >= MIN_REVERSE_SOURCES and not has_texts:
        return answer_reversed(query, Verdict.NO)
    near = _answer_from_near(query)
    if near is not None:
        return near
    through = query.chains
    if through and through[0][0] >= MIN_VALIDITY:
        return answer_by_chain(query, through, sure=True)
    if query.direct.edges:
        return answer_directly(query, query.direct, query.sure[0], verdict)
    if query.reverse.witnesses:
        return answer_reversed(query, Verdict.UNKNOWN)
    return refuse_unconnected(query, through)


def answer_directly(query: VerificationQuery, weighed: WeighedEvidence, pair: ReadingPair, verdict: Verdict) -> Answer:
    """Answer from claims of the two concepts, linked as `pair`; `verdict` is that on the claims."""
    apart = find_separation(weighed.parts) if verdict is Verdict.CONTESTED else None
    confidence = {
        Verdict.YES: weighed.belief,
        Verdict.NO: min(weighed.disbelief * (1.0 - weighed.belief), 1.0 - _opposite_doubt(query, weighed)),
        Verdict.CONTESTED: 0.5,
        Verdict.UNKNOWN: weighed.belief,
    }[verdict]
    gaps: tuple[Missing, ...] = ()
    if verdict is Verdict.UNKNOWN:
        gaps = (Missing(Need.PLAIN_EVIDENCE, remedy=Remedy.MORE_TEXTS),)
    elif verdict is Verdict.CONTESTED and apart is None:
        gaps = (Missing(Need.SEPARATION, remedy=Remedy.TEXTS_WITH_CONTEXT),)
    return build_verdict_answer(
        query,
        query.proposition.judged(verdict),
        _conclude(query, weighed, pair, verdict, apart),
        pair,
        connection=_claimed_connection(query, weighed, verdict),
        weighed=weighed,
        confidence=confidence,
        gaps=gaps,
        flips=find_flips(weighed.witnesses, lambda left: query.proposition.judged(witness_verdict(left, query.proposition.may))),
        separation=apart,
        doubt=_opposite_doubt(query, weighed) if verdict is Verdict.NO else 0.0,
    )


def _conclude(
    query: VerificationQuery,
    weighed: WeighedEvidence,
    pair: ReadingPair,
    claim_verdict: Verdict,
    separation: ContextSplit | None,
) -> VerdictConclusion:
    """Return what the claims of the two concepts say, with the claims that an answer words."""
    return VerdictConclusion(
        query.proposition.judged(claim_verdict),
        claim_verdict,
        weighed,
        pair,
        foremost_edge(query, weighed),
        _most_believed(query, weighed, ClaimRole.CONTRARY),
        _most_believed(query, weighed, ClaimRole.LESS),
        query.circumstances,
        separation,
        query.request.kind.semantic is not Semantic.VERIFICATION,
    )


def foremost_edge(query: VerificationQuery, weighed: WeighedEvidence) -> Edge:
    """Return the claim that an answer words: the most believed one that says the proposition or more, in the weakest wording."""
    return max(
        weighed.edges, key=lambda edge: (query.role(edge) in (ClaimRole.SAYS, ClaimRole.MORE), edge.belief, -edge.strength.rank)
    )


def _most_believed(query: VerificationQuery, weighed: WeighedEvidence, role: ClaimRole) -> Edge | None:
    """Return the most believed claim in a role; `None` where there is none."""
    return max((edge for edge in weighed.edges if query.role(edge) is role), key=lambda edge: edge.belief, default=None)


def _opposite_doubt(query: VerificationQuery, weighed: WeighedEvidence) -> float:
    """Return how little the opposite is believed, 0..1, where it is all that speaks against the claim; else 0."""
    if not all(witness.opposes for witness in weighed.witnesses if witness.denying):
        return 0.0
    return 1.0 - max((edge.belief for edge in weighed.edges if query.role(edge) is ClaimRole.CONTRARY), default=1.0)


def _claimed_connection(query: VerificationQuery, weighed: WeighedEvidence, verdict: Verdict) -> CausalConnection | None:
    """Return what the claims that are made of the two themselves say of their connection; `None` where that is not sure."""
    if verdict is Verdict.NO:
        return (
            CausalConnection.OPPOSITE
            if all(witness.opposes for witness in weighed.witnesses if witness.denying)
            else CausalConnection.NONE
        )
    if all(edge.claim.relation is Relation.ASSOCIATED for edge in weighed.edges):
        return CausalConnection.ASSOCIATED
    return None if verdict is Verdict.UNKNOWN else CausalConnection.DIRECT


def _is_near_pair(pair: ReadingPair) -> bool:
    """Return whether an answer can be given of two readings: one is sure, the other not too far off."""
    lower, higher = sorted(reading.score for reading in pair)
    return higher >= SURE_LINK and (lower >= MIN_VERDICT_LINK or any(reading.how == SPELLING for reading in pair))


def _answer_from_near(query: VerificationQuery) -> Answer | None:
    """Answer from what is said of narrower cases, or of a wider concept in the place of one phrase; `None` where nothing is.

    Narrower cases can only show that it is so: what is denied of them is not denied in general.
    """
    for pair in query.unsure_pairs():
        edges = query.of_pair(pair)
        if not edges:
            continue
        weighed = query.weighed(edges)
        verdict = query.verdict(weighed)
        if not _is_near_pair(pair):
            if query.nearest is None and verdict is Verdict.YES:
                query.nearest = pair, foremost_edge(query, weighed)
            continue
        in_text = weighed.count(EvidenceKind.TEXT) or weighed.denying
        if not in_text and (query.direct.edges or pair[0].how == BROADER):
            continue
        if verdict is Verdict.YES or (verdict is not Verdict.UNKNOWN and not is_narrower(pair)):
            return answer_directly(query, weighed, pair, verdict)
    return None


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
    support: tuple[tuple[str, int], ...] = ()
    if options is not None and len(counts) == 2:
        support = tuple(zip(options.phrases, counts, strict=True))
        if wanted is not None and min(counts) >= 1 and max(counts) >= SUPPORT_RATIO * min(counts):
            first = (counts[0] > counts[1]) is wanted
            verdict = Verdict.YES if first or choice else Verdict.NO
            place = (0 if first else 1) if choice else counts.index(max(counts))
            chosen = options.phrases[place] if choice else verdict.value
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
        conclusion=SupportConclusion(support, chosen),
        findings=tuple(
            replace(edge_finding(edge), text=chosen or verdict.value, confidence=0.5) for edge in better[: request.limit]
        ),
        confidence=0.5 if decided else 0.0,
        evidence=supporting,
        against=denying,
        gaps=(Missing(Need.COMPARISON, remedy=Remedy.TEXTS_ABOUT_BOTH),),
        signals=ConfidenceSignals(support=max(counts, default=0), against=min(counts, default=0), steps=1 if edges else 0),
    )


def _wants_more_support(words: Sequence[str]) -> bool | None:
    """Return whether the question wants the option with more support, or with less; `None` where support does not decide it."""
    if not words or words[-1] not in _MEASURE_WORDS:
        return None
    return _COMPARATIVES.get(words[0])


def _slots_of_options(slots: Slots, options: SlotOptions) -> list[Slots]:
    """Return the slots of the question about each of the options alone."""
    alone = replace(slots, comparison=None, options=None)
    return [
        replace(alone, cause=phrase) if options.slot == "cause" else replace(alone, effect=phrase) for phrase in options.phrases
    ]
