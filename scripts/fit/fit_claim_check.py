"""Measure whether a light learned check tells right claims from wrong ones better than the prior of their rule does.

    python scripts/fit/fit_claim_check.py SAMPLE.jsonl ... --judgements JUDGEMENTS.csv ... [--strict] [--show 20]

SAMPLE.jsonl are lines of sample_claims.py, with their sentences. The check is a logistic regression over what can be seen of a
claim and its sentence, besides the log-odds of the rule's prior. Every figure is of claims that were held out: ten outer folds,
and in each five inner ones that choose the ridge penalty. Claims of one article are in one fold. What is printed is the gain over
the rule prior alone, with a paired bootstrap interval: a check is worth having only where that interval lies above 0.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from calibrate import RESAMPLED, auc, families, table
from judgements import PAIR_RIGHT, STRICTLY_RIGHT, Judgement, read_judgements
from numpy.typing import NDArray

from graph.belief.priors import Priors, posterior
from graph.text.word_lists import kind_of_noun
from kgqa.evaluation.metrics.confidence_scores import brier

Row = dict[str, Any]
Matrix = NDArray[np.float64]
OUTER, INNER = 10, 5
PENALTIES = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
_PRONOUN = re.compile(r"\b(?:it|its|this|these|that|those|they|their|he|she|his|her|which|who)\b", re.IGNORECASE)


def features(row: Row, family: str) -> dict[str, float]:
    """Return what can be seen of a claim when it is mined, each about 0..1: its words, its sentence, and how it was found."""
    sentence, cause, effect = row["sentence"], row["cause"], row["effect"]
    words = re.findall(r"[\w'-]+", sentence)
    lower = [word.lower() for word in words]
    heads = [name.split()[-1] for name in (cause, effect)]
    places = [lower.index(head) if head in lower else -1 for head in heads]
    found = {
        f"family {family}": 1.0,
        f"relation {row['relation']}": 1.0,
        f"polarity {row['polarity']}": 1.0,
        f"stance {row.get('stance', 'asserted')}": 1.0,
        f"cause is {kind_of_noun(heads[0]) or 'unknown'}": 1.0,
        f"effect is {kind_of_noun(heads[1]) or 'unknown'}": 1.0,
        "words in the sentence": min(len(words), 80) / 40,
        "commas": min(sentence.count(","), 6) / 3,
        "colons": float(any(sign in sentence for sign in ":;")),
        "brackets": float("(" in sentence),
        "quotes": float(any(sign in sentence for sign in '"“”')),
        "capitals": sum(word[0].isupper() for word in words[1:]) / max(len(words), 1),
        "digits": sum(word[0].isdigit() for word in words) / max(len(words), 1),
        "pronouns": min(len(_PRONOUN.findall(sentence)), 4) / 2,
        "words of the cause": min(len(cause.split()), 8) / 4,
        "words of the effect": min(len(effect.split()), 8) / 4,
        "cause of one word": float(" " not in cause),
        "effect of one word": float(" " not in effect),
        "a head is not in the sentence": float(min(places) < 0),
        "distance": min(abs(places[0] - places[1]), 40) / 20 if min(places) >= 0 else 0.5,
        "cause first": float(0 <= places[0] < places[1]),
    }
    return {name: value for name, value in found.items() if value}


class Check:
    """A logistic regression with a ridge penalty over named features; the rule's log-odds and the constant are not penalised."""

    def __init__(self, penalty: float) -> None:
        self.penalty = penalty
        self.names: list[str] = []
        self.weights: Matrix = np.zeros(2)

    def fit(self, seen: Sequence[dict[str, float]], offsets: Sequence[float], truth: Sequence[float]) -> Check:
        """Learn the weights by Newton's method."""
        self.names = sorted({name for one in seen for name in one})
        inputs, right = self._matrix(seen, offsets), np.asarray(truth, dtype=float)
        ridge = np.full(inputs.shape[1], self.penalty)
        ridge[:2] = 1e-3
        self.weights = np.zeros(inputs.shape[1])
        self.weights[1] = 1.0
        for _ in range(50):
            said = _logistic(inputs @ self.weights)
            slope = inputs.T @ (right - said) - ridge * self.weights
            curve = (inputs * (said * (1 - said))[:, None]).T @ inputs + np.diag(ridge)
            step = np.linalg.solve(curve, slope)
            self.weights += step
            if float(np.abs(step).max()) < 1e-6:
                break
        return self

    def predict(self, seen: Sequence[dict[str, float]], offsets: Sequence[float]) -> list[float]:
        """Return the probability that each claim is right."""
        return [float(one) for one in _logistic(self._matrix(seen, offsets) @ self.weights)]

    def _matrix(self, seen: Sequence[dict[str, float]], offsets: Sequence[float]) -> Matrix:
        columns = {name: place for place, name in enumerate(self.names, 2)}
        inputs = np.zeros((len(seen), len(columns) + 2))
        inputs[:, 0], inputs[:, 1] = 1.0, offsets
        for row, one in enumerate(seen):
            for name, value in one.items():
                if name in columns:
                    inputs[row, columns[name]] = value
        return inputs


def _logistic(values: Matrix) -> Matrix:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30, 30))))


@dataclass(frozen=True, slots=True)
class Learning:
    """The claims that a check is learnt from, by their places, the log-odds of their rules, and the priors for other claims."""

    places: tuple[int, ...]
    offsets: tuple[float, ...]
    priors: Priors


class Judged:
    """The judged claims with their features; a part of them is named by places."""

    def __init__(self, rows: Sequence[Row], judgements: Sequence[Judgement], accepted: frozenset[str]) -> None:
        known = families()
        self.accepted = accepted
        self.rows, self.judgements = rows, judgements
        self.seen = [features(row, known.get(row["rule"], "gone")) for row in rows]
        self.truth = [one.right(accepted) for one in judgements]
        self.folds = [zlib.crc32(row["title"].encode()) for row in rows]

    def priors(self, places: Sequence[int]) -> Priors:
        """Return the rule priors that some of the judgements make."""
        return posterior(table((self.judgements[place] for place in places), self.accepted))

    def offsets(self, places: Sequence[int], priors: Priors) -> list[float]:
        """Return the log-odds of the rules of some claims."""
        shares = (priors.rules.get(self.rows[place]["rule"], priors.default_precision) for place in places)
        return [math.log(share / (1 - share)) for share in shares]

    def learning(self, places: Sequence[int]) -> Learning:
        """Return what a check is learnt from; the log-odds of a claim's rule come from other folds, not from its own verdict."""
        priors = self.priors(places)
        own: dict[int, float] = {}
        for fold in range(INNER):
            held = [place for place in places if self.inner(place) == fold]
            others = self.priors([place for place in places if self.inner(place) != fold])
            own.update(zip(held, self.offsets(held, others), strict=True))
        return Learning(tuple(places), tuple(own[place] for place in places), priors)

    def inner(self, place: int) -> int:
        """Return the inner fold of a claim."""
        return self.folds[place] // OUTER % INNER

    def check(self, learning: Learning, penalty: float) -> Check:
        """Return a check that is learnt from some claims."""
        seen = [self.seen[place] for place in learning.places]
        return Check(penalty).fit(seen, learning.offsets, [self.truth[place] for place in learning.places])

    def chosen(self, places: Sequence[int]) -> float:
        """Return the penalty with the least Brier score over inner folds of some claims."""
        scores: defaultdict[float, float] = defaultdict(float)
        for fold in range(INNER):
            held = [place for place in places if self.inner(place) == fold]
            learning = self.learning([place for place in places if self.inner(place) != fold])
            for penalty in PENALTIES if held else ():
                said = self.said(learning, held, penalty)
                scores[penalty] += sum((one - self.truth[place]) ** 2 for one, place in zip(said, held, strict=True))
        return min(scores, key=lambda penalty: (scores[penalty], -penalty))

    def said(self, learning: Learning, held: Sequence[int], penalty: float) -> list[float]:
        """Return what a check says of claims that it was not learnt from."""
        seen = [self.seen[place] for place in held]
        return self.check(learning, penalty).predict(seen, self.offsets(held, learning.priors))


def measure(judged: Judged) -> None:
    """Print AUC and Brier score of the rule priors and of the check on held-out claims, and the gain."""
    prior, check = ([0.0] * len(judged.rows) for _ in range(2))
    for fold in range(OUTER):
        held = [place for place, number in enumerate(judged.folds) if number % OUTER == fold]
        learnt = [place for place, number in enumerate(judged.folds) if number % OUTER != fold]
        learning = judged.learning(learnt)
        for place, probability in zip(held, judged.said(learning, held, judged.chosen(learnt)), strict=True):
            prior[place] = learning.priors.rules.get(judged.rows[place]["rule"], learning.priors.default_precision)
            check[place] = probability
    truth = judged.truth
    for name, said in (("rule prior alone", prior), ("with the check", check)):
        print(f"{name}: AUC {auc(said, truth):.3f}, Brier {brier(said, truth):.4f}")
    chance, gains = random.Random(7), []
    for _ in range(RESAMPLED):
        drawn = chance.choices(range(len(truth)), k=len(truth))
        before, after, right = ([values[place] for place in drawn] for values in (prior, check, truth))
        gains.append((auc(after, right) - auc(before, right), brier(before, right) - brier(after, right)))
    for name, column in (("AUC", 0), ("Brier", 1)):
        ranked = sorted(gain[column] for gain in gains)
        low, high = ranked[int(0.025 * RESAMPLED)], ranked[int(0.975 * RESAMPLED)]
        print(f"gain in {name}: [{low:+.4f}, {high:+.4f}], {'above 0' if low > 0 else 'not surely above 0'}")


def main() -> None:
    """Read the arguments, measure, and show what weighs most."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=Path, nargs="+")
    parser.add_argument("--judgements", type=Path, nargs="+", required=True)
    parser.add_argument("--strict", action="store_true", help="a name with a word too many or too few is wrong")
    parser.add_argument("--show", type=int, default=12, help="how many weights to print")
    arguments = parser.parse_args()
    known = {one.hash: one for one in read_judgements(arguments.judgements)}
    lines = (json.loads(line) for path in arguments.samples for line in path.read_text(encoding="utf-8").splitlines())
    rows = [row for row in {row["hash"]: row for row in lines}.values() if row["hash"] in known]
    if len(rows) < OUTER * INNER:
        parser.error(f"{len(rows)} lines of the samples are judged; at least {OUTER * INNER} are needed")
    judgements = [Judgement(row["hash"], row["rule"], known[row["hash"]].verdicts, known[row["hash"]].stance) for row in rows]
    judged = Judged(rows, judgements, STRICTLY_RIGHT if arguments.strict else PAIR_RIGHT)
    print(f"{len(rows)} judged claims, {sum(judged.truth):g} right")
    measure(judged)
    everything = range(len(rows))
    penalty = judged.chosen(everything)
    check = judged.check(judged.learning(everything), penalty)
    ranked = sorted(zip(check.weights[2:], check.names, strict=True), key=lambda pair: -abs(pair[0]))
    print(f"penalty {penalty:g}; weights: " + ", ".join(f"{name} {weight:+.2f}" for weight, name in ranked[: arguments.show]))


if __name__ == "__main__":
    main()
