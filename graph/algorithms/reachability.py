"""Which concepts a walk over edges reaches: distances, the neighbourhood of some concepts, strongly connected components."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import compress
from operator import neg
from typing import TypeVar

from graph.model import Claim, Edge
from graph.protocols import GraphView, Row, Topology
from graph.topology import EDGE_KINDS, EVERY_LINK, Links

Vertex = TypeVar("Vertex", bound=Hashable)


class AllowedEdges:
    """The edges of a topology that are allowed, walked with the arrows (`forward`) or against them."""

    def __init__(self, topology: Topology, links: Links) -> None:
        self.topology = topology
        self.prepare = topology.prepare
        self._above = links.above
        self._allowed = links.mask() if len(links.kinds) < len(EDGE_KINDS) else None

    def beyond(self, number: int, *, forward: bool) -> Sequence[int]:
        """Return the far ends of the allowed edges at a concept, once for each edge."""
        row, believed = self._believed_row(number, forward=forward)
        ends = row.ends if believed == len(row.ends) else row.ends[:believed]
        ends = ends.tolist() if isinstance(ends, memoryview) else ends
        return ends if self._allowed is None else list(compress(ends, map(self._allowed.__getitem__, row.kinds)))

    def edges(self, number: int, *, forward: bool) -> Iterator[tuple[int, float, int]]:
        """Yield far end, belief and kind of the allowed edges at a concept, most believed first."""
        row, believed = self._believed_row(number, forward=forward)
        for end, belief, kind in zip(row.ends[:believed], row.beliefs, row.kinds, strict=False):
            if self._allowed is None or self._allowed[kind]:
                yield end, belief, kind

    def _believed_row(self, number: int, *, forward: bool) -> tuple[Row, int]:
        row = self.topology.outgoing(number) if forward else self.topology.incoming(number)
        beliefs = row.beliefs
        if not beliefs or beliefs[-1] > self._above:
            return row, len(beliefs)
        return row, bisect_left(beliefs, -self._above, key=neg)


def concept_numbers(topology: Topology, names: Iterable[str]) -> list[int]:
    """Return the numbers of those of the concepts that any claim is about, each once."""
    return list(dict.fromkeys(number for name in names if (number := topology.number(name)) is not None))


def distances_from(
    arrows: AllowedEdges,
    starts: Iterable[int],
    max_length: int,
    *,
    forward: bool,
    select: Callable[[set[int], int], set[int]] = lambda reached, distance: reached,
) -> dict[int, int]:
    """Return the distances of the concepts within `max_length` steps, nearest first; `select` filters those at a distance."""
    distance_by_concept = dict.fromkeys(starts, 0)
    frontier: Collection[int] = list(distance_by_concept)
    for distance in range(1, max_length + 1):
        arrows.prepare(frontier, forward=forward)
        reached: set[int] = set()
        for number in frontier:
            reached.update(arrows.beyond(number, forward=forward))
        frontier = select(reached - distance_by_concept.keys(), distance)
        if not frontier:
            break
        distance_by_concept.update(dict.fromkeys(frontier, distance))
    return distance_by_concept


def reachable_concepts(
    view: GraphView, source: str, max_length: int = 3, links: Links = EVERY_LINK, *, forward: bool = True
) -> Mapping[str, int]:
    """Return the concepts within `max_length` steps of `source` with their distances, nearest first, without the source."""
    topology = view.topology()
    start = topology.number(source)
    if start is None:
        return {}
    distance_by_concept = distances_from(AllowedEdges(topology, links), (start,), max_length, forward=forward)
    del distance_by_concept[start]
    return {topology.name(number): distance for number, distance in distance_by_concept.items()}


EdgeNumbers = tuple[int, int, int]  # an edge: the numbers of its cause and its effect, and the code of its kind


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Some concepts, those in the middle first, and the edges between them, nearest to the middle and most believed first."""

    concepts: tuple[str, ...]
    edges: tuple[Edge, ...]


def neighbourhood(
    view: GraphView, names: Iterable[str], radius: int = 1, limit: int = 50, links: Links = EVERY_LINK
) -> Neighbourhood:
    """Return the concepts within `radius` steps of some others, on either side, and at most `limit` edges between them.

    The edges nearest to the middle come first, then the most believed ones, then by name. A concept without them is left out.
    """
    topology = view.topology()
    arrows = AllowedEdges(topology, links)
    concepts = dict.fromkeys(concept_numbers(topology, names))
    ring = list(concepts)
    taken: dict[EdgeNumbers, None] = {}
    for _ in range(radius):
        around: dict[EdgeNumbers, float] = {}
        for forward in (True, False):
            arrows.prepare(ring, forward=forward)
            for number in ring:
                for end, belief, kind in arrows.edges(number, forward=forward):
                    around[(number, end, kind) if forward else (end, number, kind)] = belief
        new = _most_believed_edges({arrow: around[arrow] for arrow in around.keys() - taken.keys()}, limit - len(taken), topology)
        taken.update(dict.fromkeys(new))
        ring = [number for number in dict.fromkeys(number for arrow in new for number in arrow[:2]) if number not in concepts]
        concepts.update(dict.fromkeys(ring))
        if not ring:
            break
    claims = [Claim(topology.name(tail), topology.name(head), *EDGE_KINDS[kind]) for tail, head, kind in taken]
    edges = tuple(edge for claim in claims if (edge := view.edge(claim)) is not None)
    return Neighbourhood(tuple(map(topology.name, concepts)), edges)


def selected_edges(view: GraphView, around: Iterable[str] | None, steps: int, limit: int) -> Iterable[Edge]:
    """Return the edges around some concepts, or every edge for `None`; raise `TypeError` for a view without a list of them."""
    if around is not None:
        return neighbourhood(view, [around] if isinstance(around, str) else around, steps, limit).edges
    every: Callable[[], Iterable[Edge]] | None = getattr(view, "edges", None)
    if every is None:
        raise TypeError(f"{type(view).__name__} has no list of its edges; name concepts: around=[...]")
    return every()


def _most_believed_edges(beliefs: Mapping[EdgeNumbers, float], limit: int, topology: Topology) -> list[EdgeNumbers]:
    """Return at most `limit` edges, the most believed first, then by the names of their ends."""
    if limit < 1:
        return []
    least = min(nlargest(limit, beliefs.values()), default=0.0)
    candidates = [arrow for arrow, belief in beliefs.items() if belief >= least]
    candidates.sort(key=lambda arrow: (-beliefs[arrow], topology.name(arrow[0]), topology.name(arrow[1]), arrow[2]))
    return candidates[:limit]


def reachable_vertices(ends: Mapping[Vertex, Iterable[Vertex]], starts: Iterable[Vertex]) -> set[Vertex]:
    """Return the starts and what can be reached from them, by the ends of the arrows of each vertex."""
    reached = set(starts)
    waiting = list(reached)
    while waiting:
        fresh = set(ends.get(waiting.pop(), ())) - reached
        reached |= fresh
        waiting.extend(fresh)
    return reached


def strong_components(roots: Iterable[Vertex], ends_of: Callable[[Vertex], Iterable[Vertex]]) -> Iterator[list[Vertex]]:
    """Yield the components that can be reached from the roots, each after those that it leads to (Tarjan 1972, iterative).

    Inside a component the ends of an edge stand before its beginning as far as a loop allows.
    """
    met: dict[Vertex, int] = {}
    lowest: dict[Vertex, int] = {}
    stack: dict[Vertex, None] = {}
    for root in roots:
        walk = [root] if root not in met else []
        ends: dict[Vertex, Iterator[Vertex]] = {}
        while walk:
            node = walk[-1]
            if node not in met:
                met[node] = lowest[node] = len(met)
                stack[node] = None
                ends[node] = iter(ends_of(node))
            unmet = None
            for end in ends[node]:
                if end not in met:
                    unmet = end
                    break
                if end in stack:
                    lowest[node] = min(lowest[node], met[end])
            if unmet is not None:
                walk.append(unmet)
                continue
            walk.pop()
            if walk:
                lowest[walk[-1]] = min(lowest[walk[-1]], lowest[node])
            if lowest[node] == met[node]:
                component = [stack.popitem()[0]]
                while component[-1] != node:
                    component.append(stack.popitem()[0])
                yield component
