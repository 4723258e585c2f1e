"""The answer that a verdict makes: its evidence on either side, its findings, and what its confidence is reckoned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph.model import Edge, Path
from kgqa.answering.asked import ReadingPair, VerificationQuery
from kgqa.answering.evidence import cite_evidence
from kgqa.answering.findings import distinct_findings, edge_finding, path_finding
from kgqa.answering.listing import trace_link
from kgqa.answering.validity import MIN_VALIDITY
from kgqa.answering.voice import EvidenceKind
from kgqa.answering.weighing import ClaimRole, WeighedEvidence
from kgqa.answering.wording import as_sentence
from kgqa.model import (
    Answer,
    CausalConnection,
    CitedEvidence,
    ConfidenceSignals,
    ContextSplit,
    Finding,
    MissingInformation,
    Route,
    Verdict,
    VerdictFlip,
)

_UNDECIDED = (Verdict.UNKNOWN, Verdict.CONTESTED)


def build_verdict_answer(
    query: VerificationQuery,
    verdict: Verdict,
    words: str,
    pair: ReadingPair | None,
    *,
    connection: CausalConnection | None,
    weighed: WeighedEvidence,
    confidence: float,
    paths: Sequence[Path] = (),
    against: bool = False,
    missing: tuple[MissingInformation, ...] = (),
    trace: tuple[str, ...] = (),
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
        sentence=as_sentence(words),
        findings=distinct_findings(findings),
        confidence=confidence * link,
        evidence=supporting,
        against=denying,
        trace=(*(trace_link(reading) for reading in pair or ()), *trace),
        missing=missing,
        signals=signals,
        connection=connection,
        flips=flips if verdict is not Verdict.UNKNOWN else (),
        separation=separation,
    )


def _says_as_asked(query: VerificationQuery, edge: Edge, *, against: bool) -> bool:
    """Return whether some source says of an edge what is asked, and not less or the opposite; with `against` whatever it is."""
    return against or (edge.support + edge.hedged > 0 and query.role(edge) in (ClaimRole.SAYS, ClaimRole.MORE))


def _evidence_sides(
    query: VerificationQuery, edges: Sequence[Edge], each: int, *, against: bool
) -> tuple[tuple[CitedEvidence, ...], tuple[CitedEvidence, ...]]:
    """Return the records for and against what is asked: what asserts the opposite speaks against it."""
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
