"""Linear models: the logistic function, its inverse and the softmax, and fitted weights as files, of one JSON format.

The files are in models/, each named after its model (docs/adr/0029-fitted-models.md). A file is an object with the keys `name`;
`weights` by the names of the features, and `bias`, for a model with several outputs (classes, families, rules) an object with one
of each by the name of the output; `parameters` (optional), fitted numbers that are no weights, such as a temperature; and
`fitted_on`, `command`, `metrics`: the data, the command that fits the model again, and what was measured.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.errors import system_error_text
from kgqa.errors import FittedModelInvalid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOG_ODDS_BOUND = 30.0
"""The absolute value at which log-odds are cut off, so that no probability is exactly 0 or 1."""
PROBABILITY_CLIP = 0.01
"""The usual clip of a probability that is a feature: its log-odds stay within plus and minus 4.6."""


def logistic(score: float) -> float:
    """Return the probability (0..1) of log-odds, which are cut off at `LOG_ODDS_BOUND`."""
    return 1.0 / (1.0 + math.exp(-max(-LOG_ODDS_BOUND, min(LOG_ODDS_BOUND, score))))


def log_odds(probability: float, clip: float) -> float:
    """Return the log-odds of a probability, which is first clipped to `clip`..1 - `clip`.

    Raises `ValueError` or `ZeroDivisionError` for a probability of 0 or 1 where `clip` is 0.
    """
    probability = min(1.0 - clip, max(clip, probability))
    return math.log(probability / (1.0 - probability))


def softmax(scores: Sequence[float], temperature: float = 1.0) -> list[float]:
    """Return the softmax of at least one score: exp(score / temperature) as a share of the sum of all."""
    largest = max(scores)
    powers = [math.exp((score - largest) / temperature) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def softmax_array(logits: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the softmax of an array of logits, computed with 64 bits."""
    import numpy as np

    powers = np.exp(logits.astype(np.float64) - logits.max())
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares


def log_sum_exp(logs: Sequence[float]) -> float:
    """Return the logarithm of the sum of the numbers whose logarithms are `logs`."""
    greatest = max(logs)
    return greatest if math.isinf(greatest) else greatest + math.log(math.fsum(math.exp(value - greatest) for value in logs))


def log_softmax(scores: Sequence[float]) -> list[float]:
    """Return the logarithms of the softmax of scores; a score that is not finite counts as the least of the others."""
    least = min(filter(math.isfinite, scores), default=0.0)
    scores = [score if math.isfinite(score) else least for score in scores]
    total = log_sum_exp(scores)
    return [score - total for score in scores]


class LogisticModel(NamedTuple):
    """A logistic regression: the weight of each feature by name, and the bias."""

    weights: Mapping[str, float]
    bias: float = 0.0

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Return the bias plus the weighted sum of the features: a missing one is 0, one without a weight is ignored."""
        return self.bias + sum(weight * features.get(name, 0.0) for name, weight in self.weights.items())

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability (0..1) that the model gives to the features."""
        return logistic(self.log_odds(features))


MODELS_FOLDER = Path(__file__).with_name("models")
SINGLE_OUTPUT = ""
"""The key of the only output of a model whose file has no names of outputs."""


class FittedModel(NamedTuple):
    """A fitted linear model: for each output the weights of the features by name, and a bias."""

    name: str
    weights: Mapping[str, Mapping[str, float]]
    bias: Mapping[str, float]
    fitted_on: str
    command: str
    metrics: Mapping[str, Any] = {}
    parameters: Mapping[str, Any] = {}

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
            if not math.isfinite(math.fsum(row.values())) or not math.isfinite(bias[output]):
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
