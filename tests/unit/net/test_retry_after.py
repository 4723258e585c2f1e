"""How long a busy server asks to wait, whatever it writes."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from graph.net.retry import retry_after_seconds


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        (" 0 ", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Mon, 01 Jan 0001 00:00:00 +2300", 0.0),
        ("9" * 500, float("inf")),
        (None, None),
        ("", None),
        ("soon", None),
        ("-3", None),
        ("\u00b2", None),
    ],
)
def test_a_number_of_seconds_is_a_wait_and_nonsense_is_none(header: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(header) == seconds


@pytest.mark.parametrize("zone", ["GMT", "-0000", "+0000"])
def test_a_date_is_waited_for_whatever_the_clock_here_shows(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        wait = retry_after_seconds(formatdate(time.time() + 90, usegmt=True).replace("GMT", zone))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert wait is not None
    assert 85 < wait <= 90
