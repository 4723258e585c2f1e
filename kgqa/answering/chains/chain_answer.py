"""Answers to "How does X lead to Y?": chains of claims from one to the other, as far as they are likely to be valid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from graph.algorithms.paths import best_paths
from graph.model import Edge, Path
from graph.protocols import GraphView
from graph.topology import ACTING_LINKS, DRIVING_LINKS
from kgqa.answer_model import Answer, CausalConnection, CitedEvidence, ConfidenceSignals, Finding, Route
from kgqa.answering.chains.chain_validity import CHAINS_JUDGED, MIN_VALIDITY, rank_by_validity
from kgqa.answering.contracts import is_prevention
from kgqa.answering.findings import cite_evidence, distinct_findings, path_finding
from kgqa.answering.link_quality import refuse_phrase
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_pairs
from kgqa.reasons import Conclusion, Missing, Need, Reason, Refusal, Remedy, Step, StepKind
from kgqa.request import Request

MAX_CHAIN_LENGTH = 3
"""As long as the chains that the model of validity was fitted on; `kgqa path` shows longer ones."""

MIN_CHAIN_LINK = 0.65
"""The least certainty of a pair of readings that is looked at; below, a phrase was read as something wider, narrower or other."""

_PAIRS_TRIED = 4
_CHAINS_CITED = 3
ScoredChain = tuple[float, Path]


@dataclass(frozen=True, slots=True)
class ChainConclusion(Conclusion):
    """The best chain from a cause to an effect, whose phrases were linked as `links`.

    `evidence` is what its claims are worded by. `direct` is the best claim that leads there without steps, where the chain has
    several; `doubtful` says that the path is such a claim and that there are chains, but none that is likely to be valid.
    """

    path: Path
    links: tuple[ConceptLink, ConceptLink]
    evidence: tuple[CitedEvidence, ...]
    direct: Edge | None = None
    doubtful: bool = False


class ChainSearch(NamedTuple):
    """The chains of several steps from one linked phrase to another and the `direct` claims, each with its validity."""

    cause: ConceptLink
    effect: ConceptLink
    chains: Sequence[ScoredChain]
    direct: Sequence[ScoredChain]

    @property
    def link(self) -> float:
        """The certainty of the two links, 0..1."""
        return self.cause.score * self.effect.score

    @property
    def answerable(self) -> list[ScoredChain]:
        """The chains that are likely to be valid, the likeliest first, then the direct claims."""
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
    """Answer with the chains and claims of a search."""
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
        conclusion=_chain_conclusion(search, supporting),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        steps=(
            search.cause,
            search.effect,
            Step(StepKind.CHAINS, (len(search.chains), MAX_CHAIN_LENGTH, likely, MIN_VALIDITY)),
            *(Step(StepKind.CHAIN_VALIDITY, (path, validity)) for validity, path in search.chains[:_CHAINS_CITED]),
        ),
        signals=_chain_signals(answers[0], search.link),
        connection=CausalConnection.MEDIATED if len(answers[0][1].edges) > 1 else CausalConnection.DIRECT,
    )


def _chain_finding(judged: ScoredChain, link: float) -> Finding:
    """Return a chain as a finding, its confidence the probability that it is valid and the links are right."""
    return replace(path_finding(judged[1]), confidence=judged[0] * link)


def _chain_signals(judged: ScoredChain, link: float) -> ConfidenceSignals:
    """Return the signals of the confidence; the belief is the probability that the chain is valid."""
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


def _chain_conclusion(search: ChainSearch, evidence: tuple[CitedEvidence, ...]) -> ChainConclusion:
    """Return the best chain of a search, or the best direct claim."""
    path = search.answerable[0][1]
    several = len(path.edges) > 1
    direct = search.direct[0][1].edges[0] if several and search.direct else None
    return ChainConclusion(path, (search.cause, search.effect), evidence, direct, not several and bool(search.chains))


def _refuse_chain(request: Request, search: ChainSearch | None) -> Answer:
    """Refuse, with the best doubtful chain, and the chain that says the opposite."""
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    known = next(iter(request.link(cause, request.view)), None)
    missing = Missing(Need.CHAIN, (cause, effect))
    plain = refuse_phrase(request.question, request.kind, missing, effect if known else cause, request.view)
    doubtful = search.chains[0] if search is not None and search.chains else None
    opposite = _opposite_chain(request.view, search) if search is not None else None
    if doubtful is None and opposite is None:
        return plain
    steps: list[Step | ConceptLink] = []
    gaps: list[Missing] = []
    if search is not None and doubtful is not None:
        validity, path = doubtful
        steps += [search.cause, search.effect, Step(StepKind.DOUBTFUL_CHAIN, (path, validity, MIN_VALIDITY))]
        gaps.append(Missing(Need.VALID_CHAIN, (), Remedy.POSSIBLE_CHAIN, (path, validity)))
    if opposite is not None:
        steps.append(Step(StepKind.OPPOSITE_CHAIN, (opposite,)))
    conclusion = Refusal(Reason.DOUBTFUL_CHAIN, (missing, doubtful[1] if doubtful else None, opposite))
    return replace(plain, conclusion=conclusion, steps=tuple(steps), gaps=(*gaps, *plain.gaps))


def _opposite_chain(view: GraphView, search: ChainSearch) -> Path | None:
    """Return what makes less of the effect, directly or along a chain, or a chain in which two decreases make an increase.

    The model of validity was not fitted on chains with a decrease: such a chain is named in a refusal, and not answered.
    """
    paths = best_paths(view, search.cause.concepts, search.effect.concepts, 2, CHAINS_JUDGED, ACTING_LINKS)
    valid = (path for validity, path in rank_by_validity(paths, view) if validity >= MIN_VALIDITY)
    return next((path for path in valid if count_decreases(path)), None)


def count_decreases(path: Path) -> int:
    """Return in how many steps of a path more of the cause makes less of the effect."""
    return sum(map(is_prevention, path.edges))
