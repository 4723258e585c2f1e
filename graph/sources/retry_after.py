"""How long a busy server asks to be left alone: its Retry-After header."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_seconds(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, as a number or until a date; `None` where it says neither."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    # A date that tells no zone is of Greenwich, as all dates of HTTP are.
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
