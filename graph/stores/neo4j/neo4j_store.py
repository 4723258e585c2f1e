"""The store of graphs in Neo4j."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph.errors import StoreReadOnly
from graph.model import Alias, Statement
from graph.protocols import Added, GraphView, Topology
from graph.stores.neo4j.bulk_view import BulkView
from graph.stores.neo4j.neo4j_connection import Neo4jConnection, connect_to_neo4j, parse_address, translate_driver_errors
from graph.stores.neo4j.neo4j_integrity import neo4j_problems
from graph.stores.neo4j.neo4j_queries import Neo4jQueries
from graph.stores.neo4j.neo4j_topology import Neo4jTopology
from graph.stores.neo4j.write_transaction import WriterCache, add_records


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

    def bulk_view(self) -> GraphView:
        """Return a view of the graph for one question, which takes few queries."""
        return BulkView(self, self._connection)

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
