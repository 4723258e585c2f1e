"""The best paths between concepts, feedback loops through a concept, and causes or effects that concepts share, best first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.algorithms.chain_search import UNSIGNED, ConceptChain, best_chains
from graph.algorithms.reachability import AllowedEdges, concept_numbers
from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY, Transitivity
from graph.model import Claim, Edge, Path
from graph.protocols import GraphView, Topology
from graph.topology import ACTING_LINKS, DRIVING_LINKS, EDGE_KINDS, EVERY_LINK, LESSENING_LINKS, Links

SCORE_DIGITS = 12  # of equal scores: products of the same factors in another order differ in later digits


def best_paths(
    view: GraphView,
    sources: Iterable[str],
    targets: Iterable[str],
    max_length: int = 3,
    limit: int = 5,
    links: Links = EVERY_LINK,
    transitivity: Transitivity = DEFAULT_TRANSITIVITY,
) -> Sequence[Path]:
    """Return up to `limit` simple paths of at most `max_length` edges from a source to a target, best first, then by concepts.

    The score, 0..1, is the product of the beliefs of the edges and of the shares of `transitivity` at the concepts between them.
    Of parallel edges those with the best score are taken. No path passes through another source or target.
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
            score = walked[0].belief
            for number, (before, after) in zip(chain.nodes[1:-1], pairwise(walked), strict=True):
                score *= transitivity.through(topology.degree(number), before.sense, after.sense) * after.belief
            paths.append(Path(walked, score))
    return paths


_SELF_CLAIM_LENGTH = 2  # what a concept says of itself is two chains at most, one of each sign, of two concepts each


@dataclass(frozen=True, slots=True)
class FeedbackLoop:
    """A path from a concept back to itself; `reinforcing` where an even number of its edges lessens, else it is balancing."""

    path: Path
    reinforcing: bool


def feedback_loops(
    view: GraphView, names: Iterable[str], max_length: int = 4, limit: int = 5, links: Links = ACTING_LINKS
) -> Sequence[FeedbackLoop]:
    """Return up to `limit` loops of at most `max_length` edges through any of some concepts, best score first.

    A loop starts and ends at its concept and passes no other concept twice. Loops of the same concepts and of different signs,
    over parallel edges, are two; a loop through two of the concepts is one. A claim of a concept about itself is no loop.
    """
    topology = view.topology()
    loops: list[FeedbackLoop] = []
    rounds: set[tuple[frozenset[tuple[str, str]], bool]] = set()
    turning, wanted = LESSENING_LINKS.mask(), limit + _SELF_CLAIM_LENGTH
    for number in concept_numbers(topology, names):
        candidates = best_chains(topology, (number,), (number,), max_length, wanted, links, DEFAULT_TRANSITIVITY, turning)
        chains = [chain for chain in candidates if len(chain.nodes) > _SELF_CLAIM_LENGTH]
        for path in paths_of_chains(view, topology, chains, limit, DEFAULT_TRANSITIVITY):
            reinforcing = sum((edge.claim.relation, edge.claim.polarity) in LESSENING_LINKS.kinds for edge in path.edges) % 2 == 0
            around = frozenset((edge.cause, edge.effect) for edge in path.edges), reinforcing
            if around not in rounds:
                rounds.add(around)
                loops.append(FeedbackLoop(path, reinforcing))
    loops.sort(key=lambda loop: (-round(loop.path.score, SCORE_DIGITS), loop.path.concepts, not loop.reinforcing))
    return loops[:limit]


@dataclass(frozen=True, slots=True)
class SharedConcept:
    """A shared concept with the best path between it and each of the others; `score`, 0..1, is that of the weaker path."""

    concept: str
    score: float
    paths: tuple[Path, Path]


def common_causes(
    view: GraphView, xs: Iterable[str], ys: Iterable[str], max_length: int = 2, limit: int = 5, links: Links = DRIVING_LINKS
) -> Sequence[SharedConcept]:
    """Return up to `limit` concepts from which paths of at most `max_length` edges lead to one of `xs` and to one of `ys`.

    Those with the best weaker path come first, then by name. None of `xs` and `ys` is among them.
    """
    return _shared_concepts(view, (frozenset(xs), frozenset(ys)), max_length, limit, links, forward=False)


def common_effects(
    view: GraphView, xs: Iterable[str], ys: Iterable[str], max_length: int = 2, limit: int = 5, links: Links = DRIVING_LINKS
) -> Sequence[SharedConcept]:
    """Return the effects that `xs` and `ys` share, as `common_causes` does their causes."""
    return _shared_concepts(view, (frozenset(xs), frozenset(ys)), max_length, limit, links, forward=True)


def _shared_concepts(
    view: GraphView, sides: tuple[frozenset[str], frozenset[str]], max_length: int, limit: int, links: Links, *, forward: bool
) -> Sequence[SharedConcept]:
    """Return what both sides share; concepts are tried in the order of their bounds until no other can be as good."""
    if limit < 1:
        return []
    topology = view.topology()
    arrows = AllowedEdges(topology, links)
    xs, ys = (concept_numbers(topology, side) for side in sides)
    first, second = (_score_bounds(arrows, starts, max_length, forward=forward) for starts in (xs, ys))
    shared_numbers = first.keys() & second.keys() - {*xs, *ys}
    bounds = [(min(first[number], second[number]), topology.name(number)) for number in shared_numbers]
    bounds.sort(key=lambda bounded: (-bounded[0], bounded[1]))
    results: list[SharedConcept] = []
    for bound, name in bounds:
        if len(results) >= limit and round(bound, SCORE_DIGITS) < round(results[limit - 1].score, SCORE_DIGITS):
            break
        paths: list[Path] = []
        for side in sides:
            sources, targets = (side, (name,)) if forward else ((name,), side)
            paths += best_paths(view, sources, targets, max_length, 1, links)
        if len(paths) == 2:
            results.append(SharedConcept(name, min(path.score for path in paths), (paths[0], paths[1])))
            results.sort(key=lambda shared: (-round(shared.score, SCORE_DIGITS), shared.concept))
    return results[:limit]


def _score_bounds(arrows: AllowedEdges, starts: Collection[int], max_length: int, *, forward: bool) -> dict[int, float]:
    """Return the concepts within `max_length` steps of any of these, with an upper bound of the score of a path between them."""
    best: dict[int, float] = {}
    improved = dict.fromkeys(starts, 1.0)
    for step in range(max_length):
        arrows.prepare(improved, forward=forward)
        following: dict[int, float] = {}
        for number, score in improved.items():
            share = DEFAULT_TRANSITIVITY.of_degree(arrows.topology.degree(number)) if step else 1.0
            for end, belief, _ in arrows.edges(number, forward=forward):
                bound = score * share * belief
                if end not in starts and bound > best.get(end, -1.0):
                    best[end] = following[end] = bound
        improved = following
    return best
