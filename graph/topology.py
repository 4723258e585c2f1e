"""Which edges a walk over a graph may take, and the arrows of any view by number, for algorithms that walk many edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import product
from typing import NamedTuple

from graph.model import Claim, Edge, Polarity, Relation
from graph.protocols import GraphView, Row

EdgeKind = tuple[Relation, Polarity]

EDGE_KINDS: tuple[EdgeKind, ...] = tuple(product(Relation, Polarity))
"""Every relation with every polarity, at the position that is its code, 0..17; positions must never change."""

EDGE_CODES = {kind: code for code, kind in enumerate(EDGE_KINDS)}

EMPTY_ROW = Row((), (), (), ())


def kind_code(claim: Claim) -> int:
    """Return the position of the relation and polarity of a claim in `EDGE_KINDS`."""
    return EDGE_CODES[claim.relation, claim.polarity]


class Links(NamedTuple):
    """The edges that a walk may take: of one of these `kinds` and believed by more than `above`, 0..1."""

    kinds: frozenset[EdgeKind] = frozenset(EDGE_KINDS)
    above: float = 0.0

    def allow(self, edge: Edge) -> bool:
        """Return whether a walk may take `edge`."""
        return edge.belief > self.above and (edge.claim.relation, edge.claim.polarity) in self.kinds

    def mask(self) -> bytes:
        """Return a byte for each code of a kind: 1 if edges of it may be taken."""
        return bytes(kind in self.kinds for kind in EDGE_KINDS)


def is_lessening(kind: EdgeKind) -> bool:
    """Return whether more of the cause makes less of the effect."""
    return kind[0] is Relation.PREVENTS or kind[1] is Polarity.DECREASES


EVERY_LINK = Links()  # every edge that is believed at all

BELIEVED_LINKS = Links(above=0.5)  # every edge that is believed by more than a half

LESSENING_LINKS = Links(frozenset(filter(is_lessening, EDGE_KINDS)), 0.5)
"""Edges that make less of their effect, believed by more than a half."""

ACTING_LINKS = Links(frozenset(kind for kind in EDGE_KINDS if kind[0] is not Relation.ASSOCIATED), 0.5)
"""Edges that make more or less of their effect, believed by more than a half: all but associations."""

DRIVING_LINKS = Links(ACTING_LINKS.kinds - LESSENING_LINKS.kinds, 0.5)
"""Edges that can be a step of an explanation, believed by more than a half: increasing, and more than an association."""


def edge_row(edges: Sequence[Edge], number_of: Callable[[str], int], *, forward: bool) -> Row:
    """Return the edges on one side of a concept as a row; `number_of` gives the numbers of the concepts at the far ends."""
    return Row(
        [number_of(edge.effect if forward else edge.cause) for edge in edges],
        [edge.belief for edge in edges],
        [kind_code(edge.claim) for edge in edges],
        [edge.sense for edge in edges],
    )


class NamedTopology:
    """The arrows of a view whose concepts have names alone: they are numbered in the order in which they are met.

    `degree_of` gives the degree of a concept by its name, if that is cheaper than to read its edges.
    """

    def __init__(self, view: GraphView, degree_of: Callable[[str], int] | None = None) -> None:
        self._view = view
        self._degree_of = degree_of
        self._degrees: dict[int, int] = {}
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self._rows: dict[tuple[int, bool], Row] = {}

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` if no claim is about it."""
        known_number = self._numbers.get(name)
        if known_number is None and (self._view.effects(name) or self._view.causes(name)):
            known_number = self._assign_number(name)
        return known_number

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        return self._names[number]

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first."""
        return self._row(number, forward=True)

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first."""
        return self._row(number, forward=False)

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept, on either side."""
        if self._degree_of is None:
            return len(self.outgoing(number).ends) + len(self.incoming(number).ends)
        if number not in self._degrees:
            self._degrees[number] = self._degree_of(self._names[number])
        return self._degrees[number]

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Do nothing: rows are read one by one."""

    def _row(self, number: int, *, forward: bool) -> Row:
        row = self._rows.get((number, forward))
        if row is None:
            name = self._names[number]
            row = edge_row(self._view.effects(name) if forward else self._view.causes(name), self._assign_number, forward=forward)
            self._rows[number, forward] = row
        return row

    def _assign_number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number
