"""Fit how the reader, the evidence model and what is stated are weighed for a yes or no from passages.

    python scripts/fit/fit_passage_verdict.py TABLE.tsv ... [--words TABLE.tsv ...] [--natural TABLE.tsv ...] [--supposing]

A table has the columns kind, passage, question, answer; rows with another answer than yes or no are left out. Those with an "if"
fit, with `--supposing`, the output for what is supposed, which stays as it is without. First the words of question and passage
are fitted, on these rows and those of `--words`, and then all signals, the words by weights fitted without the same passage.
The rows must not be such that the reader or the evidence model was trained on, but those of `--words` may be. Those of
`--natural`, which are few and like what people ask, count three times. What is printed is cross-validated.
"""

from __future__ import annotations

import argparse
import csv
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from fit_whether import auroc, fitted

from kgqa.calibration.linear_model import FittedModel, LogisticModel, fitted_model_path, load_fitted_model, write_fitted_model
from kgqa.passages.passage_verdict import (
    PASSAGE_VERDICT,
    PLAIN,
    SUPPOSED,
    WORDS,
    plain_signals,
    question_of_fact,
    supposed_signals,
)
from kgqa.presuppositions.evidence_model import shipped_evidence_model
from kgqa.questions.classifier import classify
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.readers.extractive.extractive_reader import make_extractive_reader
from kgqa.readers.extractive.yes_no_model import yes_no_features
from kgqa.readers.reader import Passage

RIDGE, WORDS_RIDGE = 3.0, 300.0
FOLDS = 5
SIGNALS = ("words", "reader", "evidence", "says yes", "says link", "says no", "denies link")
FEATURES = {PLAIN: SIGNALS, SUPPOSED: ("reader", "evidence", "says yes", "says no", "may")}


class LabelledRow(NamedTuple):
    """A question of a table, its passage, whether the answer is yes, and how often it counts."""

    question: str
    text: str
    yes: bool
    times: int = 1

    @property
    def fold(self) -> int:
        """The part of the rows that is fitted without those of its passage."""
        return zlib.crc32(self.text.encode()) % FOLDS


def labelled_rows(paths: Sequence[Path], times: int = 1) -> list[LabelledRow]:
    """Return the rows of tables whose answer is yes or no."""
    csv.field_size_limit(10**9)
    rows: list[LabelledRow] = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                answer = re.split(r"[|,(]", row["answer"])[0].strip(" .").lower()
                if answer in ("yes", "no"):
                    rows.append(LabelledRow(row["question"], row["passage"], answer == "yes", times))
    return rows


def fit_words(rows: Sequence[LabelledRow]) -> list[LogisticModel]:
    """Return the weights of words fitted without each fold, and last those of all rows without an "if"."""
    plain = [row for row in rows if not parse_conditional(row.question)]
    found = [yes_no_features(row.question, row.text) for row in plain]
    names = sorted(set().union(*found))
    inputs = np.array([[each.get(name, 0.0) for name in names] for each in found])
    yes, folds = np.array([float(row.yes) for row in plain]), np.array([row.fold for row in plain])
    models = []
    for fold in range(FOLDS + 1):
        *each, bias = map(float, fitted(inputs[folds != fold], yes[folds != fold], WORDS_RIDGE))
        models.append(LogisticModel({name: round(weight, 6) for name, weight in zip(names, each, strict=True)}, round(bias, 6)))
    return models


def main() -> None:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--words", type=Path, nargs="*", default=[])
    parser.add_argument("--natural", type=Path, nargs="*", default=[])
    parser.add_argument("--supposing", action="store_true")
    options = parser.parse_args()
    reader, evidence = make_extractive_reader(), shipped_evidence_model()
    rows = [*labelled_rows(options.tables), *labelled_rows(options.natural, 3)]
    words = fit_words([*rows, *labelled_rows(options.words)])
    labelled: dict[str, list[tuple[Mapping[str, float], LabelledRow]]] = {PLAIN: [], SUPPOSED: []}
    for row in rows:
        conditional, passages = parse_conditional(row.question), [Passage(row.text)]
        if conditional is not None and conditional.main:
            if not options.supposing:
                continue
            output, reading = SUPPOSED, supposed_signals(conditional, passages, reader, evidence)
            fact = question_of_fact(conditional)
        else:
            fact, output = row.question, PLAIN
            read = reader.read(row.question, passages)
            reading = plain_signals(row.question, classify(row.question), passages, read, evidence)
        own = words[row.fold].log_odds(yes_no_features(fact, row.text))
        labelled[output].append(({**reading.signals, "words": own}, row))
    before = load_fitted_model(PASSAGE_VERDICT)
    weights: dict[str, Mapping[str, float]] = {**before.weights, WORDS: words[-1].weights}
    bias: dict[str, float] = {**before.bias, WORDS: words[-1].bias}
    metrics: dict[str, Any] = {}
    for output, pairs in labelled.items():
        if output == SUPPOSED and not options.supposing:
            continue
        names, folds = FEATURES[output], np.array([row.fold for _, row in pairs])
        inputs = np.array([[signals.get(name, 0.0) for name in names] for signals, _ in pairs])
        yes, times = (
            np.array([float(value) for value in each]) for each in zip(*((row.yes, row.times) for _, row in pairs), strict=True)
        )
        chance, many = np.empty(len(yes)), times.astype(int)
        for fold in range(FOLDS):
            others = folds != fold
            found = fitted(np.repeat(inputs[others], many[others], 0), np.repeat(yes[others], many[others]), RIDGE)
            chance[~others] = 1.0 / (1.0 + np.exp(-(inputs[~others] @ found[:-1] + found[-1])))
        for name, part in (("written", times == 1), ("natural", times > 1)):
            if not part.any():
                continue
            scores = {"rows": int(part.sum()), "auroc": round(auroc(chance[part], yes[part]), 3)}
            for least in (0.6, 2 / 3, 0.7, 0.75, 0.8):
                sure, right = np.maximum(chance, 1 - chance)[part] > least, ((chance > 0.5) == yes)[part]
                scores[f"right at {least:.2f}"] = round(float((sure & right).mean()), 3)
                scores[f"wrong at {least:.2f}"] = round(float((sure & ~right).mean()), 3)
            print(output, name, scores)
            metrics[f"{output}, {name}"] = scores
        *each, bias[output] = (
            round(float(value), 4) for value in fitted(np.repeat(inputs, many, 0), np.repeat(yes, many), RIDGE)
        )
        weights[output] = dict(zip(names, each, strict=True))
        print(weights[output], bias[output])
    write_fitted_model(
        fitted_model_path(PASSAGE_VERDICT),
        FittedModel(
            PASSAGE_VERDICT,
            weights,
            bias,
            "written questions over paragraphs; those of the signals are such that neither network was trained on",
            "python scripts/fit/fit_passage_verdict.py TABLE.tsv ... --words TABLE.tsv ... --natural TABLE.tsv ...",
            metrics,
        ),
    )


if __name__ == "__main__":
    main()
