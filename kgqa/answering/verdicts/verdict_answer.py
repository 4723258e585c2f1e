"""The answer that a verdict makes: its evidence on either side, its findings, and what its confidence is reckoned from.

What is answered where no source says what is asked: a chain, the reverse, a link, a common cause, or nothing at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph.model import Edge, Path
from kgqa.answering.chains.chain_validity import MIN_VALIDITY
from kgqa.answering.evidence_kind import EvidenceKind
from kgqa.answering.findings import cite_evidence, distinct_findings, edge_finding, path_finding
from kgqa.answering.link_quality import trace_link
from kgqa.answering.verdicts.evidence_weighing import ClaimRole, WeighedEvidence
from kgqa.answering.verdicts.verdict_wording import word_supporters
from kgqa.answering.verdicts.verification_query import ReadingPair, VerificationQuery, best_common_cause
from kgqa.answers import (
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
from kgqa.wording.claim_clauses import as_sentence, claim_clause, concept_phrase, count_noun, join_phrases

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


MIN_POSSIBLE_VALIDITY = 0.5
"""The least validity of a chain that is shown as a possible one: more likely valid than not."""


def answer_by_chain(query: VerificationQuery, through: Sequence[tuple[float, Path]], *, sure: bool) -> Answer:
    """Answer from chains: yes where the best one is valid, else unknown with that chain shown."""
    probability, best = through[0]
    steps = join_phrases([claim_clause(edge) for edge in best.edges])
    verdict = query.proposition.judged(Verdict.YES) if sure else Verdict.UNKNOWN
    return build_verdict_answer(
        query,
        verdict,
        f"{verdict.value}, probably, through {join_phrases([concept_phrase(name) for name in best.concepts[1:-1]])}: {steps}"
        if sure
        else f"unknown: no source says so; a possible chain is that {steps}",
        query.sure[0],
        connection=CausalConnection.MEDIATED,
        weighed=WeighedEvidence(),
        confidence=0.5 * probability * best.score,
        paths=[path for likely, path in through if likely >= MIN_VALIDITY] if sure else [best],
        trace=(f"no direct claim; {count_noun(len(through), 'chain')} of up to 3 steps",),
        missing=() if sure else (_missing_source(query),),
    )


def refuse_same_thing(query: VerificationQuery) -> Answer:
    """Refuse to say whether something bears on itself: both phrases are a name of it."""
    thing = f"name the same thing, {concept_phrase(query.same_concept)}" if query.same_concept else "are names of the same thing"
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        f"unknown: '{query.cause}' and '{query.effect}' {thing}; ask about two different things",
        None,
        connection=None,
        weighed=WeighedEvidence(),
        confidence=0.0,
        trace=(f"'{query.cause}' and '{query.effect}' {thing}",),
        missing=(MissingInformation("two different things", "ask what one thing does to another"),),
    )


def answer_reversed(query: VerificationQuery, verdict: Verdict) -> Answer:
    """Answer where only the other direction is claimed: no where that is well supported, else unknown."""
    edge = max(query.reverse.edges, key=lambda candidate: candidate.belief)
    head = "unknown" if verdict is Verdict.UNKNOWN else f"{query.proposition.judged(verdict).value}, as far as the graph knows"
    return build_verdict_answer(
        query,
        query.proposition.judged(verdict),
        f"{head}: {word_supporters(query.reverse)} the reverse, that {claim_clause(edge)}",
        query.sure[0],
        connection=CausalConnection.REVERSED,
        weighed=query.reverse,
        confidence=0.5 * edge.belief,
        against=True,
        trace=("no checkable claim that says what was asked for",),
        missing=(_missing_source(query),),
    )


def refuse_unconnected(query: VerificationQuery, through: Sequence[tuple[float, Path]]) -> Answer:
    """Refuse, with the nearest that is known: a mere link, a common cause, a doubtful chain, or that nothing joins the two."""
    if query.synonymous:
        return refuse_same_thing(query)
    if query.linked:
        return _refuse_with_other_claim(query, query.linked, CausalConnection.ASSOCIATED)
    shared = best_common_cause(query.request.view, (query.causes, query.effects))
    if shared:
        first, second = shared
        both = f"{claim_clause(first)} and {claim_clause(second)}"
        words = f"unknown: no source says so; but {concept_phrase(first.cause)} may be behind both: {both}"
        return _refuse_unknown(
            query, words, CausalConnection.COMMON_CAUSE, [Path((first,), first.belief), Path((second,), second.belief)]
        )
    if through and through[0][0] >= MIN_POSSIBLE_VALIDITY:
        return answer_by_chain(query, through, sure=False)
    if not query.sure or query.nearest is not None:
        return _refuse_unfamiliar(query)
    if query.aside:
        return _refuse_with_other_claim(query, query.aside, None)
    known = query.known
    cause, effect = query.sure[0][0].concepts[0], query.sure[0][1].concepts[0]
    words = f"unknown: the graph has no claim that '{query.cause}' bears on '{query.effect}'"
    if known:
        words += (
            f", although it has {known[0]:,} claims about {concept_phrase(cause)} and {known[1]:,} about {concept_phrase(effect)}"
        )
    return _refuse_unknown(query, words, CausalConnection.NONE if known else None, [])


def _refuse_with_other_claim(query: VerificationQuery, edges: Sequence[Edge], connection: CausalConnection | None) -> Answer:
    """Refuse, with what is said of the two, which is not what is asked."""
    best = max(edges, key=lambda edge: edge.belief)
    words = f"unknown: no source says so; it is only said that {claim_clause(best)}"
    return _refuse_unknown(query, words, connection, [Path((best,), best.belief)], against=connection is None)


def _refuse_unknown(
    query: VerificationQuery, words: str, connection: CausalConnection | None, paths: Sequence[Path], *, against: bool = False
) -> Answer:
    """Return the answer that something is unknown, with the claims that come nearest; `against` where none speaks for it."""
    pair = query.sure[0]
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        words,
        pair,
        connection=connection,
        weighed=WeighedEvidence(),
        confidence=0.0,
        paths=paths,
        against=against,
        missing=(_missing_source(query),),
    )


def _refuse_unfamiliar(query: VerificationQuery) -> Answer:
    """Refuse where a phrase is no concept of the graph, or is one only when read loosely."""
    unknown = [phrase for phrase in (query.cause, query.effect) if not query.knows(phrase)]
    if unknown:
        what, where = (
            f"a concept called {join_phrases([repr(phrase) for phrase in unknown])}",
            "texts about it, mined with kgqa mine",
        )
    else:
        what, where = f"a claim that '{query.cause}' bears on '{query.effect}'", "texts about both, mined with kgqa mine"
    pair, words = next(query.unsure_pairs(), None), f"unknown: the graph has no {what.removeprefix('a ')}"
    if query.nearest is not None:
        pair, edge = query.nearest
        words += f"; the nearest is that {claim_clause(edge)}"
    return build_verdict_answer(
        query,
        Verdict.UNKNOWN,
        words,
        pair,
        connection=None,
        weighed=WeighedEvidence(),
        confidence=0.0,
        missing=(MissingInformation(what, where),),
    )


def _missing_source(query: VerificationQuery) -> MissingInformation:
    """Return what would have been needed."""
    cause, effect = query.sure[0][0].concepts[0], query.sure[0][1].concepts[0]
    return MissingInformation(
        f"a source that says what {concept_phrase(cause)} can do to {concept_phrase(effect)}",
        "texts about both, mined with kgqa mine",
    )
