"""What every path from a cause to an effect needs: necessary causes (dominators) and smallest blocking sets (cuts)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from math import log, prod

from graph.algorithms.reachability import AllowedEdges, concept_numbers, distances_from
from graph.model import Claim, Edge
from graph.protocols import GraphView, Topology
from graph.topology import EDGE_KINDS, EVERY_LINK, Links

FlowArc = tuple[int, int]


def minimum_cut(capacities: Mapping[FlowArc, int], sources: Collection[int], sinks: Collection[int]) -> set[FlowArc]:
    """Return the arcs of least total capacity (above 0) that part the sinks from the sources, nearest to these (Dinic 1970)."""
    left: dict[int, dict[int, int]] = defaultdict(dict)
    for (tail, head), capacity in capacities.items():
        left[tail][head] = left[tail].get(head, 0) + capacity
        left[head].setdefault(tail, 0)
    ends = frozenset(sinks)
    while True:
        levels = dict.fromkeys(sources, 0)  # the distances of the nodes over arcs with capacity left
        frontier = list(levels)
        for node in frontier:  # grows while it is walked
            for head, capacity in left.get(node, {}).items():
                if capacity and head not in levels:
                    levels[head] = levels[node] + 1
                    frontier.append(head)
        if ends.isdisjoint(levels):
            return {(tail, head) for tail, head in capacities if tail in levels and head not in levels}
        arcs = {node: list(left[node]) for node in levels}
        for source in sources:
            while path := _open_path(left, levels, arcs, source, ends):
                pushed = min(left[tail][head] for tail, head in path)
                for tail, head in path:
                    left[tail][head] -= pushed
                    left[head][tail] += pushed


def _open_path(
    left: Mapping[int, Mapping[int, int]], levels: Mapping[int, int], arcs: dict[int, list[int]], source: int, sinks: Set[int]
) -> list[FlowArc]:
    """Return the arcs of a path to a sink that goes a level further with each; arcs that lead nowhere are taken out of `arcs`."""
    path: list[FlowArc] = []
    node = source
    while node not in sinks:
        while arcs[node]:
            head = arcs[node][-1]
            if left[node][head] and levels.get(head, 0) == levels[node] + 1:
                path.append((node, head))
                node = head
                break
            arcs[node].pop()
        else:
            if not path:
                return []
            node, _ = path.pop()
            arcs[node].pop()
    return path


def necessary_causes(
    view: GraphView, sources: Iterable[str], targets: Iterable[str], max_length: int | None = None, links: Links = EVERY_LINK
) -> Sequence[str]:
    """Return the concepts on every path of at most `max_length` edges (`None`: any) from a source to a target, nearest first."""
    topology = view.topology()
    arrows = AllowedEdges(topology, links)
    starts, ends = _source_and_target_numbers(topology, sources, targets)
    path = _shortest_path(arrows, starts, ends, max_length)
    candidates = [] if path is None else path[1:-1]  # a necessary concept lies on every path, so on this one
    necessary = []
    while candidates:
        candidate = candidates.pop(0)
        detour = _shortest_path(arrows, starts, ends, max_length, candidate)
        if detour is None:
            necessary.append(topology.name(candidate))
        else:
            candidates = [number for number in candidates if number in detour]
    return necessary


def _shortest_path(
    arrows: AllowedEdges, starts: Collection[int], ends: Collection[int], max_length: int | None, without: int | None = None
) -> list[int] | None:
    """Return a path of fewest edges that avoids a concept, or `None`, by bidirectional breadth-first search."""
    if not starts or not ends:
        return None
    came_from: tuple[dict[int, int], dict[int, int]] = dict.fromkeys(starts, -1), dict.fromkeys(ends, -1)
    if without is not None:
        came_from[0][without] = came_from[1][without] = -1
    frontiers: list[Collection[int]] = [starts, ends]
    steps = 0
    while frontiers[0] and frontiers[1] and (max_length is None or steps < max_length):
        steps += 1
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        seen, opposite_side = came_from[side], came_from[1 - side]
        forward = side == 0
        reached: list[int] = []
        arrows.prepare(frontiers[side], forward=forward)
        for number in frontiers[side]:
            new = set(arrows.beyond(number, forward=forward)) - seen.keys()
            if not new:
                continue
            seen.update(dict.fromkeys(new, number))
            met = new & opposite_side.keys()
            if met:
                path = [min(met)]
                while (before := came_from[0][path[0]]) >= 0:
                    path.insert(0, before)
                while (after := came_from[1][path[-1]]) >= 0:
                    path.append(after)
                return path
            reached.extend(new)
        frontiers[side] = reached
    return None


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

    Of all such sets in the part of the graph that such paths run in, it is the one that is most likely to be wrong altogether:
    the product of 1 - belief over its edges, taken as independent, is greatest (a cut in which an edge weighs -log(1 - belief));
    of equal sets the nearest to the sources. Empty, with a doubt of 1, where there is no path.
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
    edges = ((tail, head, kind) for tail, head in cut for kind in kinds[tail, head])
    claims = [Claim(topology.name(tail), topology.name(head), *EDGE_KINDS[kind]) for tail, head, kind in edges]
    cut_edges = [edge for claim in claims if (edge := view.edge(claim)) is not None]
    cut_edges.sort(key=lambda edge: (edge.belief, edge.cause, edge.effect, edge.claim.relation, edge.claim.polarity))
    return BlockingSet(tuple(cut_edges), prod(1.0 - edge.belief for edge in cut_edges))


def blocking_concepts(
    view: GraphView, sources: Iterable[str], targets: Iterable[str], max_length: int = 4, links: Links = EVERY_LINK
) -> Sequence[str] | None:
    """Return the fewest concepts that, all absent, leave no path of at most `max_length` edges from a source to a target.

    Of equal sets it is the one nearest to the sources, by name. Empty where there is no path; `None` where an edge leads straight
    from a source to a target.
    """
    topology = view.topology()
    starts, ends = _source_and_target_numbers(topology, sources, targets)
    arcs = {(tail, head) for tail, head, _, _ in _edges_between(AllowedEdges(topology, links), starts, ends, max_length)}
    if any(tail in starts and head in ends for tail, head in arcs):
        return None
    # A concept becomes an arc from its even node, where edges come in, to its odd node, where they go out.
    middle = {number for arc in arcs for number in arc} - starts - ends
    capacities = {(2 * tail + 1, 2 * head): len(middle) + 1 for tail, head in arcs}
    capacities |= {(2 * concept, 2 * concept + 1): 1 for concept in middle}
    cut = minimum_cut(capacities, {2 * concept + 1 for concept in starts}, {2 * concept for concept in ends})
    return sorted(topology.name(tail // 2) for tail, _ in cut)


def _source_and_target_numbers(topology: Topology, sources: Iterable[str], targets: Iterable[str]) -> tuple[set[int], set[int]]:
    starts = set(concept_numbers(topology, sources))
    return starts, set(concept_numbers(topology, targets)) - starts


def _edges_between(
    arrows: AllowedEdges, starts: set[int], ends: set[int], max_length: int
) -> Iterator[tuple[int, int, float, int]]:
    """Yield the edges (cause, effect, belief, kind) on walks from a start to an end that pass through no other start or end."""
    if not starts or not ends:
        return

    def distances(side: set[int], free: int, opposite_distances: Mapping[int, int], *, forward: bool) -> dict[int, int]:
        """Return the concepts up to the distance `free`, and farther ones that are near enough to the other side."""
        barred = ends if forward else starts

        def select(reached: set[int], distance: int) -> set[int]:
            reached = reached - barred
            if distance <= free:
                return reached
            return {number for number in reached if distance + opposite_distances.get(number, max_length) <= max_length}

        return distances_from(arrows, side, max_length - 1, forward=forward, select=select)

    half = max_length // 2
    near_end = distances(ends, half, {}, forward=False)
    from_start = distances(starts, max_length - half, near_end, forward=True)
    to_end = distances(ends, 0, from_start, forward=False)
    arrows.prepare(from_start, forward=True)
    for tail, distance in from_start.items():
        for head, belief, kind in arrows.edges(tail, forward=True):
            if distance + 1 + to_end.get(head, max_length) <= max_length:
                yield tail, head, belief, kind
