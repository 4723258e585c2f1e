from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgqa.calibration.linear_model import (
    LOG_ODDS_BOUND,
    MODELS_FOLDER,
    FittedModel,
    LogisticModel,
    fitted_model_path,
    load_fitted_model,
    log_odds,
    logistic,
    read_fitted_model,
    softmax,
    softmax_array,
    write_fitted_model,
)
from kgqa.errors import FittedModelInvalid
from kgqa.readers.extractive.span_network import SHIPPED

MODEL = FittedModel("two", {"yes": {"a": 1.5}, "no": {"a": -1.5, "b": 2}}, {"yes": 0.5, "no": 0}, "ten rows", "python fit.py")
SCRIPTS = Path(__file__).parents[3] / "scripts"


@pytest.mark.parametrize("model", [MODEL, MODEL._replace(weights={"": {"a": 0.1}}, bias={"": 1}, parameters={"slope": 2})])
def test_what_is_written_is_read_back_equal(model: FittedModel, tmp_path: Path) -> None:
    write_fitted_model(tmp_path / "two.json", model)

    assert read_fitted_model(tmp_path / "two.json") == model


@pytest.mark.parametrize("path", [*sorted(MODELS_FOLDER.glob("*.json")), SHIPPED / "whether.json"], ids=lambda path: path.stem)
def test_a_shipped_model_has_its_files_name_and_a_command_that_exists(path: Path) -> None:
    model = read_fitted_model(path)

    assert model.name == path.stem
    assert model.fitted_on
    assert (SCRIPTS.parent / next(word for word in model.command.split() if word.endswith(".py"))).is_file()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "Expecting"),
        ("[]", "indices"),
        ('{"bias": 0}', "it has no 'weights'"),
        ('{"weights": {"a": 1}, "bias": 0}', "it has no 'name'"),
        ('{"weights": {"a": "1"}, "bias": 0}', "number|float"),
        ('{"weights": {"a": NaN}, "bias": 0}', "not finite"),
        ('{"weights": [1.0], "bias": 0}', "values"),
        ('{"weights": {"x": {"a": 1}}, "bias": {"y": 0}}', "not the same outputs"),
    ],
)
def test_a_damaged_file_is_named_with_its_fault(content: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)

    with pytest.raises(FittedModelInvalid, match=why) as raised:
        read_fitted_model(path)
    assert str(path) in str(raised.value)
    assert raised.value.remedy


def test_a_missing_model_is_named() -> None:
    with pytest.raises(FittedModelInvalid, match="no such file"):
        load_fitted_model("no_such_model")
    assert fitted_model_path("no_such_model").parent == MODELS_FOLDER


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
