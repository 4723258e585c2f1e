"""Shares with their 95 % intervals as text, for the scripts that measure; the reckoning is kgqa's own."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.metrics.score_intervals import wilson


def share(count: int, total: int) -> str:
    """Return a share with its interval and its counts: ".95 [.93, .97] (482/506)"."""
    if total == 0:
        return "no item"
    low, high = wilson(count, total)
    return f"{count / total:.3f} [{low:.3f}, {high:.3f}] ({count}/{total})"


def weighted_share(counts: Sequence[tuple[bool, float]]) -> str:
    """Return the share of weight that counts as true, with the interval for the effective size of the sample (Kish 1965)."""
    total = sum(weight for _, weight in counts)
    if total == 0:
        return "no item"
    found = sum(weight for true, weight in counts if true) / total
    effective = total**2 / sum(weight**2 for _, weight in counts)
    low, high = wilson(found * effective, effective)
    return f"{found:.3f} [{low:.3f}, {high:.3f}]"
