"""The store of graphs in Neo4j.

The arrows of a graph in Neo4j, fetched for many concepts at a time and kept as long as the topology lives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import neo4j

from graph.errors import StoreReadOnly
from graph.model import Alias, Claim, Concept, Edge, Evidence, Polarity, Statement
from graph.protocols import Added, Row, Stats, Topology
from graph.stores.closable_store import ClosableStore
from graph.stores.neo4j import neo4j_integrity as checking
from graph.stores.neo4j import neo4j_queries as reading
from graph.stores.neo4j import neo4j_queries as spelling
from graph.stores.neo4j import write_transaction as writing
from graph.stores.neo4j.neo4j_connection import (
    QUERY_S,
    Neo4jConnection,
    connect_to_neo4j,
    parse_address,
    translate_driver_errors,
    translate_value_errors,
)
from graph.stores.neo4j.value_mapping import grounds_and_belief, name_key_and_whole, relation_from_name, unescape_name
from graph.stores.neo4j.write_transaction import WriterCache
from graph.stores.serialization import POLARITIES, RELATIONS, chunks
from graph.topology import EDGE_KINDS, EMPTY_ROW

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
    """Return what an edge is sorted by, as `graph.stores.neo4j.value_mapping.edge_order` has it, then its sense and its kind."""
    name, whole, kind, polarity_name, support, sense, grounds = edge
    relation, polarity = relation_from_name(kind), Polarity(polarity_name)
    far = unescape_name(name, whole)
    return -grounds_and_belief(grounds)[1], -support, far, RELATIONS[relation], POLARITIES[polarity], sense, (relation, polarity)


class Neo4jStore(ClosableStore):
    """A `GraphStore` over a database of a Neo4j server.

    Every method raises an error of `graph.errors` where the server fails, and `ValueError` where the store is closed. Writers
    wait for one another; readers see what was committed, and two answers may be of two states of the graph.
    """

    def __init__(self, connection: Neo4jConnection, *, writable: bool) -> None:
        self.url = connection.url
        self._open: Neo4jConnection | None = connection
        self._writable = writable
        self._memory = WriterCache()

    @classmethod
    def at(cls, url: str, *, write: bool = False, create: bool = False) -> Neo4jStore:
        """Return the store at an address of Neo4j; see `graph.stores.open_store`."""
        connection = connect_to_neo4j(parse_address(url), write=write or create, create=create)
        return cls(connection, writable=write or create)

    @property
    def _connection(self) -> Neo4jConnection:
        if self._open is None:
            raise ValueError(f"the graph '{self.url}' is closed")
        return self._open

    @contextmanager
    def _reading(self) -> Iterator[Neo4jConnection]:
        """Give the connection; what is no graph is told as damage."""
        connection = self._connection
        with translate_value_errors(self.url):
            yield connection

    def concept(self, name: str) -> Concept | None:
        """Return the concept of exactly this name, or that has it as an alias, or `None`."""
        with self._reading() as connection:
            return reading.fetch_concept(connection, name)

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect`, most believed first."""
        with self._reading() as connection:
            return reading.fetch_causes(connection, effect)

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause`, most believed first."""
        with self._reading() as connection:
            return reading.fetch_effects(connection, cause)

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None`."""
        with self._reading() as connection:
            return reading.fetch_edge(connection, claim)

    def topology(self) -> Topology:
        """Return the arrows of the graph; its rows are fetched when they are asked for."""
        return Neo4jTopology(self._connection)

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every record of `claim`, by source, place and rule."""
        with self._reading() as connection:
            return reading.fetch_evidence(connection, claim)

    def search_evidence(self, words: Sequence[str], limit: int = 20) -> Sequence[Statement]:
        """Return records whose sentence holds any of `words` by stem, best first (BM25)."""
        with self._reading() as connection:
            return reading.fetch_evidence_by_words(connection, words, limit)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that hold every one of `words` by stem, shortest first, then alphabetically."""
        with self._reading() as connection:
            return reading.fetch_names_by_words(connection, words, limit)

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelt like `name`, nearest first; empty where none is near."""
        with self._reading() as connection:
            return spelling.fetch_similar_names(connection, name, limit)

    def add(
        self, statements: Iterable[Statement], aliases: Iterable[Alias] = (), progress: tuple[str, int] | None = None
    ) -> Added:
        """Add records, ignoring those that are there already, in one transaction; a record may gain its text.

        The transaction is tried again, for up to half a minute, where the server says that it may. All the records are held
        in memory meanwhile. Raises `StoreReadOnly`, or `ValueError` for a claim without a cause or an effect.
        """
        connection = self._connection
        if not self._writable:
            raise StoreReadOnly(self.url)
        given = list(statements), list(aliases), progress, self._memory
        with translate_driver_errors(self.url), connection.session(write=True) as session:
            return session.execute_write(_add, *given)

    def progress(self, job: str) -> int:
        """Return how many items of `job` are done: 0 for a job never seen."""
        with self._reading() as connection:
            return reading.fetch_progress(connection, job)

    def statements(self) -> Iterator[Statement]:
        """Iterate over every claim with each of its records, sorted by cause, effect, source and place."""
        with self._reading() as connection:
            yield from reading.fetch_statements(connection)

    def edges(self) -> Iterator[Edge]:
        """Iterate over every claim as an edge, in the order of `statements`."""
        with self._reading() as connection:
            yield from (edge for edge, _ in reading.fetch_edges(connection))

    def aliases(self) -> Iterator[Alias]:
        """Iterate over every alias, sorted by name."""
        with self._reading() as connection:
            yield from reading.fetch_aliases(connection)

    def digest(self) -> str:
        """Return 32 hexadecimal digits that depend on the claims, evidence and aliases alone."""
        with self._reading() as connection:
            return reading.fetch_digest(connection)

    def stats(self) -> Stats:
        """Return counts and the digest."""
        with self._reading() as connection:
            return reading.fetch_stats(connection)

    def check(self) -> Sequence[str]:
        """Verify the graph and what is derived in it; return what is wrong, a sentence each."""
        with self._reading() as connection:
            return checking.neo4j_problems(connection)

    def close(self) -> None:
        """Close every connection; closing twice is allowed."""
        connection, self._open = self._open, None
        if connection is not None:
            connection.close()


@neo4j.unit_of_work(timeout=QUERY_S)
def _add(
    transaction: neo4j.ManagedTransaction,
    statements: Sequence[Statement],
    aliases: Sequence[Alias],
    progress: tuple[str, int] | None,
    memory: WriterCache,
) -> Added:
    return writing.add_records(transaction, statements, aliases, progress, memory)
