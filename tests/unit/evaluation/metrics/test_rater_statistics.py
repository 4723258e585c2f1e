from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.rater_statistics import cohen_kappa, krippendorff_alpha, nominal_distance, ordinal_distance

# The example of Krippendorff (2011): four observers, twelve units, some of them not seen by all.
UNITS = [
    [1, 1, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [5, 5, 5], [1, 1], [3],
]  # fmt: skip


def squared(value: int, another: int, _: object) -> float:
    return float((value - another) ** 2)


@pytest.mark.parametrize(("distance", "alpha"), [(nominal_distance, 0.743), (ordinal_distance, 0.815), (squared, 0.849)])
def test_alpha_is_that_of_the_paper(distance: object, alpha: float) -> None:
    assert krippendorff_alpha(UNITS, distance) == pytest.approx(alpha, abs=0.0006)  # type: ignore[arg-type]


def test_alpha_of_nothing_to_compare_is_undefined() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[1], [2]]) is None
    assert krippendorff_alpha([[3, 3], [3, 3]]) is None


@given(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=4), min_size=1, max_size=8))
def test_alpha_does_not_depend_on_order_and_is_one_where_all_agree(units: list[list[int]]) -> None:
    alpha, turned = krippendorff_alpha(units), krippendorff_alpha([unit[::-1] for unit in units[::-1]])
    assert (alpha is None) is (turned is None)
    assert alpha is None or alpha == pytest.approx(turned)
    if alpha is not None and all(len(set(unit)) == 1 for unit in units):
        assert alpha == pytest.approx(1)


def test_kappa_is_agreement_beyond_chance() -> None:
    # Cohen (1960) by hand: 8 of 10 agree, chance alone would on half.
    assert cohen_kappa("yyyyynnnnn", "yyyynnnnny") == pytest.approx(0.6)
    assert cohen_kappa([3, 0], [3, 0]) == 1.0
    assert cohen_kappa([3, 3], [3, 3]) is None
    with pytest.raises(MetricInvalid):
        cohen_kappa([1], [1, 2])
