"""Bootstrap and Wilson intervals of a score, and paired tests of two systems on the same items."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.metric_conventions import check_aligned, mean

if TYPE_CHECKING:
    from numpy.random import Generator


Item = TypeVar("Item")
Cell = TypeVar("Cell", bound=Hashable)
_ROUNDS, _LEVEL = 1_000, 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A score with the ends of its interval, `low <= value <= high`."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def wilson(count: float, total: float, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's score interval of a share (1927), within 0..1; `z` is the normal quantile.

    Raises `MetricInvalid` unless `0 <= count <= total` and there is an item.
    """
    if not 0 <= count <= total or total <= 0:
        raise MetricInvalid(f"{count} of {total} is no share")
    middle = count + z * z / 2
    spread = z * math.sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, (middle - spread) / (total + z * z)), min(1.0, (middle + spread) / (total + z * z))


def bootstrap_mean(scores: Sequence[float], *, rounds: int = _ROUNDS, seed: int = 0) -> Interval:
    """Return the mean of one or more scores with its interval, over items drawn with replacement (Efron 1979)."""
    value = mean(scores)
    return _percentiles(value, resampled_means(scores, rounds, seed))


def bootstrap(
    items: Sequence[Item],
    statistic: Callable[[Sequence[Item]], float | None],
    *,
    rounds: int = _ROUNDS,
    seed: int = 0,
) -> Interval:
    """Return a statistic of the items with its percentile interval; it is computed anew for each round's drawn items.

    For a statistic of few kinds of items, `bootstrap_counts` is much faster, for a mean `bootstrap_mean`. The interval is
    widened to hold the value itself where the percentiles of a statistic that is not linear do not. A round for whose items the
    statistic is `None`, undefined, is left out.
    """
    if not items:
        raise MetricInvalid("there is nothing to draw from")
    source = _generator(seed)
    count = len(items)
    drawn = [statistic([items[place] for place in source.integers(0, count, count).tolist()]) for _ in range(rounds)]
    return _percentiles(statistic(items), drawn)


def bootstrap_counts(counts: Mapping[Cell, int], statistic: Callable[[Mapping[Cell, int]], float | None]) -> Interval:
    """Return a statistic of counts, such as a `Confusion`'s, with its interval, as `bootstrap` of the items counted would."""
    total = sum(counts.values())
    if total <= 0 or min(counts.values()) < 0:
        raise MetricInvalid("there is nothing to draw from")
    cells, shares = list(counts), [count / total for count in counts.values()]
    rows = [tuple(row) for row in _generator(0).multinomial(total, shares, _ROUNDS).tolist()]
    # Of few items the same are drawn often.
    row_statistics = {row: statistic(dict(zip(cells, row, strict=True))) for row in set(rows)}
    return _percentiles(statistic(counts), [row_statistics[row] for row in rows])


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Interval:
    """Return by how much the first mean is higher than the second, with its interval; both score the same items in order.

    Each round draws items, not scores, so that what makes an item hard for both does not widen the interval.
    """
    check_aligned(first, second, "the scores of two systems")
    return bootstrap_mean([first_score - second_score for first_score, second_score in zip(first, second, strict=True)])


def resampled_means(scores: Sequence[float], rounds: int, seed: int) -> Sequence[float]:
    """Return the mean of each of so many samples of the scores, drawn with replacement, as many as there are."""
    import numpy

    if not scores:
        raise MetricInvalid("there is nothing to draw from")
    source, values = _generator(seed), numpy.asarray(scores, dtype=float)
    return [float(values[source.integers(0, len(values), len(values))].mean()) for _ in range(rounds)]


def _generator(seed: int) -> Generator:
    import numpy

    return numpy.random.default_rng(seed)


def _percentiles(value: float | None, drawn: Sequence[float | None]) -> Interval:
    ordered = sorted(float(sample) for sample in drawn if sample is not None)
    if value is None or not ordered:
        raise MetricInvalid(
            f"an interval needs a value, a level between 0 and 1 and rounds, not {value}, {_LEVEL} and {len(ordered)}"
        )
    outside = math.floor(len(ordered) * (1 - _LEVEL) / 2)
    return Interval(float(value), min(float(value), ordered[outside]), max(float(value), ordered[-1 - outside]))
