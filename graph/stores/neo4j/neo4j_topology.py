"""The arrows of a graph in Neo4j, by number."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from graph.model import Polarity
from graph.protocols import GraphView, Row
from graph.stores.codec import POLARITIES, RELATIONS, chunks, decode_belief
from graph.stores.neo4j.neo4j_connection import Neo4jConnection
from graph.stores.neo4j.value_mapping import name_key, relation_from_name, unescape_name
from graph.topology import EDGE_CODES, EMPTY_ROW, NamedTopology

_NAMES_AT_ONCE = 1_000


class Neo4jTopology(NamedTopology):
    """The arrows of a graph in Neo4j, fetched for many concepts at a time and cached as long as this object lives."""

    def __init__(self, store: GraphView, connection: Neo4jConnection) -> None:
        super().__init__(store)
        self._connection = connection

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` if no claim is about it."""
        if name not in self._numbers:
            for forward in (True, False):
                self._fetch([name], forward=forward)
        return self._numbers.get(name)

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept, on either side."""
        if number not in self._degrees:
            self.prepare((number,), forward=True)
        return self._degrees.get(number, 0)

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Fetch those of the rows that are not cached yet, a thousand at a time."""
        self._fetch((self._names[number] for number in numbers if (number, forward) not in self._rows), forward=forward)

    def _row(self, number: int, *, forward: bool) -> Row:
        self.prepare((number,), forward=forward)
        return self._rows.get((number, forward), EMPTY_ROW)

    def _fetch(self, names: Iterable[str], *, forward: bool) -> None:
        for chunk in chunks(names, _NAMES_AT_ONCE):
            names_by_key = {name_key(name): name for name in chunk}
            for row in self._connection.read("rows_out" if forward else "rows_in", names=list(names_by_key)):
                number = self._assign_number(names_by_key[row["name"]])
                self._degrees[number] = row["degree"]
                ranked = sorted(map(_edge_order_and_kind, row["edges"]))
                self._rows[number, forward] = Row(
                    [self._assign_number(entry[2]) for entry in ranked],
                    [-entry[0] for entry in ranked],
                    [EDGE_CODES[entry[-1]] for entry in ranked],
                    [entry[-2] for entry in ranked],
                )


def _edge_order_and_kind(edge: list[Any]) -> tuple[Any, ...]:
    """Return what an edge is sorted by, as `graph.stores.neo4j.value_mapping.edge_order` has it, then its sense and its kind."""
    name, whole, kind, polarity_name, support, sense, grounds = edge
    relation, polarity = relation_from_name(kind), Polarity(polarity_name)
    codes = RELATIONS[relation], POLARITIES[polarity]
    return -decode_belief(grounds)[1], -support, unescape_name(name, whole), *codes, sense, (relation, polarity)
