"""The edges from the concepts of one phrase to those of another, with the arrow only, each concept looked up once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from graph.links import EDGE_KINDS
from graph.model import Claim, Edge
from graph.protocols import GraphView, Topology


class EdgeLookup:
    """What a view says between concepts: the arrows are walked by number, and only edges that are wanted are read."""

    def __init__(self, view: GraphView) -> None:
        self.view = view
        self._numbers: dict[str, int | None] = {}
        self._rows: dict[int, dict[int, list[int]]] = {}
        self._edges: dict[Claim, Edge | None] = {}

    @cached_property
    def _topology(self) -> Topology:
        return self.view.topology()

    def edges(self, causes: Iterable[str], effects: Iterable[str]) -> list[Edge]:
        """Return the edges from one of `causes` to one of `effects`."""
        targets = [(name, number) for name in effects if (number := self._number(name)) is not None]
        linking_edges: list[Edge] = []
        for name in causes if targets else ():
            number = self._number(name)
            row = self._row(number) if number is not None else {}
            claims = (Claim(name, target, *EDGE_KINDS[code]) for target, end in targets for code in row.get(end, ()))
            linking_edges += filter(None, map(self._edge, dict.fromkeys(claims)))
        return linking_edges

    def degree(self, names: Iterable[str]) -> int:
        """Return how many claims are about some concepts."""
        return sum(self._topology.degree(number) for name in names if (number := self._number(name)) is not None)

    def _number(self, name: str) -> int | None:
        if name not in self._numbers:
            self._numbers[name] = self._topology.number(name)
        return self._numbers[name]

    def _row(self, number: int) -> dict[int, list[int]]:
        row = self._rows.get(number)
        if row is None:
            self._topology.prepare([number], forward=True)
            ends, _, kinds, _ = self._topology.outgoing(number)
            row = self._rows[number] = {}
            for end, kind in zip(ends, kinds, strict=True):
                row.setdefault(end, []).append(kind)
        return row

    def _edge(self, claim: Claim) -> Edge | None:
        if claim not in self._edges:
            self._edges[claim] = self.view.edge(claim)
        return self._edges[claim]
