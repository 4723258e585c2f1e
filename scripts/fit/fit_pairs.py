"""Fit what tells whether a sentence states a claim that no rule proposes (graph/mining/pair_claims.py), and measure it.

    python scripts/fit/fit_pairs.py

docs/judgements/pair-sentences.tsv has pairs of phrases of one sentence, read by one reader: whether the sentence states that the
one brings the other about, with the judge's probability of it and of its reverse, whether a rule points from the one to the
other, and whether the cue is one of a rule of plain causing. Logistic regression with a penalty on squared weights; the printed
shares are cross-validated over ten parts, by article.
"""

from __future__ import annotations

import csv
import zlib
from pathlib import Path

import numpy as np

from kgqa.calibration.linear_model import log_odds

LABELS = Path(__file__).parents[2] / "docs/judgements/pair-sentences.tsv"
SAID = {"yes": 1.0, "partly": 0.5, "no": 0.0}
PENALTY, PARTS = 0.3, 10
CLIP = 0.02
"""The clip of the probabilities of the judge."""


def fitted(rows: np.ndarray, said: np.ndarray) -> np.ndarray:
    """Return the weights that maximise the penalised likelihood, by Newton's method; the intercept is free."""
    weights, penalty = np.zeros(rows.shape[1]), np.eye(rows.shape[1]) * PENALTY
    penalty[0, 0] = 0.0
    for _ in range(50):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (said - chances) - penalty @ weights
        weights = weights + np.linalg.solve((rows * (chances * (1 - chances))[:, None]).T @ rows + penalty, slope)
    return weights


def main() -> None:
    """Print the weights, and the share of pairs that are stated at several bounds."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    said = np.array([SAID[row["said"]] for row in labels])
    judged = ([log_odds(float(row[name]), CLIP) for name in ("right", "reverse")] for row in labels)
    rows = np.array([[1.0, *odds, float(row["ruled"]), float(row["causal"])] for odds, row in zip(judged, labels, strict=True)])
    parts = np.array([zlib.crc32(row["article"].encode()) % PARTS for row in labels])
    print(f"{len(labels)} pairs, {said.mean():.2f} stated; weights {fitted(rows, said).round(2).tolist()}")
    chances = np.zeros(len(labels))
    for part in range(PARTS):
        chances[parts == part] = 1 / (1 + np.exp(-rows[parts == part] @ fitted(rows[parts != part], said[parts != part])))
    for bound in (0.5, 0.6, 0.65, 0.7, 0.8):
        kept = chances >= bound
        print(f"{bound} or more: {said[kept].mean():.2f} of {kept.sum()}")


if __name__ == "__main__":
    main()
