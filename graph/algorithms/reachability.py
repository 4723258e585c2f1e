"""What can come of a concept within some steps, or what it can come from."""

from __future__ import annotations

from collections.abc import Mapping

from graph.algorithms.arrows import AllowedEdges, distances_from
from graph.links import EVERY_LINK, Links
from graph.protocols import GraphView


def reachable_concepts(
    view: GraphView, source: str, max_length: int = 3, links: Links = EVERY_LINK, *, forward: bool = True
) -> Mapping[str, int]:
    """Return the concepts within `max_length` steps of `source`, with how many steps they are away, nearest first.

    The steps go with the arrows, or against them where `forward` is false. The source itself is left out.
    """
    topology = view.topology()
    start = topology.number(source)
    if start is None:
        return {}
    distance_by_concept = distances_from(AllowedEdges(topology, links), (start,), max_length, forward=forward)
    del distance_by_concept[start]
    name = topology.name
    return {name(number): distance for number, distance in distance_by_concept.items()}
