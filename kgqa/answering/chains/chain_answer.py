"""Answers to "How does X lead to Y?": chains of claims from one to the other, as far as they are likely to be valid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from graph.algorithms.paths import best_paths
from graph.model import Edge, Path, Strength
from graph.protocols import GraphView
from graph.topology import ACTING_LINKS, DRIVING_LINKS, is_lessening
from kgqa.answering.chains.chain_validity import CHAINS_JUDGED, MIN_VALIDITY, rank_by_validity
from kgqa.answering.findings import cite_evidence, distinct_findings, path_finding
from kgqa.answering.link_quality import SURE_LINK, refuse_phrase, trace_link
from kgqa.answers import Answer, CausalConnection, CitedEvidence, ConfidenceSignals, Finding, MissingInformation, Route
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_pairs
from kgqa.request import Request
from kgqa.wording.claim_clauses import as_sentence, claim_clause, concept_phrase, count_noun, join_phrases

MAX_CHAIN_LENGTH = 3
"""As long as the chains that the model of validity was fitted on; `kgqa path` shows longer ones."""

MIN_CHAIN_LINK = 0.65
"""The least certainty of a pair of readings that is looked at; below, a phrase was read as something wider, narrower or other."""

_PAIRS_TRIED = 4
_CHAINS_CITED = 3
_AS_A_WHOLE = {
    Strength.CAUSES: "can lead to",
    Strength.LEADS_TO: "can lead to",
    Strength.CONTRIBUTES_TO: "can contribute to",
    Strength.RISK_FACTOR: "can raise the risk of",
    Strength.ASSOCIATED: "may have to do with",
}
"""What a chain says of its ends, no stronger than its weakest step."""

ScoredChain = tuple[float, Path]


class ChainSearch(NamedTuple):
    """What leads from one reading to another, with how likely it is to hold: `chains` of several steps, and `direct` claims."""

    cause: ConceptLink
    effect: ConceptLink
    chains: Sequence[ScoredChain]
    direct: Sequence[ScoredChain]

    @property
    def link(self) -> float:
        """How surely the two phrases were read so, 0..1."""
        return self.cause.score * self.effect.score

    @property
    def answerable(self) -> list[ScoredChain]:
        """What is answered: chains that are likely to be valid, the likeliest first, then what leads there directly."""
        return [*(chain for chain in self.chains if chain[0] >= MIN_VALIDITY), *self.direct]


def answer_chain(request: Request) -> Answer:
    """Answer with the chains from the cause to the effect of the question that are likely to be valid."""
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    tried: ChainSearch | None = None
    for cause_reading, effect_reading in islice(link_pairs(cause, effect, request.view, request.link), _PAIRS_TRIED):
        if cause_reading.score * effect_reading.score < MIN_CHAIN_LINK:
            break
        search = _search_chains(request.view, cause_reading, effect_reading)
        if search.answerable:
            return _answer_from_search(request, search)
        if tried is None or search.chains:
            tried = search
        if search.chains:
            break
    return _refuse_chain(request, tried)


def _search_chains(view: GraphView, cause: ConceptLink, effect: ConceptLink) -> ChainSearch:
    """Look up what leads from one reading to another, without associations and decreases."""
    paths = best_paths(view, cause.concepts, effect.concepts, MAX_CHAIN_LENGTH, CHAINS_JUDGED, DRIVING_LINKS)
    judged = rank_by_validity(paths, view)
    chains, direct = ([chain for chain in judged if (len(chain[1].edges) > 1) is long] for long in (True, False))
    return ChainSearch(cause, effect, chains, direct)


def _answer_from_search(request: Request, search: ChainSearch) -> Answer:
    """Answer with what is shown."""
    answers = search.answerable[: request.limit]
    findings = distinct_findings(_chain_finding(chain, search.link) for chain in answers)
    edges = dict.fromkeys(edge for _, path in answers[:_CHAINS_CITED] for edge in path.edges)
    supporting, denying = cite_evidence(request.view, edges, each=2)
    likely = sum(probability >= MIN_VALIDITY for probability, _ in search.chains)
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH,
        answer=findings[0].text,
        sentence=_word_chain(search, supporting),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        trace=(
            trace_link(search.cause),
            trace_link(search.effect),
            f"{count_noun(len(search.chains), 'chain')} of 2 to {MAX_CHAIN_LENGTH} steps, "
            f"{likely} with a validity of {MIN_VALIDITY} or more",
            *(
                f"{path_finding(path).text}: valid with probability {probability:.2f}"
                for probability, path in search.chains[:_CHAINS_CITED]
            ),
        ),
        signals=_chain_signals(answers[0], search.link),
        connection=CausalConnection.MEDIATED if len(answers[0][1].edges) > 1 else CausalConnection.DIRECT,
    )


def _chain_finding(judged: ScoredChain, link: float) -> Finding:
    """Return a chain as a finding, its confidence the probability that it is valid and the phrases were read rightly."""
    return replace(path_finding(judged[1]), confidence=judged[0] * link)


def _chain_signals(judged: ScoredChain, link: float) -> ConfidenceSignals:
    """Return what the confidence is reckoned from: the belief is the probability that the chain is valid."""
    probability, path = judged
    support, hedged = (min(getattr(edge, count) for edge in path.edges) for count in ("support", "hedged"))
    long = len(path.edges) > 1
    return ConfidenceSignals(
        belief=probability,
        link=link,
        support=support,
        hedged=hedged,
        against=sum(edge.against for edge in path.edges),
        steps=len(path.edges),
        connection=CausalConnection.MEDIATED if long else CausalConnection.DIRECT,
    )


def _word_chain(search: ChainSearch, evidence: Iterable[CitedEvidence]) -> str:
    """Return the best chain in a sentence: what it comes to, no stronger than its weakest step, and its steps."""
    path = search.answerable[0][1]
    clauses = [claim_clause(edge, [item.evidence for item in evidence if item.claim == edge.claim]) for edge in path.edges]
    loosely = [trace_link(item) for item in (search.cause, search.effect) if item.score < SURE_LINK]
    remark = f"; {join_phrases(loosely)}" if loosely else ""
    if len(path.edges) == 1:
        none = "; a chain that tells how was found, but none that is likely to be valid" if search.chains else ""
        return as_sentence(f"directly: {clauses[0]}{none}{remark}")
    also = ""
    if search.direct:
        also = f"; it is also said directly that {claim_clause(search.direct[0][1].edges[0])}"
    return as_sentence(
        f"{_word_chain_ends(path)}, through {join_phrases(list(map(concept_phrase, path.concepts[1:-1])))}: "
        f"{join_phrases(clauses)}{also}{remark}"
    )


def _word_chain_ends(path: Path) -> str:
    """Return what a chain says of its ends: "deforestation can lead to floods"."""
    weakest = max(path.edges, key=lambda edge: edge.strength.rank)
    return f"{concept_phrase(path.concepts[0])} {_AS_A_WHOLE[weakest.strength]} {concept_phrase(path.concepts[-1])}"


def _refuse_chain(request: Request, tried: ChainSearch | None) -> Answer:
    """Answer that it is unknown, naming the best doubtful chain, and what makes less of the effect instead."""
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    known = next(iter(request.link(cause, request.view)), None)
    what = f"how '{cause}' leads to '{effect}'"
    plain = refuse_phrase(request.question, request.kind, what, effect if known else cause, request.view)
    trace: list[str] = []
    missing: list[MissingInformation] = []
    words = f"unknown: the graph does not say {what}"
    if tried is not None and tried.chains:
        probability, path = tried.chains[0]
        steps = join_phrases([claim_clause(edge) for edge in path.edges])
        possible = f"a possible chain is doubtful: {steps}"
        words += f"; {possible}"
        trace += [trace_link(tried.cause), trace_link(tried.effect)]
        trace.append(f"{path_finding(path).text}: valid with probability {probability:.2f}, {MIN_VALIDITY} is asked for")
        missing.append(
            MissingInformation("a chain that is likely to be valid", f"{possible} (valid with probability {probability:.2f})")
        )
    opposed = _word_opposite(request.view, tried) if tried else None
    if opposed is not None:
        words += f"; {opposed}"
        trace.append(opposed)
    if not missing and opposed is None:
        return plain
    return replace(plain, sentence=as_sentence(words), trace=tuple(trace), missing=(*missing, *plain.missing))


def _word_opposite(view: GraphView, read: ChainSearch) -> str | None:
    """Return what makes less of the effect, directly or along a chain, or a chain in which two decreases make an increase.

    Chains with a decrease in them were not among those that the model of validity was fitted on: they are named, not answered.
    """
    paths = best_paths(view, read.cause.concepts, read.effect.concepts, 2, CHAINS_JUDGED, ACTING_LINKS)
    for probability, path in rank_by_validity(paths, view):
        decreases = sum(map(_is_lessening, path.edges))
        if decreases and probability >= MIN_VALIDITY:
            steps = join_phrases([claim_clause(edge) for edge in path.edges])
            if decreases == 1:
                return f"the graph says the opposite: {steps}" if len(path.edges) == 1 else f"rather the opposite: {steps}"
            return f"two decreases make an increase: {steps}"
    return None


def _is_lessening(edge: Edge) -> bool:
    """Return whether more of the cause makes less of the effect."""
    return is_lessening((edge.claim.relation, edge.claim.polarity))
