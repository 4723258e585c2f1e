"""Connections to a Neo4j server: its address, the database of a graph, and what a failure of the driver or the server means.

With `bolt+s` or `neo4j+s` the connection is encrypted and the server's certificate verified, with `+ssc` encrypted only.
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

from graph import errors
from graph.stores.digest import EMPTY_DIGEST
from graph.stores.neo4j.cypher_files import LAYOUT_VERSION, cypher_query, schema_names
from graph.text.formula_cells import ESCAPED_CELL

OLDEST_SERVER = (5, 26)
QUERY_S = 600.0


@dataclass(frozen=True, slots=True)
class Neo4jAddress:
    """The address of a graph. `url` has no user and no password and can be shown; an empty `database` is the user's default."""

    uri: str
    url: str
    database: str = ""
    user: str = ""
    password: str = field(default="", repr=False)


def parse_address(url: str, environment: Mapping[str, str] = os.environ) -> Neo4jAddress:
    """Return the parts of `url`, the user and password from the environment if it has none. Raises `StoreAddressUnknown`.

    A user or password in a URL is percent-encoded where it holds any of `/ ? # : @ %`.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or 7687
        options = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise errors.StoreAddressUnknown(_without_credentials(url)) from None
    if not host or parts.path not in ("", "/") or parts.fragment or set(options) - {"database"} or len(options) > 1:
        raise errors.StoreAddressUnknown(_without_credentials(url))
    database = options.get("database", [""])[-1]
    uri = f"{parts.scheme.lower()}://{f'[{host}]' if ':' in host else host}:{port}"
    public_url = f"{uri}?database={database}" if database else uri
    password = unquote(parts.password) if parts.password is not None else environment.get("NEO4J_PASSWORD", "")
    user = unquote(parts.username) if parts.username else environment.get("NEO4J_USERNAME", "") or ("neo4j" if password else "")
    return Neo4jAddress(uri, public_url, database, user, password)


def _without_credentials(url: str) -> str:
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
    """Turn the errors of the driver inside the block into those of `graph.errors`."""
    try:
        yield
    except (exceptions.Neo4jError, exceptions.DriverError) as error:
        raise _translate_error(url, error) from error


@contextmanager
def translate_value_errors(url: str) -> Iterator[None]:
    """Raise `StoreDamaged` for values inside the block that no store has."""
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        raise errors.StoreDamaged(url, " ".join(str(error).split())) from error


def _translate_error(url: str, error: exceptions.Neo4jError | exceptions.DriverError) -> errors.GraphError:
    if isinstance(error, exceptions.Neo4jError):
        return _translate_server_error(url, error)
    message = _first_line(error)
    if isinstance(error, exceptions.UnsupportedServerProduct):
        return errors.StoreUnreachable(url, "it is no Neo4j server of version 5.26 or later")
    if isinstance(error, exceptions.ServiceUnavailable | exceptions.SessionError | exceptions.ConnectionPoolError):
        return errors.StoreUnreachable(url, _connection_problem(url, error, message))
    return errors.StoreFailed(url, message)


def _translate_server_error(url: str, error: exceptions.Neo4jError) -> errors.GraphError:
    code = error.code or ""
    if code in _REFUSED:
        return errors.StoreRefused(url, _REFUSED[code])
    if isinstance(error, exceptions.AuthError) and "Forbidden" not in code:
        return errors.StoreRefused(url, _first_line(error))
    if code in _READ_ONLY or "read-only" in (error.message or "") or "read only" in (error.message or ""):
        return errors.StoreReadOnly(url)
    if code == "Neo.ClientError.Database.DatabaseNotFound":
        return errors.StoreUnreachable(url, "it has no such database")
    if "MemoryPoolOutOfMemory" in code or "OutOfMemory" in code:
        return errors.StoreFailed(url, "the server has too little memory for this; give it more (server.memory.heap.max_size)")
    if "Space" in code or "No space left" in (error.message or ""):
        return errors.StoreFull(url)
    return errors.StoreFailed(url, _first_line(error))


def _connection_problem(url: str, error: BaseException, message: str) -> str:
    """Return why there is no connection, by the innermost error that says it."""
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


class Neo4jConnection:
    """The driver of one database: runs queries by name, each in a transaction that is tried again after temporary errors."""

    def __init__(self, address: Neo4jAddress) -> None:
        logging.getLogger("neo4j").addHandler(logging.NullHandler())  # what matters is raised
        self.url = address.url
        self._address = address
        self._driver = self._new_driver(address.uri)

    def _new_driver(self, uri: str) -> neo4j.Driver:
        address = self._address
        return neo4j.GraphDatabase.driver(
            uri,
            auth=(address.user, address.password) if address.user else None,
            connection_timeout=10.0,
            connection_acquisition_timeout=30.0,
            max_transaction_retry_time=30.0,
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
        )

    def session(self, *, write: bool = False) -> neo4j.Session:
        """Return a session, to write or to read only."""
        access = neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS
        return self._driver.session(database=self._address.database or None, default_access_mode=access)

    def read(self, name: str, /, **parameters: object) -> list[dict[str, Any]]:
        """Return the rows of the query `name`."""
        with translate_driver_errors(self.url), self.session() as session:
            return session.execute_read(fetch_rows, name, parameters)

    def write(self, name: str, /, **parameters: object) -> None:
        """Run the query `name`, which returns nothing."""
        with translate_driver_errors(self.url), self.session(write=True) as session:
            session.execute_write(fetch_rows, name, parameters)

    def verify(self) -> None:
        """Raise an error of `graph.errors` if the server does not answer, or is too old."""
        with translate_driver_errors(self.url):
            try:
                with self.session() as session:
                    agent = session.run(cypher_query("answers")).consume().server.agent
            except exceptions.ServiceUnavailable:
                self._ask_directly()
                raise
        if not is_new_enough(agent):
            raise errors.StoreUnreachable(self.url, f"it is {agent.replace('/', ' ')}, version 5.26 or later is needed")

    def _ask_directly(self) -> None:
        """Raise the reason for a failed connection to this very server, which a routing driver does not report."""
        scheme, _, rest = self._address.uri.partition("://")
        if scheme.startswith("neo4j"):
            with self._new_driver(f"{scheme.replace('neo4j', 'bolt')}://{rest}") as driver:
                driver.verify_connectivity()

    def close(self) -> None:
        """Close every connection."""
        self._driver.close()


def is_new_enough(agent: str) -> bool:
    """Return whether a server of this name and version can run the queries."""
    release = re.match(r"Neo4j/(\d+)\.(\d+)", agent)
    return release is not None and (int(release[1]), int(release[2])) >= OLDEST_SERVER


@neo4j.unit_of_work(timeout=QUERY_S)
def fetch_rows(transaction: neo4j.ManagedTransaction, name: str, parameters: Mapping[str, object]) -> list[dict[str, Any]]:
    """Run a query in a transaction and return its rows."""
    result = transaction.run(cypher_query(name), dict(parameters))
    keys = result.keys()
    return [dict(zip(keys, record.values(), strict=True)) for record in result]


def connect_to_neo4j(address: Neo4jAddress, *, write: bool, create: bool) -> Neo4jConnection:
    """Return a connection to the graph at an address, with its indexes; `create` creates it in an empty database.

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
            raise errors.StoreOccupied(connection.url, ":".join(anything[0]["labels"]) or "nodes without a label")
        if not create:
            raise errors.StoreMissing(connection.url)
        _make_indexes(connection)
        connection.write("make_graph", version=LAYOUT_VERSION, digest=EMPTY_DIGEST)
        return
    if graph_rows[0]["version"] != LAYOUT_VERSION:
        raise errors.StoreVersion(connection.url, str(graph_rows[0]["version"]), str(LAYOUT_VERSION))
    if not re.fullmatch("[0-9a-f]{32}", str(graph_rows[0]["digest"])):
        raise errors.StoreDamaged(connection.url, f"'{graph_rows[0]['digest']}' is no digest")
    if graph_rows[0]["escaped"]:  # a graph that was bulk loaded
        connection.write("unescape_formulas", escaped=ESCAPED_CELL)
    if not has_indexes(connection):
        try:
            _make_indexes(connection)
        except errors.StoreReadOnly:
            if write:
                raise
    if write:
        connection.write("lock")


def has_indexes(connection: Neo4jConnection) -> bool:
    """Return whether every constraint and index exists; a graph that was bulk loaded has none yet."""
    return set(schema_names()) <= {row["name"] for row in connection.read("indexes") if row["state"] == "ONLINE"}


def _make_indexes(connection: Neo4jConnection) -> None:
    for name in schema_names():
        connection.write(f"schema/{name}")
    connection.read("await_indexes", seconds=3600)
