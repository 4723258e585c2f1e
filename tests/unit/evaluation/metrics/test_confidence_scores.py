"""Intervals, significance, calibration, and what is gained by refusing."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.confidence_scores import (
    RiskPoint,
    aurc,
    auroc,
    brier,
    coverage_at,
    excess_aurc,
    expected_calibration_error,
    reliability,
    risk_curve,
)
from kgqa.evaluation.metrics.label_scores import Confusion, confusion
from kgqa.evaluation.metrics.score_intervals import (
    Interval,
    bootstrap,
    bootstrap_counts,
    bootstrap_mean,
    paired_difference,
    wilson,
)


def test_wilsons_interval_is_that_of_the_textbook() -> None:
    assert wilson(8, 10) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == 1.0


@pytest.mark.parametrize(("count", "total"), [(0, 0), (-1, 10), (11, 10)])
def test_what_is_no_share_has_no_interval(count: int, total: int) -> None:
    with pytest.raises(MetricInvalid, match=f"{count} of {total} is no share"):
        wilson(count, total)


def test_the_bootstrap_of_a_share_is_close_to_its_normal_interval() -> None:
    found = bootstrap_mean([1.0] * 300 + [0.0] * 700)
    assert found.value == pytest.approx(0.3)
    assert (found.low, found.high) == (pytest.approx(0.2716, abs=0.004), pytest.approx(0.3284, abs=0.004))
    assert found == bootstrap_mean([1.0] * 300 + [0.0] * 700)
    assert found != bootstrap_mean([1.0] * 300 + [0.0] * 700, seed=1)
    assert str(Interval(0.3, 0.27, 0.33)) == "0.300 [0.270, 0.330]"


def test_drawing_items_and_drawing_their_counts_give_the_same_interval() -> None:
    gold, said = [True] * 60 + [False] * 90, [True] * 40 + [False] * 100 + [True] * 10
    table = confusion(gold, said)

    def mcc(pairs: object) -> float:
        first, second = zip(*pairs, strict=True)  # type: ignore[call-overload]
        return confusion(first, second, (True, False)).mcc

    by_items = bootstrap(list(zip(gold, said, strict=True)), mcc)
    by_counts = bootstrap_counts(table.counts, lambda counts: Confusion(table.labels, counts).mcc)
    assert by_items.value == by_counts.value == table.mcc
    assert (by_items.low, by_items.high) == (pytest.approx(by_counts.low, abs=0.03), pytest.approx(by_counts.high, abs=0.03))


def test_ninety_five_in_a_hundred_intervals_hold_what_is_true() -> None:
    chance = random.Random(7)
    held = 0
    for trial in range(200):
        found = bootstrap_mean([float(chance.random() < 0.4) for _ in range(150)], rounds=300, seed=trial)
        held += found.low <= 0.4 <= found.high
    assert 180 <= held <= 198


def test_pairs_make_a_difference_surer() -> None:
    chance = random.Random(3)
    hard = [chance.random() for _ in range(400)]
    first, second = [one * 0.9 + 0.02 for one in hard], [one * 0.9 for one in hard]
    found = paired_difference(first, second)
    assert found.low == pytest.approx(0.02)
    assert found.high == pytest.approx(0.02)
    assert bootstrap_mean(first).low < bootstrap_mean(second).high


def test_nothing_has_no_interval() -> None:
    with pytest.raises(MetricInvalid, match="nothing to draw from"):
        bootstrap([], len)
    with pytest.raises(MetricInvalid, match="nothing to draw from"):
        bootstrap_counts({"a": 0}, lambda counts: 0.0)
    with pytest.raises(MetricInvalid, match="nothing to average"):
        bootstrap_mean([])
    with pytest.raises(MetricInvalid, match="1 and 2 items"):
        paired_difference([1.0], [1.0, 0.0])


def test_rounds_without_a_value_are_left_out() -> None:
    def one_if_any(drawn: Sequence[int]) -> float | None:
        return 1.0 if 1 in drawn else None

    assert bootstrap([1, 0, 0], one_if_any) == Interval(1.0, 1.0, 1.0)
    with pytest.raises(MetricInvalid, match="an interval needs a value"):
        bootstrap([0, 0], one_if_any)


CONFIDENCES = [0.9, 0.9, 0.9, 0.9, 0.6, 0.6, 0.2, 0.2, 0.2, 0.2]
RIGHT = [True, True, True, False, True, False, False, False, True, False]


def test_the_calibration_error_is_the_distance_of_bins_from_their_shares() -> None:
    expected = (4 * abs(0.9 - 0.75) + 2 * abs(0.6 - 0.5) + 4 * abs(0.2 - 0.25)) / 10
    assert expected_calibration_error(CONFIDENCES, RIGHT, bins=10) == pytest.approx(expected)
    assert expected_calibration_error(CONFIDENCES, RIGHT, bins=1) == pytest.approx(abs(sum(CONFIDENCES) - 5) / 10)


def test_bins_hold_about_as_many_answers_each_and_never_part_equal_confidences() -> None:
    bins = reliability(CONFIDENCES, RIGHT, bins=5)
    assert [(one.low, one.high, one.count) for one in bins] == [(0.2, 0.2, 4), (0.6, 0.6, 2), (0.9, 0.9, 4)]
    assert bins[0].confidence == pytest.approx(0.2)
    assert bins[0].right == Interval(0.25, *wilson(1, 4))
    spread = reliability([place / 1000 for place in range(1000)], [False] * 1000, bins=10)
    assert [one.count for one in spread] == [100] * 10


def test_the_brier_score_is_a_quarter_for_whoever_always_says_half() -> None:
    assert brier([0.5, 0.5], [True, False]) == 0.25
    assert brier([1.0, 0.0], [True, False]) == 0.0
    assert brier([1.0, 0.0], [False, True]) == 1.0


@pytest.mark.parametrize("confidence", [1.5, -0.1, float("nan")])
def test_a_confidence_beyond_its_range_is_told_by_its_place(confidence: float) -> None:
    with pytest.raises(MetricInvalid, match="confidence 2 is"):
        brier([0.5, confidence], [True, False])


def test_bins_must_be() -> None:
    with pytest.raises(MetricInvalid, match="0 bins"):
        reliability([0.5], [True], bins=0)


def test_risk_falls_as_fewer_questions_are_answered() -> None:
    points = risk_curve([0.9, 0.5, 0.7, 0.5], [0.0, 1.0, 0.0, 0.0])
    assert points == [RiskPoint(0.9, 0.25, 0.0), RiskPoint(0.7, 0.5, 0.0), RiskPoint(0.5, 1.0, 0.25)]
    assert coverage_at([0.9, 0.5, 0.7, 0.5], [0.0, 1.0, 0.0, 0.0], 0.1) == 0.5
    assert coverage_at([0.9, 0.5, 0.7, 0.5], [0.0, 1.0, 0.0, 0.0], 0.25) == 1.0
    assert coverage_at([0.9, 0.5], [1.0, 1.0], 0.5) == 0.0


def test_the_area_is_the_mean_risk_over_all_numbers_of_answers() -> None:
    confidences, losses = [0.9, 0.8, 0.7, 0.6], [0.0, 1.0, 0.0, 1.0]
    assert aurc(confidences, losses) == pytest.approx((0 + 1 / 2 + 1 / 3 + 2 / 4) / 4)
    best = (0 + 0 + 1 / 3 + 2 / 4) / 4
    assert excess_aurc(confidences, losses) == pytest.approx(aurc(confidences, losses) - best)
    assert excess_aurc([0.9, 0.1, 0.8, 0.2], losses) == 0.0


def test_a_confidence_that_is_always_the_same_has_the_overall_risk_as_its_area() -> None:
    assert aurc([0.5] * 5, [1.0, 0.0, 0.0, 1.0, 0.0]) == pytest.approx(0.4)


def test_the_area_under_the_roc_counts_pairs_in_the_right_order() -> None:
    assert auroc([0.9, 0.8, 0.3, 0.1], [True, False, True, False]) == 0.75
    assert auroc([0.9, 0.1], [True, False]) == 1.0
    assert auroc([0.5, 0.5, 0.5], [True, False, True]) == 0.5
    assert auroc([0.5, 0.7], [True, True]) is None


def test_losses_and_risks_beyond_their_range_are_refused() -> None:
    with pytest.raises(MetricInvalid, match="loss 1 is 2"):
        aurc([0.5], [2.0])
    with pytest.raises(MetricInvalid, match="risk 1 is 5"):
        coverage_at([0.5], [1.0], 5)
    with pytest.raises(MetricInvalid, match="not a number"):
        risk_curve([float("nan")], [1.0])
    with pytest.raises(MetricInvalid, match="nothing to score"):
        aurc([], [])
