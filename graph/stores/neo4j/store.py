"""The store of graphs in Neo4j."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import neo4j

from graph.errors import StoreReadOnly
from graph.model import Alias, Claim, Concept, Edge, Evidence, Statement
from graph.protocols import Added, Stats, Topology
from graph.stores.handle import ClosableStore
from graph.stores.neo4j import checking, reading, spelling, writing
from graph.stores.neo4j.address import parse_address
from graph.stores.neo4j.connecting import QUERY_S, Neo4jConnection, connect_to_neo4j
from graph.stores.neo4j.failures import translate_driver_errors, translate_value_errors
from graph.stores.neo4j.memory import WriterCache
from graph.stores.neo4j.topology import Neo4jTopology


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
