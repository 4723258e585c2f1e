"""Random small graphs for the tests of the algorithms: loops, parallel claims of several kinds, unbelieved ones, hubs, senses."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx
from hypothesis import strategies as st

from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY, Transitivity
from graph.model import Claim, Concept, Edge, Evidence, Polarity, Relation
from graph.protocols import GraphView, Row, Topology
from graph.topology import EDGE_KINDS, EVERY_LINK, Links, NamedTopology, kind_code

NAMES = tuple(f"c{number}" for number in range(8))
_KINDS = (
    (Relation.CAUSES, Polarity.NONE),
    (Relation.CAUSES, Polarity.DECREASES),
    (Relation.PREVENTS, Polarity.NONE),
    (Relation.ENABLES, Polarity.INCREASES),
    (Relation.ASSOCIATED, Polarity.NONE),
)
_BELIEFS = (0.0, 0.3, 0.5, 0.6, 0.769, 0.769, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class Drawn:
    """A view of some edges; with `mapped` its topology is like that of a file: numbers in alphabetical order, rows of memory."""

    edges: tuple[Edge, ...]
    mapped: bool = False

    def concept(self, name: str) -> Concept | None:
        return Concept(name)

    def causes(self, effect: str) -> Sequence[Edge]:
        found = [edge for edge in self.edges if edge.effect == effect]
        return sorted(found, key=lambda edge: (-edge.belief, edge.cause, kind_code(edge.claim)))

    def effects(self, cause: str) -> Sequence[Edge]:
        found = [edge for edge in self.edges if edge.cause == cause]
        return sorted(found, key=lambda edge: (-edge.belief, edge.effect, kind_code(edge.claim)))

    def edge(self, claim: Claim) -> Edge | None:
        return next((edge for edge in self.edges if edge.claim == claim), None)

    def topology(self) -> Topology:
        return Mapped(self) if self.mapped else NamedTopology(self)

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        return ()

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        return ()

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        return ()


class Listed:
    """A view of some edges that are held in a list, strongest first; it knows the concepts of these edges alone."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self.all = sorted(edges, key=lambda edge: (-edge.belief, edge.cause, edge.effect, edge.claim.relation))

    def concept(self, name: str) -> Concept | None:
        return Concept(name) if any(name in (edge.cause, edge.effect) for edge in self.all) else None

    def causes(self, effect: str) -> Sequence[Edge]:
        return [edge for edge in self.all if edge.effect == effect]

    def effects(self, cause: str) -> Sequence[Edge]:
        return [edge for edge in self.all if edge.cause == cause]

    def edge(self, claim: Claim) -> Edge | None:
        return next((edge for edge in self.all if edge.claim == claim), None)

    def topology(self) -> Topology:
        return NamedTopology(self)

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        return []

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        return []

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        return []


class Mapped:
    """The arrows of a view as rows of memory; it holds that every row that is asked for, but the first, was announced."""

    def __init__(self, view: GraphView) -> None:
        self._view = view
        self._announced: set[tuple[int, bool]] = set()

    def number(self, name: str) -> int | None:
        return NAMES.index(name) if self._view.causes(name) or self._view.effects(name) else None

    def name(self, number: int) -> str:
        return NAMES[number]

    def outgoing(self, number: int) -> Row:
        assert (number, True) in self._announced
        edges = self._view.effects(NAMES[number])
        return self._row(edges, [NAMES.index(edge.effect) for edge in edges])

    def incoming(self, number: int) -> Row:
        assert (number, False) in self._announced
        edges = self._view.causes(NAMES[number])
        return self._row(edges, [NAMES.index(edge.cause) for edge in edges])

    def degree(self, number: int) -> int:
        return len(self._view.causes(NAMES[number])) + len(self._view.effects(NAMES[number]))

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        self._announced |= {(number, forward) for number in numbers}

    def _row(self, edges: Sequence[Edge], ends: list[int]) -> Row:
        return Row(
            memoryview(array("I", ends)),
            memoryview(array("d", [edge.belief for edge in edges])),
            memoryview(array("B", [kind_code(edge.claim) for edge in edges])),
            memoryview(array("Q", [edge.sense for edge in edges])),
        )


def edge(cause: str, effect: str, belief: float = 0.769, kind: tuple[Relation, Polarity] = EDGE_KINDS[2], sense: int = 0) -> Edge:
    return Edge(Claim(cause, effect, *kind), belief, support=1, sense=sense)


def _graph(edges: list[Edge], mapped: bool) -> Drawn:
    return Drawn(tuple({one.claim: one for one in edges}.values()), mapped)


_edges = st.builds(
    edge, *[st.sampled_from(options) for options in (NAMES, NAMES, _BELIEFS, _KINDS)], st.sampled_from((0, 0, 1, 2, 3, 4))
)
graphs = st.builds(_graph, st.lists(_edges, max_size=34), st.booleans())
names = st.sampled_from(NAMES)
some_names = st.lists(names, min_size=1, max_size=3, unique=True)
links = st.sampled_from((EVERY_LINK, Links(above=0.5), Links(frozenset(_KINDS[:2])), Links(above=-1.0)))
HUBS = Transitivity(hop=0.9, hub=2.0, unlike=0.4)
"""Hubs and senses weigh so much that the order of paths changes; degrees of more than 10 are reached in these graphs."""
transitivities = st.sampled_from((DEFAULT_TRANSITIVITY, HUBS))


def oracle(view: GraphView, allowed: Links = EVERY_LINK) -> networkx.MultiDiGraph:
    """The allowed edges as networkx holds them, each under the attribute `edge`."""
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(NAMES)
    for name in NAMES:
        for one in view.effects(name):
            if allowed.allow(one):
                graph.add_edge(one.cause, one.effect, key=kind_code(one.claim), edge=one)
    return graph


def score_of(edges: Sequence[Edge], view: GraphView, transitivity: Transitivity) -> float:
    """What the definition of a path's score says."""
    score = edges[0].belief
    for before, after in pairwise(edges):
        degree = len(view.causes(after.cause)) + len(view.effects(after.cause))
        score *= transitivity.through(degree, before.sense, after.sense) * after.belief
    return score
