"""Fit which number of a passage a phrase of a question means, on questions of sums, differences and remainders of DROP.

    python scripts/fit/fit_operands.py ../shared/data/reading/drop_dev_slice.tsv

The rows are the first half of the file. Nobody marked the operands: every way to choose numbers whose result is the answer counts
as right (marginal likelihood of a log-linear model over all ways, with a ridge).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from fit_numeric import rows_of

from kgqa.calibration.linear_model import fitted_model_path, load_fitted_model, write_fitted_model
from kgqa.readers.numeric.numeric_operations import operand_problem, operand_result
from kgqa.readers.numeric.numeric_question import parse_numeric_question
from kgqa.readers.numeric.operand_linking import OPERAND_LINKING, linked_ways
from kgqa.readers.numeric.operands import PassageNumbers

PRIOR = {"aligned": 2.5, "listed": 4.0, "own ahead, none behind": 1.5, "others ahead, none behind": -1.0}
"""The weights that are expected of features that few of the rows have: names and numbers in one construction, names ahead."""
RIDGE, RIDGE_OF_PRIOR, STEPS, RATE = 0.001, 0.05, 2000, 0.3


def main() -> None:
    """Read the rows, fit and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    rows = rows_of(options.file)
    fitted = fit(rows[: len(rows) // 2])
    print(json.dumps(fitted))


def problems(rows: list[tuple[str, str, str]]) -> list[tuple[list[dict[str, float]], np.ndarray]]:
    """Return the features of all ways of each question, and which of them come to the answer; without those where none does."""
    made = []
    for question, passage, gold in rows:
        wanted = parse_numeric_question(question)
        number = _number(gold)
        if wanted is None or number is None:
            continue
        numbers = PassageNumbers(passage)
        problem = operand_problem(wanted, numbers)
        if problem is None:
            continue
        ways = [
            way
            for members in problem.groups
            for way in linked_ways(problem.phrases, members, numbers, problem.wants, problem.shared)
        ]
        right = np.array([_agrees(operand_result(wanted, quantities), number) for quantities, _ in ways], dtype=bool)
        if ways and right.any() and not right.all():
            made.append(([features for _, features in ways], right))
    return made


def fit(rows: list[tuple[str, str, str]]) -> dict[str, float]:
    """Fit the weights, and write them."""
    data = problems(rows)
    names = sorted({name for ways, _ in data for name in ways[0]})
    arrays = [(np.array([[way[name] for name in names] for way in ways]), right) for ways, right in data]
    prior = np.array([PRIOR.get(name, 0.0) for name in names])
    ridge = np.array([RIDGE_OF_PRIOR if name in PRIOR else RIDGE for name in names])
    weights = prior.copy()
    momentum = np.zeros(len(names))
    for _ in range(STEPS):
        slope = -2 * ridge * (weights - prior)
        for features, right in arrays:
            scores = features @ weights
            share = np.exp(scores - scores.max())
            share /= share.sum()
            good = share * right
            good /= max(1e-12, good.sum())
            slope += (good - share) @ features / len(arrays) * 1.0
        momentum = 0.9 * momentum + slope
        weights += RATE * momentum
    hits = sum(bool(right[np.argmax(features @ weights)]) for features, right in arrays)
    print(f"{len(arrays)} questions, {hits} right")
    rounded = {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}
    made = load_fitted_model(OPERAND_LINKING)._replace(weights={"": rounded}, metrics={"questions": len(arrays), "right": hits})
    write_fitted_model(fitted_model_path(OPERAND_LINKING), made)
    return rounded


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").rstrip("%"))
    except ValueError:
        return None


def _agrees(result: float | None, number: float) -> bool:
    return result is not None and any(abs(result / scale - number) < 1e-6 * max(1.0, abs(number)) for scale in (1, 10**6, 10**9))


if __name__ == "__main__":
    main()
