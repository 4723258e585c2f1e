"""Fit the weights by which a passage says yes or no to a question by their words.

    python scripts/fit/fit_whether.py ROWS.jsonl --out kgqa/readers/extractive/data/whether.json
    python scripts/fit/fit_whether.py ROWS.jsonl --held-out

Each line of the file is a row that scripts/training/train_reader.py makes: {"source", "part", "question", "passage",
"kind"}. The rows of
BoolQ's part "train" are fitted, ten times with a tenth of the passages left out to be measured on, then on all; `--held-out`
measures the shipped weights on the other part. What is written takes yes and no for as likely where the words say nothing: people
ask BoolQ's questions hoping for a yes, which says nothing of other people's.
"""

from __future__ import annotations

import argparse
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from kgqa.calibration.linear_model import FittedModel, write_fitted_model
from kgqa.readers.extractive.span_network import SHIPPED
from kgqa.readers.extractive.yes_no_model import load_yes_no_model, yes_no_features

RIDGE = 300.0
FOLDS = 10


def fitted(inputs: Any, yes: Any, ridge_weight: float = RIDGE) -> Any:
    """Return the weights and, last, the bias of a logistic regression, by Newton's method on standardised features."""
    mean, spread = inputs.mean(0), inputs.std(0) + 1e-9
    scaled = np.c_[(inputs - mean) / spread, np.ones(len(inputs))]
    weights, ridge = np.zeros(scaled.shape[1]), np.r_[np.full(inputs.shape[1], ridge_weight), 1e-8]
    for _ in range(8):
        chance = 1.0 / (1.0 + np.exp(-scaled @ weights))
        bent = (scaled * (chance * (1.0 - chance))[:, None]).T @ scaled + np.diag(ridge)
        weights -= np.linalg.solve(bent, scaled.T @ (chance - yes) + ridge * weights)
    plain = weights[:-1] / spread
    return np.r_[plain, weights[-1] - plain @ mean]


def auroc(chance: Any, yes: Any) -> float:
    """Return how often a row of "yes" is given more than one of "no"."""
    high, low = chance[yes == 1], chance[yes == 0]
    return float(((high[:, None] > low) + 0.5 * (high[:, None] == low)).mean())


def report(name: str, chance: Any, yes: Any) -> str:
    """Return the scores in a line, with 95 % bootstrap intervals."""
    dice = np.random.default_rng(1)
    drawn = [np.arange(len(yes)), *(dice.integers(0, len(yes), len(yes)) for _ in range(500))]
    right = (chance >= 0.5) == yes
    scores = np.array([[
        right[at].mean(), right[at].mean() - yes[at].mean(),
        (right[at][yes[at] == 1].mean() + right[at][yes[at] == 0].mean()) / 2, auroc(chance[at], yes[at]),
    ] for at in drawn])  # fmt: skip
    low, high = np.percentile(scores[1:], [2.5, 97.5], axis=0)
    named = zip(("accuracy", "over the majority", "balanced", "AUROC"), scores[0], low, high, strict=True)
    told = ", ".join(f"{what} {value:.3f} [{least:.3f}, {most:.3f}]" for what, value, least, most in named)
    return f"{name}: {len(yes)} rows, majority {yes.mean():.3f}; {told}; says no {np.mean(chance < 0.5):.3f}"


def main() -> None:
    """Fit and measure, or only measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--held-out", action="store_true")
    options = parser.parse_args()
    part = "held-out" if options.held_out else "train"
    lines = map(json.loads, options.rows.read_text(encoding="utf-8").splitlines())
    rows = [one for one in lines if one["source"] == "boolq" and one["part"] == part]
    yes = np.array([float(one["kind"] == "yes") for one in rows])
    if options.held_out:
        weights = load_yes_no_model(SHIPPED)
        if weights is None:
            raise SystemExit(f"no weights in {SHIPPED}; run with --out first")
        print(
            report(
                "held out", np.array([weights.probability(yes_no_features(one["question"], one["passage"])) for one in rows]), yes
            )
        )
        return
    found = [yes_no_features(one["question"], one["passage"]) for one in rows]
    names = sorted(set().union(*found))
    inputs = np.array([[one.get(name, 0.0) for name in names] for one in found])
    fold = np.array([zlib.crc32(one["passage"].encode()) % FOLDS for one in rows])
    chance = np.empty(len(yes))
    for left in range(FOLDS):
        weights = fitted(inputs[fold != left], yes[fold != left])
        chance[fold == left] = 1.0 / (1.0 + np.exp(-(inputs[fold == left] @ weights[:-1] + weights[-1])))
    print(report("cross-validated", chance, yes))
    if options.out:
        *each, bias = map(float, fitted(inputs, yes))
        bias -= float(np.log(yes.mean() / (1.0 - yes.mean())))
        model = FittedModel(
            "whether",
            {"": {name: round(weight, 6) for name, weight in zip(names, each, strict=True)}},
            {"": round(bias, 6)},
            f'{len(rows):,} yes/no questions of BoolQ (rows of the part "train")',
            "python scripts/fit/fit_whether.py ROWS.jsonl --out kgqa/readers/extractive/data/whether.json",
            {"auroc": round(auroc(chance, yes), 3), "accuracy": round(float(((chance >= 0.5) == yes).mean()), 3)},
        )
        write_fitted_model(options.out, model)


if __name__ == "__main__":
    main()
