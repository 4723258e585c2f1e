"""The queries of one transaction, waiting in line: the server works on one while the rows of the next are made."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

import neo4j

from graph.stores.neo4j.connecting import fetch_rows

LONGEST_QUEUE = 2

QueryRows = list[dict[str, Any]]


class QueryQueue:
    """Runs queries in their order, in a thread of its own; what one of them raises is raised here, at the latest at the end."""

    def __init__(self, transaction: neo4j.ManagedTransaction) -> None:
        self._transaction = transaction
        self._thread = ThreadPoolExecutor(1, "neo4j")
        self._waiting: deque[Future[QueryRows]] = deque()

    def send(self, query: str, /, **parameters: object) -> None:
        """Put a query that returns nothing into the line; wait where the line is long."""
        self._waiting.append(self._thread.submit(fetch_rows, self._transaction, query, parameters))
        while len(self._waiting) > LONGEST_QUEUE:
            self._waiting.popleft().result()

    def ask(self, query: str, /, **parameters: object) -> QueryRows:
        """Return the rows of a query, which is run after all that were sent."""
        self.send(query, **parameters)
        while len(self._waiting) > 1:
            self._waiting.popleft().result()
        return self._waiting.popleft().result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: BaseException | None, where: TracebackType | None) -> None:
        """Wait for the queries; after an error, those that have not begun are not run."""
        self._thread.shutdown(cancel_futures=raised is not None)
        if raised is None:
            for future in self._waiting:
                future.result()
