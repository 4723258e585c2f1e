"""When a failed request is sent again: the kinds of failure, which of them are transient, and the delays between attempts."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from typing import TypeVar

Result = TypeVar("Result")

TRANSIENT_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


class Fault(Enum):
    """The kinds of failure of an HTTP request."""

    ADDRESS = auto()  # the address cannot be used
    CERTIFICATE = auto()  # the certificate of the server is not valid
    UNKNOWN_HOST = auto()  # the name of the host cannot be resolved
    UNREACHABLE = auto()  # no connection can be opened
    TIMEOUT = auto()  # no connection, or no further piece of the response, in time
    DEADLINE = auto()  # the response is not complete when the time for the whole exchange is over
    CLOSED = auto()  # the connection is closed before a response begins
    MALFORMED = auto()  # the response violates HTTP
    CUT = auto()  # the connection is closed before the response ends
    TOO_LONG = auto()  # the response is longer than the limit
    REDIRECT = auto()  # the server redirects to an address that is not followed
    STATUS = auto()  # the status is not one of success
    REPORTED = auto()  # the body of a successful response reports a failure of the server that is transient
    CONTENT = auto()  # the body of a successful response cannot be used


class HttpFailure(Exception):
    """A request without a usable response.

    The text is a predicate whose subject is the server, such as "breaks off its answer"; `detail` is the reason in the words of
    the system or the server, where there is one. `status` is the HTTP status or 0, `wait` the seconds of Retry-After.
    """

    def __init__(self, fault: Fault, text: str, detail: str = "", status: int = 0, wait: float | None = None) -> None:
        super().__init__(text)
        self.fault, self.detail, self.status, self.wait = fault, detail, status, wait


class RetriesExhausted(HttpFailure):
    """The last transient failure of so many `tries`; or of 0 where the server asks for too long a delay."""

    def __init__(self, failure: HttpFailure, tries: int) -> None:
        reason = f"tries: {tries}" if tries else f"it asks to wait {failure.wait or 0.0:,.0f} seconds"
        super().__init__(failure.fault, f"{failure}; {reason}", failure.detail, failure.status, failure.wait)
        self.tries = tries


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Limits in seconds: to connect, between two pieces of a response, and for a whole exchange (`None`: no limit)."""

    connect: float = 30.0
    silence: float = 30.0
    total: float | None = None


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is sent, after which failures, and with which delays in seconds.

    The delay before the second attempt is `first_delay`; it doubles up to `longest_delay`, with a random share of it, at most
    `jitter`, added. A longer Retry-After is kept, unless it is longer than `longest_delay`: then no further attempt is made.
    """

    tries: int = 6
    first_delay: float = 1.0
    longest_delay: float = 300.0
    jitter: float = 0.1
    faults: frozenset[Fault] = frozenset(
        {Fault.UNKNOWN_HOST, Fault.UNREACHABLE, Fault.TIMEOUT, Fault.CLOSED, Fault.MALFORMED, Fault.CUT}
    )
    statuses: frozenset[int] = TRANSIENT_STATUSES

    def is_transient(self, failure: HttpFailure) -> bool:
        """Return whether another attempt can succeed."""
        return failure.fault in self.faults or (failure.fault is Fault.STATUS and failure.status in self.statuses)

    def delay(self, failed: int, wait: float | None = None) -> float:
        """Return the seconds between attempt `failed` (from 1) and the next, where the server asks for `wait` seconds."""
        backoff = min(self.first_delay * 2.0 ** (failed - 1), self.longest_delay)
        return max(backoff * (1.0 + random.uniform(0.0, self.jitter)), wait or 0.0)

    def run(
        self,
        attempt: Callable[[], Result],
        on_wait: Callable[[HttpFailure, float], None] = lambda failure, seconds: None,
        sleep: Callable[[float], None] = time.sleep,
        has_advanced: Callable[[], bool] = lambda: False,
    ) -> Result:
        """Return the result of the first attempt that succeeds.

        `on_wait` receives each transient failure with the delay after it. The count of attempts begins again after a failure
        where `has_advanced` is true. Raises `HttpFailure` as it comes where it is not transient, else `RetriesExhausted`.
        """
        failed = 0
        while True:
            try:
                return attempt()
            except HttpFailure as failure:
                if not self.is_transient(failure):
                    raise
                failed = 1 if has_advanced() else failed + 1
                if failed >= self.tries:
                    raise RetriesExhausted(failure, failed) from failure
                if failure.wait is not None and failure.wait > self.longest_delay:
                    raise RetriesExhausted(failure, 0) from failure
                seconds = self.delay(failed, failure.wait)
                on_wait(failure, seconds)
            sleep(seconds)


def retry_after_seconds(header: str | None) -> float | None:
    """Return the delay that a Retry-After header states, as a number or as a date; `None` where it states neither."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    # A date without a zone is in GMT, as all dates of HTTP are.
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
