"""Shares with their 95 % Wilson intervals, for the scripts that measure."""

from __future__ import annotations

import math


def wilson(count: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's score interval of a share; `z` is the normal quantile."""
    middle = count + z * z / 2
    spread = z * math.sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, (middle - spread) / (total + z * z)), min(1.0, (middle + spread) / (total + z * z))


def share(count: int, total: int) -> str:
    """Return a share with its interval and its counts: ".95 [.93, .97] (482/506)"."""
    if total == 0:
        return "no item"
    low, high = wilson(count, total)
    return f"{count / total:.3f} [{low:.3f}, {high:.3f}] ({count}/{total})"
