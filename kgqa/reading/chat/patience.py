"""How long a chat server is waited for, and how often it is asked."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ChatRetryPolicy:
    """How a server is waited for, in seconds, and how often it is asked.

    `connect` until there is a connection, `silent` between two pieces of an answer, `total` for a whole answer, however its
    pieces drip. What may pass is tried `tries` times; the wait after the first try is `first`, and it doubles. A wait that the
    server itself asks for (Retry-After) is kept, unless it is longer than `longest`.
    """

    tries: int = 4
    connect: float = 10.0
    silent: float = 60.0
    total: float = 180.0
    first: float = 1.0
    longest: float = 60.0

    def clock(self) -> RequestDeadline:
        """Return a clock for one request, which starts now."""
        return RequestDeadline(self)


@dataclass(slots=True)
class RequestDeadline:
    """The time that is left for one request."""

    retry_policy: ChatRetryPolicy
    began: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return how many seconds the next piece may take; raise `OutOfTime` where the time for the whole answer is over."""
        rest = self.retry_policy.total - self.spent()
        if rest <= 0:
            raise DeadlineExceeded
        return min(rest, self.retry_policy.silent)

    def spent(self) -> float:
        """Return the seconds since the request began."""
        return time.monotonic() - self.began


class DeadlineExceeded(TimeoutError):
    """The time for a whole answer is over."""
