"""A SPARQL endpoint that is asked politely: one query at a time, a rest after each, patience when it is busy."""

from __future__ import annotations

import json
import re
import time
import urllib.error
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import NamedTuple

from graph.errors import GraphError, PackageMissing
from graph.sources.retry_after import asked_wait

try:
    from SPARQLWrapper import JSON, POST, SPARQLWrapper
    from SPARQLWrapper.SPARQLExceptions import (
        EndPointInternalError,
        EndPointNotFound,
        QueryBadFormed,
        SPARQLWrapperException,
        Unauthorized,
        URITooLong,
    )
except ImportError:
    raise PackageMissing("a SPARQL endpoint", "SPARQLWrapper", "rdf") from None

Row = Mapping[str, str]
"""The values of a result by the names of their variables; those that are not bound are absent."""

_BUSY = frozenset({408, 429, 500, 502, 503, 504})
_STATUS = {QueryBadFormed: 400, Unauthorized: 401, EndPointNotFound: 404, URITooLong: 414, EndPointInternalError: 500}


class EndpointInvalid(GraphError):
    """What was named is no address of a SPARQL endpoint."""

    def __init__(self, address: str) -> None:
        super().__init__(f"'{address}' is not the address of a SPARQL endpoint (https://... or http://...)")


class EndpointFailed(GraphError):
    """A SPARQL endpoint cannot be reached, refuses a query, or gives no results although it was asked several times."""

    def __init__(self, endpoint: str, why: str) -> None:
        super().__init__(f"the SPARQL endpoint '{endpoint}' {why}")


@dataclass(frozen=True, slots=True)
class Patience:
    """How an endpoint is spared: `tries` for a query, the first wait in seconds, which doubles, and the longest.

    After an answer the endpoint rests for as long as it worked, at most `rest` seconds. A wait that the endpoint itself asks for
    (Retry-After) is kept, unless it is longer than `longest`.
    """

    tries: int = 6
    first: float = 2.0
    longest: float = 300.0
    rest: float = 2.0
    timeout: int = 90


class _Trouble(NamedTuple):
    """Why there are no results, whether to ask again, and after how many seconds if the endpoint said so."""

    why: str
    passing: bool
    wait: float | None = None


class Endpoint:
    """A SPARQL endpoint; `agent` tells it who asks, `on_wait` is told why and how long there is a wait.

    Raises `EndpointInvalid` for what is no address.
    """

    def __init__(
        self,
        address: str,
        agent: str,
        patience: Patience | None = None,
        on_wait: Callable[[str, float], None] = lambda why, seconds: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not re.match(r"https?://[^\s/]", address):
            raise EndpointInvalid(address)
        self.address = address
        self._patience = patience or Patience()
        self._on_wait = on_wait
        self._sleep = sleep
        self._rest = 0.0
        self._answered = False
        self._client = SPARQLWrapper(address, agent=agent)
        self._client.setMethod(POST)  # queries that name a few hundred items are too long for an address
        self._client.setReturnFormat(JSON)
        self._client.setTimeout(self._patience.timeout)

    def check(self) -> None:
        """Ask what costs nothing; raise `EndpointFailed` where nothing there answers queries."""
        self.select("SELECT (1 AS ?one) WHERE {}")

    def select(self, query: str) -> list[Row]:
        """Return the rows of a SELECT query; raise `EndpointFailed` where there are none to be had."""
        self._sleep(self._rest)
        wait = self._patience.first
        for left in reversed(range(self._patience.tries)):
            began = time.monotonic()
            found = self._asked(query)
            if not isinstance(found, _Trouble):
                self._rest = min(time.monotonic() - began, self._patience.rest)
                self._answered = True
                return found
            if not found.passing:
                raise EndpointFailed(self.address, found.why)
            seconds = wait if found.wait is None else found.wait
            if not left or seconds > self._patience.longest:
                asked = f"; it asks to wait {seconds:,.0f} seconds" if left else f"; tries: {self._patience.tries}"
                raise EndpointFailed(self.address, found.why + asked)
            self._on_wait(found.why, seconds)
            self._sleep(seconds)
            wait = min(2 * wait, self._patience.longest)
        raise AssertionError("every try ends above")

    def _asked(self, query: str) -> list[Row] | _Trouble:
        """Ask once."""
        self._client.setQuery(query)
        try:
            return _rows(self._client.query().response.read())
        except SPARQLWrapperException as error:
            return _trouble_of(_STATUS[type(error)])
        except urllib.error.HTTPError as error:
            with error:
                return _trouble_of(error.code, asked_wait(error.headers.get("Retry-After")))
        except urllib.error.URLError as error:
            # Before anything was answered the address is wrong, or nobody is there: to ask again is no use.
            return _Trouble(
                f"cannot be reached: {_reason(error.reason)}", self._answered or isinstance(error.reason, TimeoutError)
            )
        except TimeoutError:
            return _Trouble(f"does not answer within {self._patience.timeout} s", True)
        except (OSError, HTTPException):
            return _Trouble("breaks off its answer", True)
        except ValueError:
            return _Trouble("answers with something that is no result of a query", self._answered)


def _rows(data: bytes) -> list[Row]:
    """Return the rows of results in JSON; raise `ValueError` for anything else."""
    answer = json.loads(data)
    try:
        bindings = answer["results"]["bindings"]
        return [{name: str(term["value"]) for name, term in binding.items()} for binding in bindings]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def _trouble_of(status: int, wait: float | None = None) -> _Trouble:
    return _Trouble(f"answers with HTTP status {status}", status in _BUSY, wait)


def _reason(error: object) -> str:
    """Return what the system says, in lower case."""
    return str(getattr(error, "strerror", None) or error).lower()
