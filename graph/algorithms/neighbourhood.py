"""What is around some concepts, as a small graph that can be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nlargest

from graph.algorithms.arrows import AllowedEdges
from graph.links import EDGE_KINDS, EVERY_LINK, Links
from graph.model import Claim, Edge
from graph.protocols import GraphView, Topology

EdgeNumbers = tuple[int, int, int]
"""An edge: the numbers of its cause and its effect, and the code of its kind."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Some concepts, those in the middle first, and the edges between them, nearest to the middle and most believed first."""

    concepts: tuple[str, ...]
    edges: tuple[Edge, ...]


def neighbourhood(
    view: GraphView, names: Iterable[str], radius: int = 1, limit: int = 50, links: Links = EVERY_LINK
) -> Neighbourhood:
    """Return the concepts within `radius` steps of some others, on either side, and at most `limit` edges between them.

    The edges at the concepts in the middle come first, then those a step further out, and so on; among each, the most believed
    ones, then by name. A concept whose edges are all left out is left out too. Names that no claim is about are ignored.
    """
    topology = view.topology()
    arrows = AllowedEdges(topology, links)
    concepts = dict.fromkeys(number for name in names if (number := topology.number(name)) is not None)
    ring = list(concepts)
    taken: dict[EdgeNumbers, None] = {}
    for _ in range(radius):
        around: dict[EdgeNumbers, float] = {}
        for forward in (True, False):
            arrows.prepare(ring, forward=forward)
            around |= {arrow: belief for number in ring for arrow, belief in _edges_at(arrows, number, forward=forward)}
        new = _most_believed_edges({arrow: around[arrow] for arrow in around.keys() - taken.keys()}, limit - len(taken), topology)
        taken.update(dict.fromkeys(new))
        ring = [number for number in dict.fromkeys(number for arrow in new for number in arrow[:2]) if number not in concepts]
        concepts.update(dict.fromkeys(ring))
        if not ring:
            break
    claims = [Claim(topology.name(tail), topology.name(head), *EDGE_KINDS[kind]) for tail, head, kind in taken]
    edges = tuple(edge for claim in claims if (edge := view.edge(claim)) is not None)
    return Neighbourhood(tuple(map(topology.name, concepts)), edges)


def _edges_at(arrows: AllowedEdges, number: int, *, forward: bool) -> Iterator[tuple[EdgeNumbers, float]]:
    """Iterate over the allowed edges on one side of a concept, with their beliefs."""
    row = arrows.row(number, forward=forward)
    for place in range(arrows.believed(row)):
        end, kind = row.ends[place], row.kinds[place]
        if arrows.allowed(kind):
            yield ((number, end, kind) if forward else (end, number, kind)), row.beliefs[place]


def _most_believed_edges(beliefs: Mapping[EdgeNumbers, float], limit: int, topology: Topology) -> list[EdgeNumbers]:
    """Return at most `limit` edges, the most believed first, then by the names of their ends."""
    if limit < 1:
        return []
    least = min(nlargest(limit, beliefs.values()), default=0.0)
    candidates = [arrow for arrow, belief in beliefs.items() if belief >= least]
    candidates.sort(key=lambda arrow: (-beliefs[arrow], topology.name(arrow[0]), topology.name(arrow[1]), arrow[2]))
    return candidates[:limit]
