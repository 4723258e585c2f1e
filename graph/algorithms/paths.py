"""The best chains of cause and effect between concepts, and feedback loops through a concept, best score first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.algorithms.chain_search import DEFAULT_TRANSITIVITY, UNSIGNED, ConceptChain, Transitivity, best_chains
from graph.algorithms.reachability import concept_numbers
from graph.model import Claim, Edge, Path
from graph.protocols import GraphView, Topology
from graph.topology import ACTING_LINKS, EDGE_KINDS, EVERY_LINK, LESSENING_LINKS, Links

SCORE_DIGITS = 12
"""Scores that are equal in so many digits after the point are equal: products of the same factors in another order are."""


def best_paths(
    view: GraphView,
    sources: Iterable[str],
    targets: Iterable[str],
    max_length: int = 3,
    limit: int = 5,
    links: Links = EVERY_LINK,
    transitivity: Transitivity = DEFAULT_TRANSITIVITY,
) -> Sequence[Path]:
    """Return up to `limit` simple paths of at most `max_length` edges from a source to a target, best first.

    The score of a path, 0..1, is the product of the beliefs of its edges and of what `transitivity` keeps at each concept between
    two of them, for its degree and for the senses of the two edges. A path is told by its concepts: where two of them are joined
    by several edges, those are taken with which the whole path scores most. Equal scores come in the order of their concepts. No
    path passes through a source or a target on its way.
    """
    topology = view.topology()
    starts, ends = (frozenset(concept_numbers(topology, names)) for names in (sources, targets))
    chains = best_chains(topology, starts, ends - starts, max_length, limit, links, transitivity, UNSIGNED)
    return paths_of_chains(view, topology, chains, limit, transitivity)


def paths_of_chains(
    view: GraphView, topology: Topology, chains: Iterable[ConceptChain], limit: int, transitivity: Transitivity
) -> Sequence[Path]:
    """Return the `limit` best of some chains as paths, best first; equal scores come in the order of their concepts."""
    named_chains = [(chain, tuple(map(topology.name, chain.nodes))) for chain in chains]
    named_chains.sort(key=lambda pair: (-round(pair[0].score, SCORE_DIGITS), pair[1]))
    edges: dict[Claim, Edge | None] = {}
    paths: list[Path] = []
    for chain, names in named_chains[:limit]:
        claims = [Claim(*ends, *EDGE_KINDS[kind]) for ends, kind in zip(pairwise(names), chain.kinds, strict=True)]
        edges.update({claim: view.edge(claim) for claim in claims if claim not in edges})
        walked = tuple(edge for claim in claims if (edge := edges[claim]) is not None)
        if len(walked) == len(claims):
            degrees = [topology.degree(number) for number in chain.nodes[1:-1]]
            paths.append(Path(walked, _path_score(walked, degrees, transitivity)))
    return paths


def _path_score(edges: Sequence[Edge], degrees: Sequence[int], transitivity: Transitivity) -> float:
    """Return the score of a path whose middle concepts have these degrees, multiplied from its first edge on."""
    score = edges[0].belief
    for before, after, degree in zip(edges[:-1], edges[1:], degrees, strict=True):
        score *= transitivity.through(degree, before.sense, after.sense) * after.belief
    return score


_SELF_CLAIM_LENGTH = 2  # what a concept says of itself is two chains at most, one of each sign, of two concepts each


@dataclass(frozen=True, slots=True)
class FeedbackLoop:
    """A path from a concept back to itself; `reinforcing` where an even number of its edges lessens, else it is balancing."""

    path: Path
    reinforcing: bool


def feedback_loops(
    view: GraphView,
    names: Iterable[str],
    max_length: int = 4,
    limit: int = 5,
    links: Links = ACTING_LINKS,
    transitivity: Transitivity = DEFAULT_TRANSITIVITY,
) -> Sequence[FeedbackLoop]:
    """Return up to `limit` loops of at most `max_length` edges through any of some concepts, best score first.

    A loop starts and ends at its concept and passes no other concept twice; its score is that of the path. Loops of the same
    concepts and of different signs, over parallel edges, are two. A loop through two of the concepts is listed once. A claim of a
    concept about itself is no loop.
    """
    topology = view.topology()
    loops: list[FeedbackLoop] = []
    rounds: set[tuple[frozenset[tuple[str, str]], bool]] = set()
    for name in dict.fromkeys(names):
        number = topology.number(name)
        if number is None:
            continue
        wanted = limit + _SELF_CLAIM_LENGTH
        candidates = best_chains(topology, (number,), (number,), max_length, wanted, links, transitivity, LESSENING_LINKS.mask())
        chains = [chain for chain in candidates if len(chain.nodes) > _SELF_CLAIM_LENGTH]
        for path in paths_of_chains(view, topology, chains, limit, transitivity):
            reinforcing = sum((edge.claim.relation, edge.claim.polarity) in LESSENING_LINKS.kinds for edge in path.edges) % 2 == 0
            around = frozenset((edge.cause, edge.effect) for edge in path.edges), reinforcing
            if around not in rounds:
                rounds.add(around)
                loops.append(FeedbackLoop(path, reinforcing))
    loops.sort(key=lambda loop: (-round(loop.path.score, SCORE_DIGITS), loop.path.concepts, not loop.reinforcing))
    return loops[:limit]
