"""What metrics demand of what they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sized

from kgqa.errors import MetricInvalid


def check_unit_interval(numbers: Iterable[float], name: str) -> None:
    """Raise `MetricInvalid` where one of the numbers is not from 0 to 1."""
    for place, number in enumerate(numbers, 1):
        if not 0 <= number <= 1:
            raise MetricInvalid(f"{name} {place} is {number}, not in 0..1")


def check_aligned(first: Sized, second: Sized, names: str) -> int:
    """Return how many items two lists have in common order; raise `MetricInvalid` where they are empty or differ in length."""
    if len(first) != len(second):
        raise MetricInvalid(f"{names} do not fit each other: {len(first)} and {len(second)} items")
    if not len(first):
        raise MetricInvalid(f"{names}: there is nothing to score")
    return len(first)
