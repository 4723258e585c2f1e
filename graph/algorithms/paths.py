"""The best chains of cause and effect between concepts: walked with the arrows only, best score first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from graph.algorithms.chains import UNSIGNED, ConceptChain, best_chains
from graph.links import EDGE_KINDS, EVERY_LINK, Links
from graph.model import Claim, Edge, Path
from graph.protocols import GraphView, Topology
from graph.transitivity import DEFAULT_TRANSITIVITY, Transitivity

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
    starts, ends = _concept_numbers(topology, sources), _concept_numbers(topology, targets)
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


def _concept_numbers(topology: Topology, names: Iterable[str]) -> frozenset[int]:
    """Return the numbers of those of the concepts that any claim is about."""
    return frozenset(number for name in names if (number := topology.number(name)) is not None)
