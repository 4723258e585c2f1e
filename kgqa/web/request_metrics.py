"""What the server counts of its requests, in the text format of Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the classes of seconds."""


class RequestMetrics:
    """Counts requests by endpoint and status, and the seconds that they took; `events` are counts of others to show."""

    def __init__(self, events: Mapping[str, int] | None = None) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._within: Counter[tuple[str, float]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._events = {} if events is None else events

    def record(self, endpoint: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests[endpoint, status] += 1
        self._seconds[endpoint] += seconds  # type: ignore[assignment]
        self._within.update((endpoint, bound) for bound in _BOUNDS if seconds <= bound)

    def exposition(self) -> str:
        """Return the counts as Prometheus reads them."""
        lines = ["# HELP kgqa_requests_total Requests by endpoint and status.", "# TYPE kgqa_requests_total counter"]
        for (endpoint, status), number in sorted(self._requests.items()):
            lines.append(f'kgqa_requests_total{{endpoint="{endpoint}",status="{status:d}"}} {number}')
        lines += ["# HELP kgqa_request_seconds Seconds that requests took.", "# TYPE kgqa_request_seconds histogram"]
        totals: Counter[str] = Counter()
        for (endpoint, _), number in self._requests.items():
            totals[endpoint] += number
        for endpoint, total in sorted(totals.items()):
            for bound in _BOUNDS:
                count = self._within[endpoint, bound]
                lines.append(f'kgqa_request_seconds_bucket{{endpoint="{endpoint}",le="{bound:g}"}} {count}')
            lines.append(f'kgqa_request_seconds_bucket{{endpoint="{endpoint}",le="+Inf"}} {total}')
            lines.append(f'kgqa_request_seconds_sum{{endpoint="{endpoint}"}} {self._seconds[endpoint]:.6f}')
            lines.append(f'kgqa_request_seconds_count{{endpoint="{endpoint}"}} {total}')
        lines += ["# HELP kgqa_worker_events_total Requests that no worker answered.", "# TYPE kgqa_worker_events_total counter"]
        lines += [f'kgqa_worker_events_total{{event="{name}"}} {number}' for name, number in sorted(self._events.items())]
        return "\n".join(lines) + "\n"
