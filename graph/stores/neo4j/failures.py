"""What a failure of the driver or of the server means for a store: the one place where such errors are translated."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j import exceptions

from graph.errors import GraphError, StoreDamaged, StoreFailed, StoreFull, StoreReadOnly, StoreRefused, StoreUnreachable

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
