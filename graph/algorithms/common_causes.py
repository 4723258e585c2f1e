"""Causes that two concepts share, and effects that they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph.algorithms.chain_search import DEFAULT_TRANSITIVITY, Transitivity
from graph.algorithms.paths import SCORE_DIGITS, best_paths
from graph.algorithms.reachability import concept_numbers
from graph.model import Path
from graph.protocols import GraphView, Topology
from graph.topology import DRIVING_LINKS, Links


@dataclass(frozen=True, slots=True)
class SharedConcept:
    """A shared concept with the best path between it and each of the others; `score`, 0..1, is that of the weaker path."""

    concept: str
    score: float
    paths: tuple[Path, Path]


def common_causes(
    view: GraphView,
    xs: Iterable[str],
    ys: Iterable[str],
    max_length: int = 2,
    limit: int = 5,
    links: Links = DRIVING_LINKS,
    transitivity: Transitivity = DEFAULT_TRANSITIVITY,
) -> Sequence[SharedConcept]:
    """Return up to `limit` concepts from which paths of at most `max_length` edges lead to one of `xs` and to one of `ys`.

    Those with the best weaker path come first, then by name. None of `xs` and `ys` is among them.
    """
    return _shared_concepts(view, (frozenset(xs), frozenset(ys)), max_length, limit, links, transitivity, forward=False)


def common_effects(
    view: GraphView,
    xs: Iterable[str],
    ys: Iterable[str],
    max_length: int = 2,
    limit: int = 5,
    links: Links = DRIVING_LINKS,
    transitivity: Transitivity = DEFAULT_TRANSITIVITY,
) -> Sequence[SharedConcept]:
    """Return the effects that `xs` and `ys` share, as `common_causes` does their causes."""
    return _shared_concepts(view, (frozenset(xs), frozenset(ys)), max_length, limit, links, transitivity, forward=True)


def _shared_concepts(
    view: GraphView,
    sides: tuple[frozenset[str], frozenset[str]],
    max_length: int,
    limit: int,
    links: Links,
    transitivity: Transitivity,
    *,
    forward: bool,
) -> Sequence[SharedConcept]:
    """Return what both sides share; concepts are tried in the order of their bounds until no other can be as good."""
    if limit < 1:
        return []
    topology = view.topology()
    first_bounds, second_bounds = (
        _score_bounds(topology, side, max_length, links, transitivity, forward=forward) for side in sides
    )
    taken = {topology.number(name) for side in sides for name in side}
    bounds = [
        (min(first_bounds[number], second_bounds[number]), topology.name(number))
        for number in first_bounds.keys() & second_bounds.keys() - taken
    ]
    bounds.sort(key=lambda bounded: (-bounded[0], bounded[1]))
    results: list[SharedConcept] = []
    for bound, name in bounds:
        if len(results) >= limit and round(bound, SCORE_DIGITS) < round(results[limit - 1].score, SCORE_DIGITS):
            break
        paths: list[Path] = []
        for side in sides:
            sources, targets = (side, (name,)) if forward else ((name,), side)
            paths += best_paths(view, sources, targets, max_length, 1, links, transitivity)
        if len(paths) == 2:
            results.append(SharedConcept(name, min(path.score for path in paths), (paths[0], paths[1])))
            results.sort(key=lambda shared: (-round(shared.score, SCORE_DIGITS), shared.concept))
    return results[:limit]


def _score_bounds(
    topology: Topology, names: Iterable[str], max_length: int, links: Links, transitivity: Transitivity, *, forward: bool
) -> dict[int, float]:
    """Return the concepts within `max_length` steps of any of these, with an upper bound of the score of a path between them."""
    row_of = topology.outgoing if forward else topology.incoming
    allowed = links.mask()
    best: dict[int, float] = {}
    improved = dict.fromkeys(concept_numbers(topology, names), 1.0)
    starts = frozenset(improved)
    for step in range(max_length):
        topology.prepare(improved, forward=forward)
        following: dict[int, float] = {}
        for number, score in improved.items():
            share = transitivity.of_degree(topology.degree(number)) if step else 1.0
            ends, beliefs, kinds, _ = row_of(number)
            for end, belief, kind in zip(ends, beliefs, kinds, strict=True):
                if belief <= links.above:
                    break
                bound = score * share * belief
                if allowed[kind] and end not in starts and bound > best.get(end, -1.0):
                    best[end] = following[end] = bound
        improved = following
    return best
