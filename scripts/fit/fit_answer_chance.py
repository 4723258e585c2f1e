"""Fit how likely the best answer from a passage is right.

    python scripts/fit/fit_answer_chance.py TABLE.tsv ... [--natural TABLE.tsv ...]

A table has the columns kind, passage, question, answer; yes/no questions and those with an "if" are left out, and an answer of
NULL is not told. An answer is right where its F1 with the one given is at least a half. The reader must not have been trained on
the rows. Those of `--natural` count three times. What is printed is cross-validated by passage.
"""

from __future__ import annotations

import argparse
import csv
import re
import zlib
from pathlib import Path

import numpy as np
from fit_whether import auroc, fitted

from kgqa.calibration.linear_model import FittedModel, fitted_model_path, write_fitted_model
from kgqa.evaluation.metrics.text_scores import token_f1
from kgqa.passages.answer_chance import ANSWER_CHANCE
from kgqa.passages.passage_answer import weigh_candidates
from kgqa.questions.classifier import classify
from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.numeric.numeric_reader import make_numeric_reader
from kgqa.readers.reader import Passage

RIDGE, FOLDS, RIGHT = 3.0, 5, 0.5


def main() -> None:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--natural", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    csv.field_size_limit(10**9)
    reader = make_numeric_reader()
    found, right, kinds, folds, times = [], [], [], [], []
    for path in (*options.tables, *options.natural):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                question, answers = row["question"], row["answer"].split("|")
                kind = classify(question)
                yes_no = re.match(r"(?:yes|no)\b", row["answer"], re.IGNORECASE)
                if kind.conditional is not None or yes_no or question_form_of(question) is QuestionForm.WHETHER:
                    continue
                passages = [Passage(row["passage"])]
                weighed = weigh_candidates(question, kind, passages, reader.read(question, passages))
                if weighed.signals is None or weighed.best is None:
                    continue
                signals, text = weighed.signals, weighed.best.text
                null = answers[0] in ("NULL", "none", "unanswerable")
                found.append(signals)
                right.append(not null and token_f1(text, answers) >= RIGHT)
                kinds.append("null" if null else row["kind"])
                folds.append(zlib.crc32(row["passage"].encode()) % FOLDS)
                times.append(3 if path in options.natural else 1)
    names = sorted(set().union(*found))
    inputs = np.array([[each.get(name, 0.0) for name in names] for each in found])
    truth, fold, many, kind_of = np.array(right, float), np.array(folds), np.array(times), np.array(kinds)
    chance = np.empty(len(truth))
    for place in range(FOLDS):
        own = fold == place
        weights = fitted(np.repeat(inputs[~own], many[~own], 0), np.repeat(truth[~own], many[~own]), RIDGE)
        chance[own] = 1.0 / (1.0 + np.exp(-(inputs[own] @ weights[:-1] + weights[-1])))
    metrics = {"rows": len(truth), "auroc": round(auroc(chance, truth), 3)}
    print(metrics)
    for least in (0.3, 0.4, 0.5, 0.6):
        for name in sorted(set(kinds)):
            own = kind_of == name
            said, good = (chance > least)[own], ((chance > least) & (truth == 1))[own]
            print(f"{least} {name} {own.sum()}: right {good.mean():.3f}, wrong {said.mean() - good.mean():.3f}")
            if least == 0.5:
                metrics |= {
                    f"{name}, right": round(float(good.mean()), 3),
                    f"{name}, wrong": round(float((said & ~good).mean()), 3),
                }
    *each, bias = map(float, fitted(np.repeat(inputs, many, 0), np.repeat(truth, many), RIDGE))
    weights = {name: round(weight, 4) for name, weight in zip(names, each, strict=True)}
    print(weights, bias)
    fitted_on = "written questions over paragraphs that the reader was not trained on"
    command = "python scripts/fit/fit_answer_chance.py TABLE.tsv ... --natural TABLE.tsv ..."
    write_fitted_model(
        fitted_model_path(ANSWER_CHANCE),
        FittedModel(ANSWER_CHANCE, {"": weights}, {"": round(bias, 4)}, fitted_on, command, metrics),
    )


if __name__ == "__main__":
    main()
