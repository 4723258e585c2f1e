"""What the words of a question alone give away of its answer, and rows from which they give away little."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from reader.reader_rows import Row, plain

FOLDS = 5
ROUNDS, TRIMMED = 2, 0.08
"""How often the rows that give themselves away most are left out, and which part of all they are."""
_SMALL = frozenset(
    "a an the of in on at to for by with and or is are was were be been do does did has have "
    "had can will could must as from than "
    "it its that this there which who s".split()
)


def missing(row: Row) -> int:
    """Return how many words of a question, small ones aside, do not stand in the passage, at most 3; endings are cut off."""
    stems = {word[:5] for word in plain(row.passage).split()}
    return min(3, sum(word[:5] not in stems for word in plain(row.question).split() if word not in _SMALL))


def features(row: Row) -> list[str]:
    """Return what a shallow reader sees: the words, the first two, the overlap with the passage, words like "not" in it."""
    words = plain(row.question).split()
    denied = bool(re.search(r"\b(?:not|never|no)\b|n't\b", row.passage))
    pairs = [f"2 {' '.join(words[:2])}", f"overlap {missing(row)}", f"overlap {missing(row)} {words[0]}", f"denied {denied}"]
    return [*sorted(set(words)), *pairs, f"long {len(words) // 4}"]


def guesses(rows: Sequence[Row], seed: int = 7) -> np.ndarray:
    """Return how likely a logistic model over `features` holds "yes" of each row, trained on the folds that are without it."""
    counts = Counter(name for row in rows for name in features(row))
    places = {name: place for place, name in enumerate(sorted(name for name, count in counts.items() if count > 3))}
    width = max(len(features(row)) for row in rows)
    table = np.full((len(rows), width), len(places))
    for number, row in enumerate(rows):
        known = [places[name] for name in features(row) if name in places]
        table[number, : len(known)] = known
    labels = np.array([row.kind == "yes" for row in rows], dtype=float)
    # a passage is in one fold only
    folds = np.array([random.Random(f"{seed} {row.passage[:80]}").randrange(FOLDS) for row in rows])
    told = np.zeros(len(rows))
    for fold in range(FOLDS):
        weights = _fitted(table[folds != fold], labels[folds != fold], len(places), seed)
        told[folds == fold] = 1 / (1 + np.exp(-weights[table[folds == fold]].sum(1)))
    return told


def accuracy(rows: Sequence[Row], seed: int = 7) -> float:
    """Return how often the shallow model is right."""
    labels = np.array([row.kind == "yes" for row in rows])
    return float(((guesses(rows, seed) > 0.5) == labels).mean())


def evened(rows: Sequence[Row], count: int, seed: int = 7) -> list[Row]:
    """Return `count` rows at most: as many "yes" as "no" of like overlap, without those that give themselves away."""
    dice = random.Random(seed)
    left = list(rows)
    for _ in range(ROUNDS):
        told = guesses(left, seed)
        right = np.where([row.kind == "yes" for row in left], told, 1 - told)
        limit = np.quantile(right, 1 - TRIMMED)
        left = [row for row, sure in zip(left, right, strict=True) if sure <= limit]
    groups: defaultdict[tuple[int, str], dict[str, list[Row]]] = defaultdict(lambda: {"yes": [], "no": []})
    for row in left:
        groups[missing(row), row.question.split()[0]][row.kind].append(row)
    kept: list[Row] = []
    for _, group in sorted(groups.items()):
        size = min(map(len, group.values()))
        for answered in group.values():
            kept += dice.sample(answered, size)
    dice.shuffle(kept)
    return kept[:count]


def _fitted(table: np.ndarray, labels: np.ndarray, size: int, seed: int) -> np.ndarray:
    """Return the weights of a logistic model, the last of them the filler's, which is nothing; AdaGrad on batches."""
    weights, squares = np.zeros(size + 1), np.full(size + 1, 1e-6)
    order = np.random.default_rng(seed)
    for _ in range(12):
        for batch in np.array_split(order.permutation(len(labels)), max(1, len(labels) // 64)):
            error = 1 / (1 + np.exp(-weights[table[batch]].sum(1))) - labels[batch]
            slope = np.bincount(table[batch].ravel(), np.repeat(error, table.shape[1]), size + 1) / len(batch) + 1e-4 * weights
            slope[-1] = 0.0
            squares += slope**2
            weights -= 0.15 * slope / np.sqrt(squares)
    return weights
