"""Connecting to a Neo4j server, and making a database ready for a graph.

The address of a graph in Neo4j: which server, which database, and as whom.

With `bolt+s` or `neo4j+s` the connection is encrypted and the server's certificate verified, with `+ssc` encrypted only.

What a failure of the driver or of the server means for a store: the one place where such errors are translated.
"""

from __future__ import annotations

import logging
import os
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import neo4j
from neo4j import exceptions

from graph.errors import (
    GraphError,
    StoreAddressUnknown,
    StoreDamaged,
    StoreFailed,
    StoreFull,
    StoreMissing,
    StoreOccupied,
    StoreReadOnly,
    StoreRefused,
    StoreUnreachable,
    StoreVersion,
)
from graph.stores.digest import EMPTY_DIGEST
from graph.stores.neo4j.cypher_files import LAYOUT_VERSION, cypher_query, schema_names, schema_statements

USERNAME = "NEO4J_USERNAME"
PASSWORD = "NEO4J_PASSWORD"
_USER = "neo4j"
_PORT = 7687


@dataclass(frozen=True, slots=True)
class Neo4jAddress:
    """Where a graph is. `url` names no user and no password and may be shown; an empty `database` is that of the user."""

    uri: str
    url: str
    database: str = ""
    user: str = ""
    password: str = field(default="", repr=False)


def parse_address(url: str, environment: Mapping[str, str] = os.environ) -> Neo4jAddress:
    """Return the address that `url` says; who asks is said by it, else by the environment. Raises `StoreAddressUnknown`.

    A user or password in a URL is percent-encoded where it holds any of `/ ? # : @ %`.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or _PORT
        options = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise StoreAddressUnknown(_without_credentials(url)) from None
    if not host or parts.path not in ("", "/") or parts.fragment or set(options) - {"database"} or len(options) > 1:
        raise StoreAddressUnknown(_without_credentials(url))
    database = options.get("database", [""])[-1]
    uri = f"{parts.scheme.lower()}://{f'[{host}]' if ':' in host else host}:{port}"
    public_url = f"{uri}?database={database}" if database else uri
    password = unquote(parts.password) if parts.password is not None else environment.get(PASSWORD, "")
    user = unquote(parts.username) if parts.username else environment.get(USERNAME, "") or (_USER if password else "")
    return Neo4jAddress(uri, public_url, database, user, password)


def _without_credentials(url: str) -> str:
    """Return an address without what stands before its "@"."""
    scheme, slashes, rest = url.partition("://")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"


_REFUSED = {
    "Neo.ClientError.Security.Unauthorized": "the user or the password is wrong",
    "Neo.ClientError.Security.AuthenticationRateLimit": "too many wrong passwords; wait a few seconds",
    "Neo.ClientError.Security.CredentialsExpired": "the password must be changed first, for instance in Neo4j Browser",
    "Neo.ClientError.Security.TokenExpired": "the user must log in again",
}
_READ_ONLY = (
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
    "Neo.ClientError.Statement.AccessMode",
    "Neo.ClientError.Security.Forbidden",
    "Neo.DatabaseError.General.ReadOnly",
)


@contextmanager
def translate_driver_errors(url: str) -> Iterator[None]:
    """Turn the errors of the driver inside the block, and values that no store holds, into those of `graph.errors`."""
    try:
        yield
    except (exceptions.Neo4jError, exceptions.DriverError) as error:
        raise _translate_error(url, error) from error


@contextmanager
def translate_value_errors(url: str) -> Iterator[None]:
    """Turn the errors of reading values that no store holds into that of a damaged store."""
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        raise StoreDamaged(url, " ".join(str(error).split())) from error


def _translate_error(url: str, error: exceptions.Neo4jError | exceptions.DriverError) -> GraphError:
    if isinstance(error, exceptions.Neo4jError):
        return _translate_server_error(url, error)
    message = _first_line(error)
    if isinstance(error, exceptions.UnsupportedServerProduct):
        return StoreUnreachable(url, "it is no Neo4j server of version 5.26 or later")
    if isinstance(error, exceptions.ServiceUnavailable | exceptions.SessionError | exceptions.ConnectionPoolError):
        return StoreUnreachable(url, _connection_problem(url, error, message))
    return StoreFailed(url, message)


def _translate_server_error(url: str, error: exceptions.Neo4jError) -> GraphError:
    code = error.code or ""
    if code in _REFUSED:
        return StoreRefused(url, _REFUSED[code])
    if isinstance(error, exceptions.AuthError) and "Forbidden" not in code:
        return StoreRefused(url, _first_line(error))
    if code in _READ_ONLY or "read-only" in (error.message or "") or "read only" in (error.message or ""):
        return StoreReadOnly(url)
    if code == "Neo.ClientError.Database.DatabaseNotFound":
        return StoreUnreachable(url, "it has no such database")
    if "MemoryPoolOutOfMemory" in code or "OutOfMemory" in code:
        return StoreFailed(url, "the server has too little memory for this; give it more (server.memory.heap.max_size)")
    if "Space" in code or "No space left" in (error.message or ""):
        return StoreFull(url)
    return StoreFailed(url, _first_line(error))


def _connection_problem(url: str, error: BaseException, message: str) -> str:
    """Return why there is no connection, in the words of the innermost error that has any."""
    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and cause not in chain:
        chain.append(cause)
    for exception in reversed(chain):
        if "CERTIFICATE_VERIFY_FAILED" in str(exception):
            return "its certificate is not trusted; trust it, or encrypt without verifying: bolt+ssc://, neo4j+ssc://"
        if isinstance(exception, ssl.SSLError) and "ALERT" not in (exception.reason or ""):
            return f"it does not speak TLS; try {url.partition('+')[0]}://..."
        if isinstance(exception, ConnectionRefusedError):
            return "nobody listens there"
        if isinstance(exception, TimeoutError):
            return "it does not answer"
    if "defunct connection" in message:
        return "it broke off the connection"
    for exception in reversed(chain):
        if isinstance(exception, OSError) and exception.strerror:
            return exception.strerror.lower()
    return message


def _first_line(error: Exception) -> str:
    text = (error.message if isinstance(error, exceptions.Neo4jError) else None) or str(error) or type(error).__name__
    line = text.strip().splitlines()[0]
    return line[:1].lower() + line[1:].rstrip(".")


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
