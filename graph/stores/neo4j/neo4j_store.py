"""The store of graphs in Neo4j."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from graph.errors import StoreReadOnly
from graph.model import Alias, Polarity, Statement
from graph.protocols import Added, GraphView, Row, Topology
from graph.stores.codec import POLARITIES, RELATIONS, chunks, decode_belief
from graph.stores.neo4j.neo4j_connection import Neo4jConnection, connect_to_neo4j, parse_address, translate_driver_errors
from graph.stores.neo4j.neo4j_integrity import neo4j_problems
from graph.stores.neo4j.neo4j_queries import Neo4jQueries
from graph.stores.neo4j.value_mapping import name_key, relation_from_name, unescape_name
from graph.stores.neo4j.write_transaction import WriterCache, add_records
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


class Neo4jStore(Neo4jQueries):
    """A `GraphStore` over a database of a Neo4j server.

    Every method raises an error of `graph.errors` if the server fails, and `ValueError` if the store is closed. Writers wait for
    one another; readers see what was committed, and two answers may be of two states of the graph.
    """

    def __init__(self, connection: Neo4jConnection, *, writable: bool) -> None:
        super().__init__(connection)
        self._writable = writable
        self._cache = WriterCache()

    @classmethod
    def at(cls, url: str, *, write: bool = False, create: bool = False) -> Neo4jStore:
        """Return the store at an address of Neo4j; see `graph.stores.open_store`."""
        connection = connect_to_neo4j(parse_address(url), write=write or create, create=create)
        return cls(connection, writable=write or create)

    def topology(self) -> Topology:
        """Return the arrows of the graph; its rows are fetched when they are needed."""
        return Neo4jTopology(self, self._connection)

    def add(
        self, statements: Iterable[Statement], aliases: Iterable[Alias] = (), progress: tuple[str, int] | None = None
    ) -> Added:
        """Add records in one transaction, ignoring those that are stored already; a record may gain its text.

        The transaction is tried again, for up to half a minute, if the server allows it; all records are held in memory
        meanwhile. Raises `StoreReadOnly`, or `ValueError` for a claim without a cause or an effect.
        """
        connection = self._connection
        if not self._writable:
            raise StoreReadOnly(self.url)
        records = list(statements), list(aliases)
        with translate_driver_errors(self.url), connection.session(write=True) as session:
            return session.execute_write(add_records, *records, progress, self._cache)

    def check(self) -> Sequence[str]:
        """Verify the graph and what is derived in it; return what is wrong, a sentence each."""
        with self._reading() as connection:
            return neo4j_problems(connection)

    def close(self) -> None:
        """Close every connection; closing twice is allowed."""
        connection, self._open = self._open, None
        if connection is not None:
            connection.close()
