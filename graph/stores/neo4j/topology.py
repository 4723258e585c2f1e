"""The arrows of a graph in Neo4j, fetched for many concepts at a time and kept as long as the topology lives."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from graph.links import EDGE_KINDS
from graph.model import Polarity
from graph.protocols import Row
from graph.stores.columns import POLARITIES, RELATIONS
from graph.stores.names import chunks
from graph.stores.neo4j.connecting import Neo4jConnection
from graph.stores.neo4j.rows import grounds_and_belief, relation_from_name
from graph.stores.neo4j.texts import name_key_and_whole, unescape_name
from graph.topology import EMPTY_ROW

AT_ONCE = 1_000
_CODES = {kind: code for code, kind in enumerate(EDGE_KINDS)}


class Neo4jTopology:
    """A `Topology` whose concepts are numbered in the order in which they are met."""

    def __init__(self, connection: Neo4jConnection) -> None:
        self._connection = connection
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self._degrees: dict[int, int] = {}
        self._rows: dict[bool, dict[int, Row]] = {True: {}, False: {}}

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` where no claim is about it."""
        known_number = self._numbers.get(name)
        if known_number is None:
            for forward in (True, False):
                self._fetch([name], forward=forward)
            known_number = self._numbers.get(name)
        return known_number

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        return self._names[number]

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first."""
        self.prepare((number,), forward=True)
        return self._rows[True].get(number, EMPTY_ROW)

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first."""
        self.prepare((number,), forward=False)
        return self._rows[False].get(number, EMPTY_ROW)

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept, on either side."""
        if number not in self._degrees:
            self.prepare((number,), forward=True)
        return self._degrees.get(number, 0)

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Fetch those of the rows that are not here yet, a thousand at a time."""
        rows = self._rows[forward]
        self._fetch((self._names[number] for number in numbers if number not in rows), forward=forward)

    def _fetch(self, names: Iterable[str], *, forward: bool) -> None:
        for some in chunks(names, AT_ONCE):
            wanted = {name_key_and_whole(name)[0]: name for name in some}
            for row in self._connection.read("rows_out" if forward else "rows_in", names=list(wanted)):
                number = self._assign_number(wanted[row["name"]])
                self._degrees[number] = row["degree"]
                self._rows[forward][number] = self._row(row["edges"])

    def _row(self, edges: Iterable[list[Any]]) -> Row:
        ranked = sorted(map(_edge_order_with_kind, edges))
        return Row(
            [self._assign_number(entry[2]) for entry in ranked],
            [-entry[0] for entry in ranked],
            [_CODES[entry[-1]] for entry in ranked],
            [entry[-2] for entry in ranked],
        )

    def _assign_number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number


def _edge_order_with_kind(edge: list[Any]) -> tuple[Any, ...]:
    """Return what an edge is sorted by, as `graph.stores.neo4j.rows.edge_order` has it, then its sense and its kind."""
    name, whole, kind, polarity_name, support, sense, grounds = edge
    relation, polarity = relation_from_name(kind), Polarity(polarity_name)
    far = unescape_name(name, whole)
    return -grounds_and_belief(grounds)[1], -support, far, RELATIONS[relation], POLARITIES[polarity], sense, (relation, polarity)
