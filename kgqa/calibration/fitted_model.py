"""Fitted weights as files: one JSON format for every linear model of kgqa, one reader and one writer.

The files are in models/, each named after its model (docs/adr/0029-fitted-models.md). A file is an object with the keys `name`;
`weights` by the names of the features, and `bias`, for a model with several outputs (classes, families, rules) an object with one
of each by the name of the output; `parameters` (optional), fitted numbers that are no weights, such as a temperature; and
`fitted_on`, `command`, `metrics`: the data, the command that fits the model again, and what was measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import fsum, isfinite
from pathlib import Path
from typing import Any

from graph.errors import system_error_text
from kgqa.calibration.logistic import LogisticModel
from kgqa.errors import FittedModelInvalid

MODELS_FOLDER = Path(__file__).with_name("models")
SINGLE_OUTPUT = ""
"""The key of the only output of a model whose file has no names of outputs."""


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A fitted linear model: for each output the weights of the features by name, and a bias."""

    name: str
    weights: Mapping[str, Mapping[str, float]]
    bias: Mapping[str, float]
    fitted_on: str
    command: str
    metrics: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def logistic(self, output: str = SINGLE_OUTPUT) -> LogisticModel:
        """Return the logistic model of one output."""
        return LogisticModel(self.weights[output], self.bias[output])


@cache
def load_fitted_model(name: str) -> FittedModel:
    """Return the model of a name in models/, read once; raises `FittedModelInvalid`."""
    return read_fitted_model(fitted_model_path(name))


def fitted_model_path(name: str) -> Path:
    """Return the file of a model in models/."""
    return MODELS_FOLDER / f"{name}.json"


def read_fitted_model(path: Path) -> FittedModel:
    """Return the model of a file; raises `FittedModelInvalid`, which names the file and the fault."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        weights, bias = table["weights"], table["bias"]
        if not isinstance(bias, dict):
            weights, bias = {SINGLE_OUTPUT: weights}, {SINGLE_OUTPUT: bias}
        if not weights or weights.keys() != bias.keys():
            raise ValueError("'weights' and 'bias' have not the same outputs")
        for output, row in weights.items():
            if not isfinite(fsum(row.values())) or not isfinite(bias[output]):
                raise ValueError(f"a number{f' of {output!r}' if output else ''} is not finite")
        name, fitted_on, command = (str(table[key]) for key in ("name", "fitted_on", "command"))
        return FittedModel(name, weights, bias, fitted_on, command, table.get("metrics", {}), table.get("parameters", {}))
    except OSError as error:
        raise FittedModelInvalid(path, system_error_text(error)) from error
    except KeyError as error:
        raise FittedModelInvalid(path, f"it has no {error}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise FittedModelInvalid(path, str(error)) from error


def write_fitted_model(path: Path, model: FittedModel) -> None:
    """Write a model to a file, in the format that `read_fitted_model` reads."""
    single = tuple(model.weights) == (SINGLE_OUTPUT,)
    facts = {"name": model.name, "fitted_on": model.fitted_on, "command": model.command, "metrics": model.metrics}
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()]
    for key, by_output in (("weights", model.weights), ("bias", model.bias)):
        rows = ",\n  ".join(f"{json.dumps(output)}: {json.dumps(row)}" for output, row in by_output.items())
        lines.append(f'"{key}": {json.dumps(by_output[SINGLE_OUTPUT])}' if single else f'"{key}": {{\n  {rows}\n }}')
    if model.parameters:
        lines.append(f'"parameters": {json.dumps(model.parameters)}')
    body = ",\n ".join(lines)
    path.write_text(f"{{\n {body}\n}}\n", encoding="utf-8")
