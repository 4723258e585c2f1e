"""How far raters agree beyond chance: Cohen's kappa of two, Krippendorff's alpha of any number with gaps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import permutations

from kgqa.evaluation.metrics.metric_conventions import check_aligned

AlphaDistance = Callable[[int, int, Mapping[int, float]], float]
"""The squared distance of two values, given how often each value stands in all pairs."""


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa (1960) of the labels of two raters on the same items; `None` where chance alone would agree always."""
    total = check_aligned(first, second, "labels of two raters")
    agreed = sum(label == another for label, another in zip(first, second, strict=True)) / total
    counts, others = Counter(first), Counter(second)
    chance = sum(counts[label] * others[label] for label in counts) / total**2
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def nominal_distance(value: int, another: int, _counts: Mapping[int, float]) -> float:
    """Return 0 for equal values, else 1."""
    return float(value != another)


def ordinal_distance(value: int, another: int, counts: Mapping[int, float]) -> float:
    """Return the squared distance of two ranks: of all values between the two, the two themselves by half."""
    low, high = sorted((value, another))
    between = sum(count for rank, count in counts.items() if low <= rank <= high)
    return (between - (counts[low] + counts[high]) / 2) ** 2


def krippendorff_alpha(units: Sequence[Sequence[int]], distance: AlphaDistance = ordinal_distance) -> float | None:
    """Return Krippendorff's alpha of the values that raters gave each unit, in any number and order.

    `None` where no unit has two values, or all values are alike. Source: Krippendorff, Computing Krippendorff's alpha-reliability
    (2011), by the matrix of coincidences.
    """
    coincidences: defaultdict[tuple[int, int], float] = defaultdict(float)
    counts: defaultdict[int, float] = defaultdict(float)
    for values in units:
        for pair in permutations(values, 2):
            coincidences[pair] += 1 / (len(values) - 1)
            counts[pair[0]] += 1 / (len(values) - 1)
    total = sum(counts.values())
    expected = sum(counts[value] * counts[another] * distance(value, another, counts) for value in counts for another in counts)
    if not expected:
        return None
    observed = sum(weight * distance(*pair, counts) for pair, weight in coincidences.items())
    return 1 - (total - 1) * observed / expected
