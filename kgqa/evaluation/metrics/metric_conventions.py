"""The two forms of a metric, the checks of its input, and averages over items, parts and data sets (M8, M12)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sized
from typing import Literal, get_args

from kgqa.errors import MetricInvalid

MetricForm = Literal["strict", "released"]
METRIC_FORMS: tuple[MetricForm, ...] = get_args(MetricForm)


def is_released_form(form: str) -> bool:
    """Return whether the form is "released"; raise `MetricInvalid` where it is neither of the two."""
    if form not in METRIC_FORMS:
        raise MetricInvalid(f"no form '{form}' of a metric: it is strict or released")
    return form == "released"


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


def mean(scores: Collection[float]) -> float:
    """Return the mean of one or more scores, the same in every order of them."""
    if not scores:
        raise MetricInvalid("there is nothing to average")
    return math.fsum(scores) / len(scores)


def mean_of_both_parts(presupposition: float, correction: float) -> float:
    """Return M8, the mean of the scores of presuppositions and corrections (CREPE, tables 5 and 6, column A)."""
    return (presupposition + correction) / 2


def macro_average(by_set: Mapping[str, float]) -> float:
    """Return the plain mean over data sets, each counting alike (M12; CausalQA, table 4)."""
    return mean(by_set.values())


def micro_average(by_set: Mapping[str, float], counts: Mapping[str, int]) -> float:
    """Return the mean over data sets weighted by how many questions each has (M12; CausalQA, table 4).

    Raises `MetricInvalid` where a set has no count, or all of them are 0.
    """
    lost = sorted(set(by_set) - set(counts))
    if lost:
        raise MetricInvalid(f"no number of questions for {', '.join(lost)}")
    total = sum(counts[name] for name in by_set)
    if total <= 0 or min(counts[name] for name in by_set) < 0:
        raise MetricInvalid("the numbers of questions must be at least 0, and one of them more")
    return math.fsum(score * counts[name] for name, score in by_set.items()) / total
