"""Mechanisms: chains that tell how a claim comes about that sources state directly.

Where the ends of a chain are claimed directly, the chain is far likelier to be valid than one that stands alone: of 114 judged
chains of two steps with a validity from .4 on, 105 are valid and telling, of 61 in which one step lessens, 52. Chains of three
steps are only where one text tells them (34 of 35), or where each of their ends also reaches beyond its neighbour by a claim (40
of 45; 21 of 54 otherwise). docs/paths.md tells how they were judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import log10

from graph.algorithms.paths import best_paths
from graph.model import Edge, Path, Relation
from graph.protocols import GraphView, Topology
from graph.topology import DRIVING_LINKS, LESSENING_LINKS
from kgqa.answer_model import Answer, CausalConnection, CitedEvidence, Route
from kgqa.answering.chains.chain_validity import (
    CHAINS_JUDGED,
    ScoredPath,
    count_kinds,
    is_told_in_one_text,
    is_vague_name,
    junction_validity,
    name_stems,
    rank_by_validity,
)
from kgqa.answering.findings import cite_evidence, count_decreases, edge_finding, finding_signals, path_finding
from kgqa.answering.verdicts.verification import VerdictConclusion
from kgqa.answering.verdicts.verification_query import CAUSING_LINKS, CHAIN_LINKS, NAMING_LINKS, EdgeLookup, Sense
from kgqa.linking.concept_links import LinkPair
from kgqa.reasons import Conclusion, Step
from kgqa.request import Request

MIN_CLAIMED_VALIDITY = 0.4
"""The least validity of a chain that is shown beside a direct claim of its ends: of 114 judged ones 105 are valid and telling."""
WAYS_SHOWN = 3
_CLAIMS_TRIED = 4
_DOUBT_LEFT = 0.35
"""The share of the doubt about a chain that is left where its ends are claimed directly, by the same judgements."""
_HUB_DISCOUNT = 0.1
"""What a middle concept loses of its rank with each power of ten of the claims about it: "fever" tells less than "anemia"."""
_COHERENCE_BONUS = 0.1
"""What a chain gains of its rank where one text tells it."""
_LESSENING_LENGTH, _LESSENING_JUDGED = 2, 100
_TOO_MANY_KINDS = 200


@dataclass(frozen=True, slots=True)
class MechanismConclusion(Conclusion):
    """A `direct` claim, whose ends were linked as `links`, with the `ways` it comes about; they are worded by `evidence`.

    There is no direct claim, or there are no links, where a question was compared with claims.
    """

    direct: Edge | None
    ways: tuple[Path, ...]
    links: LinkPair | None
    evidence: tuple[CitedEvidence, ...]


def explain_claim(request: Request, premise: VerdictConclusion) -> Answer | None:
    """Return an answer that tells how the claim of a verdict comes about; `None` where no chain does.

    Of the claims that make the verdict, the foremost that chains tell of is explained, between its own ends, unless a phrase of
    the question is a name of several concepts.
    """
    links, lessens = premise.links, request.kind.slots.relation is Relation.PREVENTS
    kinds = (LESSENING_LINKS if lessens else DRIVING_LINKS).kinds
    alike = (edge for edge in premise.weighed.edges if (edge.claim.relation, edge.claim.polarity) in kinds)
    stating = sorted(alike, key=lambda edge: (edge != premise.foremost, -edge.belief))
    for direct in stating[:_CLAIMS_TRIED]:
        causes, effects = (
            link.concepts if link.how in NAMING_LINKS else (name,)
            for link, name in zip(links, (direct.cause, direct.effect), strict=True)
        )
        ways = find_mechanisms(request.view, causes, effects, lessens=lessens)
        if ways:
            return _answer_with_ways(request, direct, links, ways)
    return None


def _answer_with_ways(request: Request, direct: Edge, links: LinkPair, ways: Sequence[ScoredPath]) -> Answer:
    link = links[0].score * links[1].score
    findings = tuple(replace(path_finding(path), confidence=likely * link) for likely, path in ways)
    edges = dict.fromkeys((direct, *(edge for _, path in ways for edge in path.edges)))
    supporting, denying = cite_evidence(request.view, edges, each=2)
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH,
        answer=findings[0].text,
        conclusion=MechanismConclusion(direct, tuple(path for _, path in ways), links, supporting),
        findings=(*findings, edge_finding(direct))[: request.limit],
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        steps=(*links, *(Step("chain_validity", (path, likely)) for likely, path in ways)),
        signals=replace(
            finding_signals(findings[0], link, CausalConnection.MEDIATED),
            belief=ways[0][0],
            hedged=min(edge.hedged for edge in ways[0][1].edges),
        ),
        connection=CausalConnection.MEDIATED,
    )


def find_mechanisms(view: GraphView, causes: Sequence[str], effects: Sequence[str], *, lessens: bool) -> Sequence[ScoredPath]:
    """Return up to three ways how one concept brings about another that it is believed to cause, or (`lessens`) to prevent.

    Each is a chain with the probability that it is valid; the most telling come first, and no two pass through the same thing.
    """
    topology, between = view.topology(), EdgeLookup(view)
    ranked = list(find_signed_chains(view, causes, effects, lessens=lessens))
    if not lessens:
        paths = chain(*(best_paths(view, causes, effects, length, CHAINS_JUDGED, CAUSING_LINKS) for length in (2, 3)))
        ranked += rank_by_validity(filter(is_telling, dict.fromkeys(paths)), view)
    likely = [
        (validity, path)
        for validity, path in ranked
        if validity >= MIN_CLAIMED_VALIDITY and (is_told_in_one_text(path, view) or _is_claimed_throughout(path, between))
    ]

    def rank(item: ScoredPath) -> float:
        validity = junction_validity(item[1], topology)
        return validity + _COHERENCE_BONUS * is_told_in_one_text(item[1], view) - _hub_discount(item[1], topology)

    likely.sort(key=lambda item: -rank(item))
    ways: list[ScoredPath] = []
    used: list[set[str]] = []
    for validity, path in likely:
        stems = [name_stems(name) for name in path.concepts[1:-1]]
        if not any(own <= before or before <= own for own in stems for before in used):
            used += stems
            ways.append((1.0 - _DOUBT_LEFT * (1.0 - validity), path))
    return ways[:WAYS_SHOWN]


def find_signed_chains(view: GraphView, causes: Sequence[str], effects: Sequence[str], *, lessens: bool) -> Sequence[ScoredPath]:
    """Return the chains of two steps, at least one of which makes less, whose signs multiply to less (`lessens`) or to more.

    Of 45 judged ones that make less with a validity from .7 on, 38 are valid (docs/judgements/paths-told.tsv).
    """
    paths = best_paths(view, causes, effects, _LESSENING_LENGTH, _LESSENING_JUDGED, CHAIN_LINKS[Sense.EITHER])
    fitting = (path for path in paths if (count_decreases(path) % 2 == 1) is lessens and count_decreases(path))
    return rank_by_validity(filter(is_telling, fitting), view)


def is_telling(path: Path) -> bool:
    """Return whether a path has concepts between that say something, and more than its ends: epilepsy for a seizure does not."""
    if len(path.edges) < 2:
        return False
    ends = [name_stems(name) for name in (path.concepts[0], path.concepts[-1])]
    for name in path.concepts[1:-1]:
        stems = name_stems(name)
        if is_vague_name(name) or count_kinds(name) >= _TOO_MANY_KINDS or any(end <= stems or stems <= end for end in ends):
            return False
    return True


def _is_claimed_throughout(path: Path, between: EdgeLookup) -> bool:
    """Return whether, of a chain of more than two steps, every two concepts that are two steps apart are claimed directly."""
    names = path.concepts
    apart = list(zip(names, names[2:], strict=False)) if len(names) > 3 else []
    return all(any(map(DRIVING_LINKS.allow, between.edges([first], [second]))) for first, second in apart)


def _hub_discount(path: Path, topology: Topology) -> float:
    numbers = [topology.number(name) for name in path.concepts[1:-1]]
    return _HUB_DISCOUNT * max(log10(max(1, topology.degree(number))) for number in numbers if number is not None)
