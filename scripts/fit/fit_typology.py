"""Train the linear models of the typology on labelled questions, and measure them.

    python scripts/fit/fit_typology.py --data ../shared/data --write         writes the models question_*.json
    python scripts/fit/fit_typology.py --data ../shared/data                 five-fold cross-validation on the 640
    python scripts/fit/fit_typology.py --data ../shared/data --test FILE.csv scores what is written on other labels, once
    python scripts/fit/fit_typology.py --data ../shared/data --hold-out 4    the same mode, tried on a fifth of the 640

Labels are files of `id,semantic,pragmatic,attributes` (docs/judgements/questions.md), whose ids name lines of the files under
--data. Trained on are questions-640.csv, questions-more.csv (labelled by one reader, many of them because an earlier model was
unsure), questions-written.csv (written for this, with half the weight; and the twenty examples of the paper, with three times),
and, for the semantic class only, the examples of the rules (with a third). What is held out is always part of the 640; the others
are only ever trained on. A model is a multinomial logistic regression over the features of
kgqa/questions/question_features.py with L1 and
L2 penalties, fitted by accelerated proximal gradient from zero, so that the same files give
the same weights. Shares come with Wilson's 95 % intervals.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from numpy.typing import NDArray
from sample_questions import questions
from share_text import share

from kgqa.calibration.linear_model import fitted_model_path, load_fitted_model, write_fitted_model
from kgqa.question import Pragmatic, Semantic
from kgqa.questions.classifier import (
    NOT_CAUSAL,
    LinearClassifier,
    decide_pragmatic,
    decide_semantic,
    linear_classifier,
    with_decided_class,
)
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.questions.question_rules import lexical_matches, question_rules
from kgqa.questions.slots import ParsedQuestion, parse_question

ROOT = Path(__file__).parents[2]
LABELS = ROOT / "docs/judgements"
UNIT = 100
"""Weights are whole numbers: log-odds times this, which is the temperature of the softmax over their sums."""
FOLDS, SEED, STEPS, LEAST = 5, 6, 200, 2
L1, L2 = 0.3, 1.0
SOURCES, EXAMPLES = {"written": 0.5, "paper": 3.0}, 0.3
SCALES = {"word": 0.6, "pair": 0.5, "ending": 0.6, "start": 0.8, "end": 0.6}
"""Features of which there are many weigh less, so that the penalties hold them back more."""
SUBTYPES = {
    "solution/problem-practical": Pragmatic.PROBLEM_PRACTICAL,
    "solution/problem-medical": Pragmatic.PROBLEM_MEDICAL,
    "solution/prevention-medical": Pragmatic.PREVENTION_MEDICAL,
    "solution/prevention-societal": Pragmatic.PREVENTION_SOCIETAL,
    "solution/coping-mental": Pragmatic.COPING_MENTAL,
    "solution/coping-anger": Pragmatic.COPING_ANGER,
    "knowledge/physical-world": Pragmatic.PHYSICAL_WORLD,
    "knowledge/politics-history": Pragmatic.POLITICS_HISTORY,
    "knowledge/language": Pragmatic.LANGUAGE,
    "knowledge/trivia": Pragmatic.TRIVIA,
    "opinion/social": Pragmatic.SOCIAL_ISSUES,
    "opinion/entertainment": Pragmatic.ENTERTAINMENT,
    "opinion/rational-future": Pragmatic.RATIONAL_FUTURE,
    "opinion/irrational-future": Pragmatic.IRRATIONAL_FUTURE,
}
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled question; its classes are empty where nobody gave them."""

    question: str
    semantic: str
    pragmatic: str
    weight: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A question as the rules read it, with its features."""

    row: Row
    reading: ParsedQuestion | None
    features: frozenset[str]

    def pragmatic_features(self) -> frozenset[str]:
        """Return the features that the pragmatic model is trained on: those of the labelled class."""
        return with_decided_class(self.features, self.row.semantic)


def main() -> None:
    """Train and write, cross-validate, or test."""
    options = argparse.ArgumentParser(description="train and measure the typology's linear models")
    options.add_argument("--data", type=Path, required=True, help="the folder that the ids name files of")
    what = options.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="train on everything and write the models")
    what.add_argument("--test", type=Path, help="labels to score what is written on")
    what.add_argument("--hold-out", type=int, choices=range(FOLDS), help="train without this fold of the 640 and score on it")
    options.add_argument("--misses", type=int, default=0, help="print so many questions of which the semantic class is wrong")
    arguments = options.parse_args()
    texts = {key: " ".join(text.split()) for _, key, text in questions(arguments.data)}
    if arguments.test:
        start = time.perf_counter()
        rows = list(labelled(arguments.test, texts))
        shipped = {name: linear_classifier(name) for name in ("semantic", "pragmatic")}
        report([judged(row, shipped) for row in rows], arguments.misses)
        print(f"\n{len(rows)} questions in {time.perf_counter() - start:.1f} s")
        return
    main_rows = [seen(row) for row in labelled(LABELS / "questions-640.csv", texts)]
    other_rows = [seen(row) for row in (*labelled(LABELS / "questions-more.csv", texts), *written(), *examples())]
    if arguments.write:
        for name, made in trained([*main_rows, *other_rows]).items():
            path = fitted_model_path(f"question_{name}")
            write_fitted_model(path, load_fitted_model(path.stem)._replace(weights=made.weights, bias=made.bias))
            print(f"{path.name}: {len(set().union(*made.weights.values()))} features, {path.stat().st_size / 1000:.0f} KB")
        return
    folds = np.random.RandomState(SEED).permutation(len(main_rows)) % FOLDS
    results: list[Judged] = []
    for fold in range(FOLDS) if arguments.hold_out is None else [arguments.hold_out]:
        tried = trained([*(row for row, at in zip(main_rows, folds, strict=True) if at != fold), *other_rows])
        results += [judged(row.row, tried) for row, at in zip(main_rows, folds, strict=True) if at == fold]
    report(results, arguments.misses)


def labelled(path: Path, texts: dict[str, str]) -> Iterator[Row]:
    """Yield the questions of a file of labels."""
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield Row(texts[row["id"]], _causal(row["semantic"]), _subtype(row["pragmatic"]), 1.0)


def written() -> Iterator[Row]:
    """Yield the questions that were written for training."""
    with (LABELS / "questions-written.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield Row(row["question"], _causal(row["semantic"]), _subtype(row["pragmatic"]), SOURCES[row["source"]])


def examples() -> Iterator[Row]:
    """Yield the examples of the rules, which have a semantic class alone."""
    for rule in question_rules():
        for example in rule.examples:
            yield Row(example["question"], str(example.get("semantic", rule.semantic) or NOT_CAUSAL), "", EXAMPLES)


def _causal(label: str) -> str:
    return NOT_CAUSAL if label in ("none", "manner") else label


def _subtype(label: str) -> str:
    return str(SUBTYPES[label]) if label in SUBTYPES else ""


def seen(row: Row) -> Seen:
    """Return a question with its features."""
    words, reading = parse_question(" ".join(row.question.split()), parse_conditional(row.question))
    return Seen(row, reading, decide_semantic(words, reading, lexical_matches(row.question)).features)


def trained(rows: Sequence[Seen]) -> dict[str, LinearClassifier]:
    """Return both models, trained on `rows`."""
    causal = [row for row in rows if row.row.pragmatic]
    return {
        "semantic": model(
            [row.features for row in rows], [row.row.semantic for row in rows], [*map(str, Semantic), NOT_CAUSAL], weights(rows)
        ),
        "pragmatic": model(
            [row.pragmatic_features() for row in causal],
            [row.row.pragmatic for row in causal],
            [*map(str, Pragmatic)],
            weights(causal),
        ),
    }


def weights(rows: Sequence[Seen]) -> Matrix:
    """Return what each question counts."""
    return np.array([row.row.weight for row in rows])


def model(features: Sequence[frozenset[str]], labels: Sequence[str], classes: Sequence[str], weight: Matrix) -> LinearClassifier:
    """Return a model of whole numbers."""
    counts = Counter(name for some in features for name in some)
    names = sorted(name for name, count in counts.items() if count >= LEAST and name.isprintable())
    places = {name: place for place, name in enumerate(names)}
    scales = np.array([SCALES.get(name.split()[0], 1.0) for name in names])
    matrix = np.zeros((len(features), len(names)))
    for at, some in enumerate(features):
        matrix[at, [places[name] for name in some if name in places]] = 1
    found, constants = fit(matrix * scales, np.array([classes.index(label) for label in labels]), len(classes), weight)
    rounded = np.rint(found * scales[:, None] * UNIT).astype(int)
    rows = [{name: int(value) for name, value in zip(names, column, strict=True) if value} for column in rounded.T]
    bias = [round(float(value) * UNIT) for value in constants]
    return LinearClassifier(dict(zip(classes, rows, strict=True)), dict(zip(classes, bias, strict=True)), UNIT)


def fit(matrix: Matrix, labels: NDArray[np.int64], classes: int, weight: Matrix) -> tuple[Matrix, Matrix]:
    """Return weights and constants of a multinomial logistic regression (FISTA; Beck and Teboulle 2009)."""
    wanted = np.eye(classes)[labels]
    root = np.sqrt(weight)[:, None]
    step = 1 / (0.5 * np.linalg.norm(np.hstack([matrix, np.ones((len(matrix), 1))]) * root, 2) ** 2 + L2)
    found = ahead = np.zeros((matrix.shape[1], classes))
    constants = constants_ahead = np.zeros(classes)
    momentum = 1.0
    for _ in range(STEPS):
        scores = matrix @ ahead + constants_ahead
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        gap = (chances - wanted) * weight[:, None]
        moved = ahead - step * (matrix.T @ gap + L2 * ahead)
        new = np.sign(moved) * np.maximum(np.abs(moved) - step * L1, 0)
        new_constants = constants_ahead - step * gap.sum(axis=0)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / following * (new - found)
        constants_ahead = new_constants + (momentum - 1) / following * (new_constants - constants)
        found, constants, momentum = new, new_constants, following
    return found, constants


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's labels, what the rules alone say, and what the typology says."""

    row: Row
    ruled: str
    semantic: str
    confidence: float
    intent: str
    subtype: str
    likeliest: str
    chance: float


def judged(row: Row, models: Mapping[str, LinearClassifier]) -> Judged:
    """Return what the typology says of a question; its pragmatic class also where it calls the question not causal."""
    words, reading = parse_question(" ".join(row.question.split()), parse_conditional(row.question))
    decision = decide_semantic(words, reading, lexical_matches(row.question), models["semantic"])
    wanted = decide_pragmatic(decision.features, decision.semantic or Semantic.CAUSE, models["pragmatic"])
    ruled = str(reading.semantic or NOT_CAUSAL) if reading else NOT_CAUSAL
    likeliest, chance = wanted.scores[0]
    semantic = str(decision.semantic or NOT_CAUSAL)
    return Judged(
        row, ruled, semantic, decision.confidence, str(wanted.intent or "-"), str(wanted.subtype or "-"), likeliest, chance
    )


def report(rows: Sequence[Judged], misses: int) -> None:
    """Print the tables."""
    causal = [row for row in rows if row.row.semantic != NOT_CAUSAL]
    marked = [row for row in causal if row.row.pragmatic]
    print(f"{len(rows)} questions, {len(causal)} of them causal\n")
    print("| causal or not | precision | recall | F1 | accuracy |\n|---|---|---|---|---|")
    for name, said in (
        ("always causal", [True for _ in rows]),
        ("R1 to R7 as printed", [bool(lexical_matches(row.row.question)) for row in rows]),
        ("rules alone", [row.ruled != NOT_CAUSAL for row in rows]),
        ("rules and model", [row.semantic != NOT_CAUSAL for row in rows]),
    ):
        print(f"| {name} | {' | '.join(detection(said, [row.row.semantic != NOT_CAUSAL for row in rows]))} |")
    print("\n| semantic class, causal questions | accuracy | macro F1 |\n|---|---|---|")
    gold = [row.row.semantic for row in causal]
    for name, guesses in (
        ("majority", [Counter(gold).most_common(1)[0][0]] * len(gold)),
        ("rules alone", [row.ruled for row in causal]),
        ("rules and model", [row.semantic for row in causal]),
    ):
        print(f"| {name} | {accuracy(guesses, gold)} | {macro(guesses, gold):.3f} |")
    print("\n| pragmatic class, causal questions | accuracy | macro F1 |\n|---|---|---|")
    intents = [str(Pragmatic(row.row.pragmatic).intent) for row in marked]
    subtypes = [row.row.pragmatic for row in marked]
    for name, guesses, wanted in (
        ("intent: majority", [Counter(intents).most_common(1)[0][0]] * len(intents), intents),
        ("intent: model", [row.intent for row in marked], intents),
        ("subtype: majority", [Counter(subtypes).most_common(1)[0][0]] * len(subtypes), subtypes),
        ("subtype: model", [row.likeliest for row in marked], subtypes),
    ):
        print(f"| {name} | {accuracy(guesses, wanted)} | {macro(guesses, wanted):.3f} |")
    told = [row for row in marked if row.subtype != "-"]
    right = sum(row.subtype == row.row.pragmatic for row in told)
    print(f"\nsubtype told for {share(len(told), len(marked))}, right in {share(right, len(told))}")
    print("\n| confidence | questions | semantic right | mean confidence |\n|---|---|---|---|")
    for low, high in ((0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        some = [row for row in rows if low <= row.confidence < high]
        if some:
            right = sum(row.semantic == row.row.semantic for row in some)
            mean = sum(row.confidence for row in some) / len(some)
            print(f"| {low} to {min(high, 1.0)} | {len(some)} | {share(right, len(some))} | {mean:.2f} |")
    print("\nconfusions, labelled then said:")
    for pairs in (
        Counter((row.row.semantic, row.semantic) for row in rows if row.row.semantic != row.semantic),
        Counter((row.row.pragmatic, row.likeliest) for row in marked if row.row.pragmatic != row.likeliest),
    ):
        print("; ".join(f"{one} / {other} {count}" for (one, other), count in pairs.most_common(8)))
    for row in [row for row in rows if row.semantic != row.row.semantic][:misses]:
        print(f"- {row.row.question[:120]} | {row.row.semantic} | {row.semantic} {row.confidence:.2f}, rules {row.ruled}")


def detection(said: Sequence[bool], gold: Sequence[bool]) -> list[str]:
    """Return precision, recall, F1 and accuracy."""
    both = sum(one and other for one, other in zip(said, gold, strict=True))
    right = sum(one == other for one, other in zip(said, gold, strict=True))
    f1 = 2 * both / max(sum(said) + sum(gold), 1)
    return [share(both, max(sum(said), 1)), share(both, max(sum(gold), 1)), f"{f1:.3f}", share(right, len(gold))]


def accuracy(guesses: Sequence[str], gold: Sequence[str]) -> str:
    """Return the share of guesses that are right."""
    return share(sum(one == other for one, other in zip(guesses, gold, strict=True)), len(gold))


def macro(guesses: Sequence[str], gold: Sequence[str]) -> float:
    """Return the mean F1 of the classes that are labelled."""
    scores = []
    for name in sorted(set(gold)):
        both = sum(one == other == name for one, other in zip(guesses, gold, strict=True))
        scores.append(2 * both / (list(guesses).count(name) + list(gold).count(name)))
    return sum(scores) / len(scores)


if __name__ == "__main__":
    main()
