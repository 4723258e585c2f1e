from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgqa.calibration.logistic import LOG_ODDS_BOUND, LogisticModel, log_odds, logistic, softmax, softmax_array


@given(st.floats(-1e6, 1e6))
def test_a_probability_is_never_quite_0_or_1(score: float) -> None:
    assert 0.0 < logistic(score) < 1.0
    assert logistic(score) == logistic(max(-LOG_ODDS_BOUND, min(LOG_ODDS_BOUND, score)))


@given(st.floats(0.02, 0.98))
def test_log_odds_undo_the_logistic_function(probability: float) -> None:
    assert logistic(log_odds(probability, 0.01)) == pytest.approx(probability)


def test_log_odds_are_clipped_by_the_value_that_is_named() -> None:
    assert log_odds(0.0, 0.01) == log_odds(0.01, 0.01) == pytest.approx(math.log(1 / 99))
    assert log_odds(1.0, 0.001) == pytest.approx(math.log(999))


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8))
def test_both_softmaxes_agree_and_add_up_to_1(scores: list[float]) -> None:
    assert softmax(scores) == pytest.approx(softmax_array(np.array(scores)).tolist())
    assert sum(softmax(scores)) == pytest.approx(1.0)
    assert softmax([100 * score for score in scores], 100) == pytest.approx(softmax(scores))


def test_a_model_ignores_unknown_features_and_takes_missing_ones_for_0() -> None:
    model = LogisticModel({"belief": 2.0, "link": 1.0}, -1.0)

    assert model.log_odds({"belief": 0.5, "colour": 7.0}) == 0.0
    assert model.probability({"belief": 0.5}) == 0.5
