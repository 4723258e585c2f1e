"""The arrows that a walk may take, as sets of numbers: what the algorithms that need no scores walk on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from operator import neg

from graph.links import EDGE_KINDS, Links
from graph.protocols import Row, Topology


class AllowedEdges:
    """The edges of a topology that are allowed, walked with the arrows (`forward`) or against them."""

    def __init__(self, topology: Topology, links: Links) -> None:
        self.topology = topology
        self._above = links.above
        self._allowed = links.mask() if len(links.kinds) < len(EDGE_KINDS) else None

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Say which concepts will be asked for next."""
        self.topology.prepare(numbers, forward=forward)

    def beyond(self, number: int, *, forward: bool) -> Sequence[int]:
        """Return the far ends of the allowed edges at a concept, once for each edge."""
        row = self.row(number, forward=forward)
        believed = self.believed(row)
        ends = row.ends if believed == len(row.ends) else row.ends[:believed]
        ends = ends.tolist() if isinstance(ends, memoryview) else ends
        return ends if self._allowed is None else list(compress(ends, map(self._allowed.__getitem__, row.kinds)))

    def row(self, number: int, *, forward: bool) -> Row:
        """Return every edge at a concept."""
        return self.topology.outgoing(number) if forward else self.topology.incoming(number)

    def believed(self, row: Row) -> int:
        """Return how many edges at the beginning of a row are believed enough."""
        beliefs = row.beliefs
        if not beliefs or beliefs[-1] > self._above:
            return len(beliefs)
        return bisect_left(beliefs, -self._above, key=neg)

    def allowed(self, kind: int) -> bool:
        """Return whether edges of this kind are allowed."""
        return self._allowed is None or bool(self._allowed[kind])


def distances_from(arrows: AllowedEdges, starts: Iterable[int], max_length: int, *, forward: bool) -> dict[int, int]:
    """Return the concepts within `max_length` steps of any of the starts, these included, with their distances; nearest first."""
    distance_by_concept = dict.fromkeys(starts, 0)
    frontier: Collection[int] = list(distance_by_concept)
    for distance in range(1, max_length + 1):
        arrows.prepare(frontier, forward=forward)
        reached: set[int] = set()
        for number in frontier:
            reached.update(arrows.beyond(number, forward=forward))
        frontier = reached - distance_by_concept.keys()
        if not frontier:
            break
        distance_by_concept.update(dict.fromkeys(frontier, distance))
    return distance_by_concept
