"""The answer that a verdict makes: its evidence on either side, its findings, and the signals of its confidence.

Where no source states the proposition, the answer is a chain, the reverse, a mere link, a common cause, or a refusal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph.model import Edge, Path
from kgqa.answer_model import (
    Answer,
    CausalConnection,
    CitedEvidence,
    ConfidenceSignals,
    ContextSplit,
    Finding,
    Route,
    Verdict,
    VerdictFlip,
)
from kgqa.answering.chains.chain_validity import MIN_VALIDITY
from kgqa.answering.evidence_kind import EvidenceKind
from kgqa.answering.findings import cite_evidence, distinct_findings, edge_finding, path_finding
from kgqa.answering.verdicts.evidence_weighing import ClaimRole, WeighedEvidence
from kgqa.answering.verdicts.verdict_conclusion import MediatedConclusion, ReverseConclusion
from kgqa.answering.verdicts.verification_query import ReadingPair, VerificationQuery, best_common_cause
from kgqa.reasons import Conclusion, Missing, Need, Reason, Refusal, Remedy, Step, StepKind

_UNDECIDED = (Verdict.UNKNOWN, Verdict.CONTESTED)


def build_verdict_answer(
    query: VerificationQuery,
    verdict: Verdict,
    conclusion: Conclusion,
    pair: ReadingPair | None,
    *,
    connection: CausalConnection | None,
    weighed: WeighedEvidence,
    confidence: float,
    paths: Sequence[Path] = (),
    against: bool = False,
    gaps: tuple[Missing, ...] = (),
    steps: tuple[Step, ...] = (),
    flips: tuple[VerdictFlip, ...] = (),
    separation: ContextSplit | None = None,
    doubt: float = 0.0,
) -> Answer:
    """Return the answer of a verdict with its evidence, which is that of `weighed` or of `paths`.

    `confidence`, 0..1, is lowered by how surely the phrases were read as `pair`. `against` says that all of the evidence speaks
    against what is asked. `doubt`, 0..1, is how uncertain a no is although nothing speaks for what is asked.
    """
    request = query.request
    link = pair[0].score * pair[1].score if pair else 0.0
    decided = verdict not in _UNDECIDED
    edges = tuple(dict.fromkeys(edge for path in paths for edge in path.edges)) or weighed.edges
    supporting, denying = _evidence_sides(query, edges, 2 if paths else 3, against=against)
    findings: tuple[Finding, ...] = ()
    if decided and paths:
        findings = tuple(replace(path_finding(path), text=verdict.value) for path in paths)
    elif decided:
        affirmed = query.proposition.judged(verdict) is Verdict.YES or against
        deciding = [edge for edge in edges if affirmed == _says_as_asked(query, edge, against=against)]
        findings = tuple(
            replace(edge_finding(edge), text=verdict.value, confidence=confidence * link)
            for edge in (deciding or edges)[: request.limit]
        )
    signals = ConfidenceSignals(
        belief=confidence if paths else max(weighed.belief, doubt),
        link=link,
        support=weighed.count(EvidenceKind.TEXT),
        against=weighed.denying,
        hedged=weighed.count(EvidenceKind.HEDGE, EvidenceKind.BARE, EvidenceKind.OPINION),
        steps=max((len(path.edges) for path in paths[:1]), default=1 if weighed.edges else 0),
        agreement=_agreement_share(query, query.proposition.judged(verdict), connection),
        connection=connection,
    )
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if edges else Route.NONE,
        verdict=verdict,
        answer=verdict.value if decided else None,
        conclusion=conclusion,
        findings=distinct_findings(findings),
        confidence=confidence * link,
        evidence=supporting,
        against=denying,
        steps=(*(pair or ()), *steps),
        gaps=gaps,
        signals=signals,
        connection=connection,
        flips=flips if verdict is not Verdict.UNKNOWN else (),
        separation=separation,
    )


def _says_as_asked(query: VerificationQuery, edge: Edge, *, against: bool) -> bool:
    """Return whether a source states the proposition by an edge, and not less or the opposite; with `against`, any edge."""
    return against or (edge.support + edge.hedged > 0 and query.role(edge) in (ClaimRole.SAYS, ClaimRole.MORE))


def _evidence_sides(
    query: VerificationQuery, edges: Sequence[Edge], each: int, *, against: bool
) -> tuple[tuple[CitedEvidence, ...], tuple[CitedEvidence, ...]]:
    """Return the records for and against the proposition: an assertion of the opposite is against it."""
    contrary = [edge for edge in edges if against or query.role(edge) is ClaimRole.CONTRARY]
    same = [edge for edge in edges if edge not in contrary]
    supporting, denying = cite_evidence(query.request.view, same, each)
    opposing, disputing = cite_evidence(query.request.view, contrary, each)
    both = (*supporting, *(() if against else disputing)), (*denying, *opposing)
    return both[::-1] if query.proposition.denied else both


def _agreement_share(query: VerificationQuery, verdict: Verdict, connection: CausalConnection | None) -> float:
    """Return the share of the other ways to an answer that come to the same: the claim itself, its reverse, a chain of two steps.

    0 for an undecided answer.
    """
    if verdict in _UNDECIDED:
        return 0.0
    yes = verdict is Verdict.YES
    ways = [(not query.reverse.witnesses) == yes] if connection is not CausalConnection.REVERSED else []
    if connection is not CausalConnection.DIRECT and query.direct.witnesses:
        direct = query.verdict(query.direct)
        ways += [direct is verdict] if direct not in _UNDECIDED else [False]
    chained = any(likely >= MIN_VALIDITY for likely, _ in query.chains)
    if connection is not CausalConnection.MEDIATED and (chained or not yes):
        ways.append(chained == yes)
    return sum(ways) / len(ways) if ways else 0.0


MIN_POSSIBLE_VALIDITY = 0.5
"""The least validity of a chain that is shown as a possible one: more likely valid than not."""


def answer_by_chain(query: VerificationQuery, through: Sequence[tuple[float, Path]], *, sure: bool) -> Answer:
    """Answer from chains: yes where the best one is valid, else unknown with that chain shown."""
    probability, best = through[0]
    verdict = query.proposition.judged(Verdict.YES) if sure else Verdict.UNKNOWN
    return build_verdict_answer(
        query,
        verdict,
        MediatedConclusion(verdict, best),
        query.sure[0],
        connection=CausalConnection.MEDIATED,
        weighed=WeighedEvidence(),
        confidence=0.5 * probability * best.score,
        paths=[path for likely, path in through if likely >= MIN_VALIDITY] if sure else [best],
        steps=(Step(StepKind.NO_DIRECT_CLAIM, (len(through),)),),
        gaps=() if sure else (_missing_source(query),),
    )


def refuse_same_thing(query: VerificationQuery) -> Answer:
    """Refuse to say whether something bears on itself: both phrases are a name of it."""
    facts = (query.cause, query.effect, query.same_concept)
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        Refusal(Reason.SAME_THING, facts),
        None,
        connection=None,
        weighed=WeighedEvidence(),
        confidence=0.0,
        steps=(Step(StepKind.SAME_THING, facts),),
        gaps=(Missing(Need.DIFFERENT_THINGS, remedy=Remedy.TWO_THINGS),),
    )


def answer_reversed(query: VerificationQuery, verdict: Verdict) -> Answer:
    """Answer where only the other direction is claimed: no where that is well supported, else unknown."""
    edge = max(query.reverse.edges, key=lambda candidate: candidate.belief)
    return build_verdict_answer(
        query,
        query.proposition.judged(verdict),
        ReverseConclusion(query.proposition.judged(verdict), query.reverse, edge),
        query.sure[0],
        connection=CausalConnection.REVERSED,
        weighed=query.reverse,
        confidence=0.5 * edge.belief,
        against=True,
        steps=(Step(StepKind.NO_CLAIM_AS_ASKED),),
        gaps=(_missing_source(query),),
    )


def refuse_unconnected(query: VerificationQuery, through: Sequence[tuple[float, Path]]) -> Answer:
    """Refuse, with the nearest that is known: a mere link, a common cause, a doubtful chain, or that nothing joins the two."""
    if query.synonymous:
        return refuse_same_thing(query)
    if query.linked:
        return _refuse_with_other_claim(query, query.linked, CausalConnection.ASSOCIATED)
    shared = best_common_cause(query.request.view, (query.causes, query.effects))
    if shared:
        paths = [Path((edge,), edge.belief) for edge in shared]
        return _refuse_unknown(query, Refusal(Reason.SHARED_CAUSE, shared), CausalConnection.COMMON_CAUSE, paths)
    if through and through[0][0] >= MIN_POSSIBLE_VALIDITY:
        return answer_by_chain(query, through, sure=False)
    if not query.sure or query.nearest is not None:
        return _refuse_unfamiliar(query)
    if query.aside:
        return _refuse_with_other_claim(query, query.aside, None)
    concepts = (link.concepts[0] for link in query.sure[0])
    known = tuple(zip(concepts, query.known, strict=True)) if query.known else ()
    refusal = Refusal(Reason.NO_CLAIM, (query.cause, query.effect, *known))
    return _refuse_unknown(query, refusal, CausalConnection.NONE if known else None, [])


def _refuse_with_other_claim(query: VerificationQuery, edges: Sequence[Edge], connection: CausalConnection | None) -> Answer:
    """Refuse, with a claim of the two that is not the proposition."""
    best = max(edges, key=lambda edge: edge.belief)
    refusal = Refusal(Reason.OTHER_CLAIM, (best,))
    return _refuse_unknown(query, refusal, connection, [Path((best,), best.belief)], against=connection is None)


def _refuse_unknown(
    query: VerificationQuery,
    refusal: Refusal,
    connection: CausalConnection | None,
    paths: Sequence[Path],
    *,
    against: bool = False,
) -> Answer:
    """Return the answer that something is unknown, with the claims that come nearest; `against` where none speaks for it."""
    pair = query.sure[0]
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        refusal,
        pair,
        connection=connection,
        weighed=WeighedEvidence(),
        confidence=0.0,
        paths=paths,
        against=against,
        gaps=(_missing_source(query),),
    )


def _refuse_unfamiliar(query: VerificationQuery) -> Answer:
    """Refuse where a phrase is no concept of the graph, or is one only when read loosely."""
    unknown = tuple(phrase for phrase in (query.cause, query.effect) if not query.knows(phrase))
    missing = Missing(Need.CLAIM, (query.cause, query.effect), Remedy.TEXTS_ABOUT_BOTH)
    if unknown:
        missing = Missing(Need.CONCEPT, unknown, Remedy.TEXTS_ABOUT_IT)
    pair, edge = next(query.unsure_pairs(), None), None
    if query.nearest is not None:
        pair, edge = query.nearest
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        Refusal(Reason.UNFAMILIAR, (missing, edge)),
        pair,
        connection=None,
        weighed=WeighedEvidence(),
        confidence=0.0,
        gaps=(missing,),
    )


def _missing_source(query: VerificationQuery) -> Missing:
    """Return what would have been needed: a source about the two concepts."""
    cause, effect = query.sure[0]
    return Missing(Need.SOURCE, (cause.concepts[0], effect.concepts[0]), Remedy.TEXTS_ABOUT_BOTH)
