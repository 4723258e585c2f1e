"""What must be gone so that nothing leads from a cause to an effect any more: smallest blocking sets (cuts)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, prod

from graph.algorithms.arrows import AllowedEdges
from graph.algorithms.flow import FlowArc, minimum_cut
from graph.links import EDGE_KINDS, EVERY_LINK, Links
from graph.model import Claim, Edge
from graph.protocols import GraphView, Topology

_LEAST_DOUBT = 1e-9
_CAPACITY_UNIT = 1_000_000


@dataclass(frozen=True, slots=True)
class BlockingSet:
    """A set of edges without which nothing leads on, and how likely it is, 0..1, that none of them holds."""

    edges: tuple[Edge, ...]
    doubt: float


def blocking_edges(
    view: GraphView, sources: Iterable[str], targets: Iterable[str], max_length: int = 4, links: Links = EVERY_LINK
) -> BlockingSet:
    """Return the edges that, all taken away, leave no path of at most `max_length` edges from a source to a target.

    Of all sets that do so in the part of the graph that such paths run in (also against the longer paths there), it is the one
    that is most likely to be wrong altogether: the product of 1 - belief over its edges, taken as independent, is greatest. That
    is a cut in which an edge weighs -log(1 - belief); it is small, or little believed. Of equal sets it is the one nearest to the
    sources. Empty, with a doubt of 1, where there is no path.
    """
    topology = view.topology()
    starts, ends = _source_and_target_numbers(topology, sources, targets)
    arrows = AllowedEdges(topology, links)
    weights: dict[FlowArc, int] = {}
    kinds: dict[FlowArc, list[int]] = {}
    for tail, head, belief, kind in _edges_between(arrows, starts, ends, max_length):
        weights[tail, head] = weights.get((tail, head), 0) + round(-log(max(1.0 - belief, _LEAST_DOUBT)) * _CAPACITY_UNIT) + 1
        kinds.setdefault((tail, head), []).append(kind)
    cut = minimum_cut(weights, starts, ends)
    claims = [
        Claim(topology.name(tail), topology.name(head), *EDGE_KINDS[kind]) for tail, head in cut for kind in kinds[tail, head]
    ]
    cut_edges = [edge for claim in claims if (edge := view.edge(claim)) is not None]
    cut_edges.sort(key=lambda edge: (edge.belief, edge.cause, edge.effect, edge.claim.relation, edge.claim.polarity))
    return BlockingSet(tuple(cut_edges), prod(1.0 - edge.belief for edge in cut_edges))


def blocking_concepts(
    view: GraphView, sources: Iterable[str], targets: Iterable[str], max_length: int = 4, links: Links = EVERY_LINK
) -> Sequence[str] | None:
    """Return the fewest concepts that, all absent, leave no path of at most `max_length` edges from a source to a target.

    They are fewest for the part of the graph that such paths run in; of equal sets it is the one nearest to the sources, by name.
    Empty where there is no path; `None` where an edge leads straight from a source to a target, so that no set will do.
    """
    topology = view.topology()
    starts, ends = _source_and_target_numbers(topology, sources, targets)
    arcs = {(tail, head) for tail, head, _, _ in _edges_between(AllowedEdges(topology, links), starts, ends, max_length)}
    if any(tail in starts and head in ends for tail, head in arcs):
        return None
    # A concept becomes an arc from its even node, where edges come in, to its odd node, where they go out.
    middle = {number for arc in arcs for number in arc} - starts - ends
    unbounded = len(middle) + 1
    capacities = {(2 * tail + 1, 2 * head): unbounded for tail, head in arcs} | {
        (2 * concept, 2 * concept + 1): 1 for concept in middle
    }
    cut = minimum_cut(capacities, {2 * concept + 1 for concept in starts}, {2 * concept for concept in ends})
    return sorted(topology.name(tail // 2) for tail, _ in cut)


def _source_and_target_numbers(topology: Topology, sources: Iterable[str], targets: Iterable[str]) -> tuple[set[int], set[int]]:
    """Return the numbers of the sources, and of those targets that are none."""
    starts = {number for name in sources if (number := topology.number(name)) is not None}
    return starts, {number for name in targets if (number := topology.number(name)) is not None} - starts


def _edges_between(
    arrows: AllowedEdges, starts: set[int], ends: set[int], max_length: int
) -> Iterator[tuple[int, int, float, int]]:
    """Iterate over the edges (cause, effect, belief, kind) on the walks of at most `max_length` edges from a start to an end.

    The walks pass through no start and no end.
    """
    if not starts or not ends:
        return
    half = max_length // 2
    near_end = _distances_within(arrows, ends, starts, max_length, half, {}, forward=False)
    from_start = _distances_within(arrows, starts, ends, max_length, max_length - half, near_end, forward=True)
    to_end = _distances_within(arrows, ends, starts, max_length, 0, from_start, forward=False)
    arrows.prepare(from_start, forward=True)
    for tail, distance in from_start.items():
        row = arrows.row(tail, forward=True)
        for place in range(arrows.believed(row)):
            head = row.ends[place]
            if distance + 1 + to_end.get(head, max_length) <= max_length and arrows.allowed(row.kinds[place]):
                yield tail, head, row.beliefs[place], row.kinds[place]


def _distances_within(
    arrows: AllowedEdges,
    starts: set[int],
    barred: set[int],
    max_length: int,
    free: int,
    opposite_distances: Mapping[int, int],
    *,
    forward: bool,
) -> dict[int, int]:
    """Return the concepts on the way to the barred ones, with their distance from the starts.

    Up to the distance `free` all are taken, beyond it those that are near enough to the other side, by the distances `others`.
    """
    distance_by_concept = dict.fromkeys(starts, 0)
    frontier: Collection[int] = starts
    for distance in range(1, max_length):
        arrows.prepare(frontier, forward=forward)
        reached: set[int] = set()
        for number in frontier:
            reached.update(arrows.beyond(number, forward=forward))
        reached -= barred | distance_by_concept.keys()
        if distance > free:
            reached = {number for number in reached if distance + opposite_distances.get(number, max_length) <= max_length}
        if not reached:
            break
        distance_by_concept.update(dict.fromkeys(reached, distance))
        frontier = reached
    return distance_by_concept
