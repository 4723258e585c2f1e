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
from graph.net.http_request import retry_after_seconds

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

SparqlRow = Mapping[str, str]
"""The values of a result by the names of their variables; those that are not bound are absent."""

_RETRIED_STATUS = frozenset({408, 429, 500, 502, 503, 504})
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
class EndpointRetryPolicy:
    """How an endpoint is spared: `tries` for a query, the first wait in seconds, which doubles, and the longest.

    After an answer the endpoint rests for as long as it worked, at most `rest` seconds. A wait that the endpoint itself asks for
    (Retry-After) is kept, unless it is longer than `longest`.
    """

    tries: int = 6
    first: float = 2.0
    longest: float = 300.0
    rest: float = 2.0
    timeout: int = 90


class _QueryFailure(NamedTuple):
    """Why there are no results, whether to ask again, and after how many seconds if the endpoint said so."""

    why: str
    passing: bool
    wait: float | None = None


class SparqlEndpoint:
    """A SPARQL endpoint; `agent` tells it who asks, `on_wait` is told why and how long there is a wait.

    Raises `EndpointInvalid` for what is no address.
    """

    def __init__(
        self,
        address: str,
        agent: str,
        retry_policy: EndpointRetryPolicy | None = None,
        on_wait: Callable[[str, float], None] = lambda why, seconds: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not re.match(r"https?://[^\s/]", address):
            raise EndpointInvalid(address)
        self.address = address
        self._retry_policy = retry_policy or EndpointRetryPolicy()
        self._on_wait = on_wait
        self._sleep = sleep
        self._rest = 0.0
        self._answered = False
        self._client = SPARQLWrapper(address, agent=agent)
        self._client.setMethod(POST)  # queries that name a few hundred items are too long for an address
        self._client.setReturnFormat(JSON)
        self._client.setTimeout(self._retry_policy.timeout)

    def check(self) -> None:
        """Ask what costs nothing; raise `EndpointFailed` where nothing there answers queries."""
        self.select("SELECT (1 AS ?one) WHERE {}")

    def select(self, query: str) -> list[SparqlRow]:
        """Return the rows of a SELECT query; raise `EndpointFailed` where there are none to be had."""
        self._sleep(self._rest)
        wait = self._retry_policy.first
        for left in reversed(range(self._retry_policy.tries)):
            began = time.monotonic()
            outcome = self._query_once(query)
            if not isinstance(outcome, _QueryFailure):
                self._rest = min(time.monotonic() - began, self._retry_policy.rest)
                self._answered = True
                return outcome
            if not outcome.passing:
                raise EndpointFailed(self.address, outcome.why)
            seconds = wait if outcome.wait is None else outcome.wait
            if not left or seconds > self._retry_policy.longest:
                detail = f"; it asks to wait {seconds:,.0f} seconds" if left else f"; tries: {self._retry_policy.tries}"
                raise EndpointFailed(self.address, outcome.why + detail)
            self._on_wait(outcome.why, seconds)
            self._sleep(seconds)
            wait = min(2 * wait, self._retry_policy.longest)
        raise AssertionError("every try ends above")

    def _query_once(self, query: str) -> list[SparqlRow] | _QueryFailure:
        """Ask once."""
        self._client.setQuery(query)
        try:
            return _parse_results(self._client.query().response.read())
        except SPARQLWrapperException as error:
            return _failure_of_status(_STATUS[type(error)])
        except urllib.error.HTTPError as error:
            with error:
                return _failure_of_status(error.code, retry_after_seconds(error.headers.get("Retry-After")))
        except urllib.error.URLError as error:
            # Before anything was answered the address is wrong, or nobody is there: to ask again is no use.
            return _QueryFailure(
                f"cannot be reached: {_error_text(error.reason)}", self._answered or isinstance(error.reason, TimeoutError)
            )
        except TimeoutError:
            return _QueryFailure(f"does not answer within {self._retry_policy.timeout} s", True)
        except (OSError, HTTPException):
            return _QueryFailure("breaks off its answer", True)
        except ValueError:
            return _QueryFailure("answers with something that is no result of a query", self._answered)


def _parse_results(data: bytes) -> list[SparqlRow]:
    """Return the rows of results in JSON; raise `ValueError` for anything else."""
    answer = json.loads(data)
    try:
        bindings = answer["results"]["bindings"]
        return [{name: str(term["value"]) for name, term in binding.items()} for binding in bindings]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def _failure_of_status(status: int, wait: float | None = None) -> _QueryFailure:
    return _QueryFailure(f"answers with HTTP status {status}", status in _RETRIED_STATUS, wait)


def _error_text(error: object) -> str:
    """Return what the system says, in lower case."""
    return str(getattr(error, "strerror", None) or error).lower()
