"""Precision of the first five names of lists, from judged names.

    python scripts/judge/score_lists.py docs/judgements/lists-446.csv

Each column behind the verdict is an order, with the place at which it names something; the interval is that of the mean over the
questions, and of the difference to the first order question by question (bootstrap, 4,000 draws, seed 1).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from share_text import share

from kgqa.evaluation.metrics.score_intervals import Interval, bootstrap_mean

_WORTH: dict[str, Callable[[str], float]] = {
    "right": lambda verdict: verdict == "right",
    "right, partly half": lambda verdict: {"right": 1.0, "partly": 0.5, "wrong": 0.0}[verdict],
    "not wrong": lambda verdict: verdict != "wrong",
}
_FIRST = 5


def main(path: str) -> None:
    """Print a table: a line for each order and each way to count."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    orders = [name for name in rows[0] if name not in ("question", "phrase", "list", "name", "verdict")]
    questions = list(dict.fromkeys(row["question"] for row in rows))
    print(f"{len(rows)} judged names of {len(questions)} questions; precision of the first {_FIRST}, mean over the questions")
    for label, worth in _WORTH.items():
        scores = {order: [_precision(rows, one, order, worth) for one in questions] for order in orders}
        for order in orders:
            line = f"{label:20} {order:8} {_interval(scores[order])}"
            if order != orders[0]:
                pairs = [mine - first for mine, first in zip(scores[order], scores[orders[0]], strict=True)]
                found = _interval(pairs)
                line += f"  against {orders[0]} {found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
            print(line)
    for order in orders:
        firsts = [row["verdict"] == "right" for row in rows if row[order] == "1"]
        print(f"first name right     {order:8} {share(sum(firsts), len(firsts))}")


def _precision(rows: Sequence[dict[str, str]], question: str, order: str, worth: Callable[[str], float]) -> float:
    verdicts = [row["verdict"] for row in rows if row["question"] == question and row[order] and int(row[order]) <= _FIRST]
    return sum(map(worth, verdicts)) / len(verdicts)


def _interval(values: Sequence[float]) -> Interval:
    return bootstrap_mean(values, rounds=4_000, seed=1)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python scripts/judge/score_lists.py docs/judgements/lists-446.csv")
    main(sys.argv[1])
