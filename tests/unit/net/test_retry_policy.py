"""Which failures lead to another attempt, after which delay, and when no further attempt is made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.net.retry import TRANSIENT_STATUSES, Fault, HttpFailure, RetriesExhausted, RetryPolicy

STEADY = RetryPolicy(tries=4, first_delay=1.0, longest_delay=10.0, jitter=0.0)


def busy(wait: float | None = None, status: int = 503) -> HttpFailure:
    return HttpFailure(Fault.STATUS, f"answers with HTTP status {status}", status=status, wait=wait)


def failing(*failures: HttpFailure) -> Callable[[], str]:
    """An attempt that fails with each of the failures and then succeeds."""
    left = list(failures)

    def attempt() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return attempt


def test_delays_double_up_to_the_longest() -> None:
    assert [STEADY.delay(failed) for failed in range(1, 7)] == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_jitter_adds_at_most_its_share() -> None:
    delays = [RetryPolicy(first_delay=2.0, jitter=0.5).delay(1) for _ in range(200)]
    assert all(2.0 <= delay <= 3.0 for delay in delays)
    assert len(set(delays)) > 1


def test_the_longer_of_backoff_and_retry_after_is_kept() -> None:
    delays: list[float] = []
    assert STEADY.run(failing(busy(7.0), busy(0.0), busy()), sleep=delays.append) == "done"
    assert delays == [7.0, 2.0, 4.0]


def test_a_failure_that_is_not_transient_ends_the_attempts_unchanged() -> None:
    delays: list[float] = []
    refusal = busy(status=403)
    with pytest.raises(HttpFailure) as raised:
        STEADY.run(failing(busy(), refusal), sleep=delays.append)
    assert raised.value is refusal
    assert delays == [1.0]


@pytest.mark.parametrize(
    ("failures", "text", "tries"),
    [
        ([busy()] * 4, "answers with HTTP status 503; tries: 4", 4),
        ([busy(3600.0)], "answers with HTTP status 503; it asks to wait 3,600 seconds", 0),
    ],
)
def test_the_last_failure_says_why_no_further_attempt_is_made(failures: list[HttpFailure], text: str, tries: int) -> None:
    with pytest.raises(RetriesExhausted) as raised:
        STEADY.run(failing(*failures), sleep=lambda seconds: None)
    assert (str(raised.value), raised.value.tries, raised.value.status) == (text, tries, 503)


def test_progress_begins_the_count_of_attempts_again() -> None:
    advances = [False, False, True, False, False]
    delays: list[float] = []
    assert STEADY.run(failing(*[busy()] * 5), sleep=delays.append, has_advanced=lambda: advances.pop(0)) == "done"
    assert delays == [1.0, 2.0, 1.0, 2.0, 4.0]


@pytest.mark.parametrize("fault", Fault)
def test_a_policy_states_which_faults_and_statuses_are_transient(fault: Fault) -> None:
    policy = RetryPolicy(faults=frozenset({Fault.CUT}), statuses=frozenset({503}))
    assert policy.is_transient(HttpFailure(fault, "", status=503)) is (fault in {Fault.CUT, Fault.STATUS})
    assert not policy.is_transient(HttpFailure(Fault.STATUS, "", status=500))


def test_refusals_and_redirects_are_no_transient_statuses() -> None:
    assert {429, 503} <= TRANSIENT_STATUSES
    assert {301, 400, 401, 403, 404, 501}.isdisjoint(TRANSIENT_STATUSES)
