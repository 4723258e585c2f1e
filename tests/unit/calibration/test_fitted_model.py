from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kgqa.calibration.fitted_model import (
    MODELS_FOLDER,
    FittedModel,
    fitted_model_path,
    load_fitted_model,
    read_fitted_model,
    write_fitted_model,
)
from kgqa.errors import FittedModelInvalid
from kgqa.readers.extractive.span_network import SHIPPED

MODEL = FittedModel("two", {"yes": {"a": 1.5}, "no": {"a": -1.5, "b": 2}}, {"yes": 0.5, "no": 0}, "ten rows", "python fit.py")
SCRIPTS = Path(__file__).parents[3] / "scripts"


@pytest.mark.parametrize("model", [MODEL, replace(MODEL, weights={"": {"a": 0.1}}, bias={"": 1}, parameters={"slope": 2})])
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
