"""A SPARQL endpoint, queried with consideration: one query at a time, a rest after each, growing delays when it is busy."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from graph.errors import GraphError, PackageMissing
from graph.net.http import HttpClient
from graph.net.retry import Fault, HttpFailure, RetryPolicy, TimeLimits

try:
    from SPARQLWrapper import JSON, POST, SPARQLWrapper
except ImportError:
    raise PackageMissing("a SPARQL endpoint", "SPARQLWrapper", "rdf") from None

SparqlRow = Mapping[str, str]  # the values of a result by the names of their variables; unbound variables are absent
_RETRY_POLICY = RetryPolicy(first_delay=2.0)
_LIMITS = TimeLimits(connect=90.0, silence=90.0, total=900.0)
_LONGEST_RESULT = 1 << 28
_OF_ADDRESS = frozenset({Fault.UNKNOWN_HOST, Fault.UNREACHABLE, Fault.CONTENT})
"""Failures that are transient once the endpoint has answered; before, they mean that the address is wrong."""


class EndpointInvalid(GraphError):
    """A text is not the address of a SPARQL endpoint."""

    def __init__(self, address: str) -> None:
        super().__init__(f"'{address}' is not the address of a SPARQL endpoint (https://... or http://...)")


class EndpointFailed(GraphError):
    """A SPARQL endpoint cannot be reached, rejects a query, or returns no results after several attempts."""

    def __init__(self, endpoint: str, why: str) -> None:
        super().__init__(f"the SPARQL endpoint '{endpoint}' {why}")


class SparqlEndpoint:
    """A SPARQL endpoint; `agent` is our name, and `on_wait` receives the reason and the seconds of each delay.

    After a response the endpoint rests for as long as it worked, at most `rest` seconds. Raises `EndpointInvalid`.
    """

    def __init__(
        self,
        address: str,
        agent: str,
        retry_policy: RetryPolicy = _RETRY_POLICY,
        on_wait: Callable[[str, float], None] = lambda why, seconds: None,
        sleep: Callable[[float], None] = time.sleep,
        rest: float = 2.0,
        limits: TimeLimits = _LIMITS,
    ) -> None:
        if not re.match(r"https?://[^\s/]", address):
            raise EndpointInvalid(address)
        self.address = address
        self._retry_policy = replace(retry_policy, faults=retry_policy.faults - _OF_ADDRESS)
        self._on_wait, self._sleep = on_wait, sleep
        self._rest, self._longest_rest = 0.0, rest
        self._client = HttpClient(agent, limits)
        self._request = SPARQLWrapper(address, agent=agent)
        self._request.setMethod(POST)  # queries that name a few hundred items are too long for an address
        self._request.setReturnFormat(JSON)

    def check(self) -> None:
        """Send a query that costs nothing; raise `EndpointFailed` where the address answers no queries."""
        self.select("SELECT (1 AS ?one) WHERE {}")

    def select(self, query: str) -> list[SparqlRow]:
        """Return the rows of a SELECT query; raise `EndpointFailed`."""
        self._sleep(self._rest)
        try:
            rows = self._retry_policy.run(
                lambda: self._send(query), lambda failure, seconds: self._on_wait(str(failure), seconds), self._sleep
            )
        except HttpFailure as failure:
            raise EndpointFailed(self.address, str(failure)) from failure
        self._retry_policy = replace(self._retry_policy, faults=self._retry_policy.faults | _OF_ADDRESS)
        return rows

    def _send(self, query: str) -> list[SparqlRow]:
        began = time.monotonic()
        self._request.setQuery(query)
        # SPARQLWrapper sends only by urllib; the request that it builds is sent by our client.
        request = self._request._createRequest()
        headers = dict(request.header_items())
        with self._client.send("POST", request.full_url, headers, cast(bytes, request.data), longest=_LONGEST_RESULT) as response:
            response.check()
            data = response.read()
        try:
            bindings = json.loads(data)["results"]["bindings"]
            rows: list[SparqlRow] = [{name: str(term["value"]) for name, term in binding.items()} for binding in bindings]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise HttpFailure(Fault.CONTENT, "answers with something that is no result of a query") from error
        self._rest = min(time.monotonic() - began, self._longest_rest)
        return rows
