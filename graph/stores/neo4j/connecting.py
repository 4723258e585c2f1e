"""Connecting to a Neo4j server, and making a database ready for a graph."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

import neo4j
from neo4j import exceptions

from graph.errors import StoreDamaged, StoreMissing, StoreOccupied, StoreReadOnly, StoreUnreachable, StoreVersion
from graph.stores.digest import EMPTY_DIGEST
from graph.stores.neo4j.address import Neo4jAddress
from graph.stores.neo4j.failures import translate_driver_errors
from graph.stores.neo4j.layout import LAYOUT_VERSION
from graph.stores.neo4j.queries import cypher_query, schema_names, schema_statements

OLDEST_SERVER = (5, 26)
CONNECT_S = 10.0
WAIT_S = 30.0
QUERY_S = 600.0
RETRY_S = 30.0
INDEXES_S = 3600
_RELEASE = re.compile(r"Neo4j/(\d+)\.(\d+)")


class Neo4jConnection:
    """The driver of one database: runs queries by name, each in a transaction that is tried again where that may help."""

    def __init__(self, address: Neo4jAddress) -> None:
        logging.getLogger("neo4j").addHandler(logging.NullHandler())  # what matters is raised
        self.url = address.url
        self._address = address
        self._database = address.database or None
        self._driver = self._new_driver(address.uri)

    def _new_driver(self, uri: str) -> neo4j.Driver:
        address = self._address
        return neo4j.GraphDatabase.driver(
            uri,
            auth=(address.user, address.password) if address.user else None,
            connection_timeout=CONNECT_S,
            connection_acquisition_timeout=WAIT_S,
            max_transaction_retry_time=RETRY_S,
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
        )

    def session(self, *, write: bool = False) -> neo4j.Session:
        """Return a session, to write or to read only."""
        access = neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS
        return self._driver.session(database=self._database, default_access_mode=access)

    def read(self, name: str, /, **parameters: object) -> list[dict[str, Any]]:
        """Return the rows of the query `name`."""
        with translate_driver_errors(self.url), self.session() as session:
            return session.execute_read(_fetch_rows_in_time, name, parameters)

    def write(self, name: str, /, **parameters: object) -> None:
        """Run the query `name`, which returns nothing."""
        with translate_driver_errors(self.url), self.session(write=True) as session:
            session.execute_write(_fetch_rows_in_time, name, parameters)

    def settle(self, statement: str) -> None:
        """Run a statement on constraints or indexes."""
        with translate_driver_errors(self.url), self.session(write=True) as session:
            session.run(statement).consume()

    def verify(self) -> None:
        """Raise what hinders working with this server; it answers, and is new enough, where nothing is raised."""
        with translate_driver_errors(self.url):
            try:
                with self.session() as session:
                    agent = session.run(cypher_query("answers")).consume().server.agent
            except exceptions.ServiceUnavailable:
                self._ask_directly()
                raise
        if not is_new_enough(agent):
            raise StoreUnreachable(self.url, f"it is {agent.replace('/', ' ')}, version 5.26 or later is needed")

    def _ask_directly(self) -> None:
        """Raise what hinders a connection to this very server; a driver that finds its way among several does not tell."""
        scheme, _, rest = self._address.uri.partition("://")
        if scheme.startswith("neo4j"):
            with self._new_driver(f"{scheme.replace('neo4j', 'bolt')}://{rest}") as driver:
                driver.verify_connectivity()

    def close(self) -> None:
        """Close every connection."""
        self._driver.close()


def is_new_enough(agent: str) -> bool:
    """Return whether a server that calls itself `agent` can run the queries."""
    release = _RELEASE.match(agent)
    return release is not None and (int(release[1]), int(release[2])) >= OLDEST_SERVER


@neo4j.unit_of_work(timeout=QUERY_S)
def _fetch_rows_in_time(
    transaction: neo4j.ManagedTransaction, name: str, parameters: Mapping[str, object]
) -> list[dict[str, Any]]:
    return fetch_rows(transaction, name, parameters)


def fetch_rows(transaction: neo4j.ManagedTransaction, name: str, parameters: Mapping[str, object]) -> list[dict[str, Any]]:
    """Return the rows of a query that is run in a transaction."""
    result = transaction.run(cypher_query(name), dict(parameters))
    keys = result.keys()
    return [dict(zip(keys, record.values(), strict=True)) for record in result]


def connect_to_neo4j(address: Neo4jAddress, *, write: bool, create: bool) -> Neo4jConnection:
    """Return a connection to the graph at an address, with its indexes; `create` makes it in an empty database.

    Raises `StoreUnreachable`, `StoreRefused`, `StoreMissing`, `StoreOccupied`, `StoreVersion`, `StoreReadOnly`, `StoreFailed`.
    """
    connection = Neo4jConnection(address)
    try:
        connection.verify()
        _prepare_database(connection, write=write, create=create)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare_database(connection: Neo4jConnection, *, write: bool, create: bool) -> None:
    graph_rows = connection.read("graph")
    if not graph_rows:
        anything = connection.read("anything")
        if anything:
            raise StoreOccupied(connection.url, ":".join(anything[0]["labels"]) or "nodes without a label")
        if not create:
            raise StoreMissing(connection.url)
        _make_indexes(connection)
        connection.write("make_graph", version=LAYOUT_VERSION, digest=EMPTY_DIGEST)
        return
    if graph_rows[0]["version"] != LAYOUT_VERSION:
        raise StoreVersion(connection.url, str(graph_rows[0]["version"]), str(LAYOUT_VERSION))
    if not re.fullmatch("[0-9a-f]{32}", str(graph_rows[0]["digest"])):
        raise StoreDamaged(connection.url, f"'{graph_rows[0]['digest']}' is no digest")
    if not has_indexes(connection):
        try:
            _make_indexes(connection)
        except StoreReadOnly:
            if write:
                raise
    if write:
        connection.write("lock")


def has_indexes(connection: Neo4jConnection) -> bool:
    """Return whether every constraint and index is there; a graph that was bulk loaded has none yet."""
    return set(schema_names()) <= {row["name"] for row in connection.read("indexes") if row["state"] == "ONLINE"}


def _make_indexes(connection: Neo4jConnection) -> None:
    for statement in schema_statements():
        connection.settle(statement)
    connection.read("await_indexes", seconds=INDEXES_S)
