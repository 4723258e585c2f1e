"""The address of a graph in Neo4j: which server, which database, and as whom.

With `bolt+s` or `neo4j+s` the connection is encrypted and the server's certificate verified, with `+ssc` encrypted only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

from graph.errors import StoreAddressUnknown

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
