"""Fit how the words of a question and its passage tell that the passage does not answer it.

    python scripts/fit/fit_support.py ../shared/data/reading/squad2_half_dev.json

Fitted are the questions on the articles that the shipped reader was trained on, without its score, which is too good there; the
articles that it held out are not looked at. Printed is the AUROC of questions without an answer, each article left out in turn.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from fit_whether import auroc, fitted

from kgqa.calibration.linear_model import SINGLE_OUTPUT, FittedModel, fitted_model_path, write_fitted_model
from kgqa.questions.question_form import QuestionForm, asks_causally, question_form_of
from kgqa.readers.extractive.answer_support import ANSWER_SUPPORT, support_features
from kgqa.readers.extractive.extractive_reader import make_extractive_reader, score_window
from kgqa.readers.extractive.span_network import SHIPPED

RIDGE = 5.0
Row = tuple[str, dict[str, float], float]


def rows_of(path: Path) -> Iterator[Row]:
    """Yield the article, the features and whether there is no answer, of each question of the articles not held out."""
    held = set(json.loads((SHIPPED / "reader.json").read_text(encoding="utf-8"))["held_out_articles"])
    network = make_extractive_reader(str(SHIPPED)).network
    calibration = replace(network.weights.calibration, null=0.0)
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"] if article["title"] not in held else ():
            for item in paragraph["qas"]:
                question, text = item["question"], paragraph["context"]
                if question_form_of(question) is not QuestionForm.OPEN or asks_causally(question):
                    continue
                windows = [
                    score_window(window, network.logits(window), calibration, network.weights.longest)
                    for window in network.windows(0, 0, question, text)
                ]
                start, end, _ = max((span for window in windows for span in window.spans[:1]), key=lambda span: span[2])
                yield article["title"], support_features(question, text, start, end), float(not item["answers"])


def main() -> None:
    """Fit, print what was measured, and write the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    rows = list(rows_of(parser.parse_args().file))
    names = sorted({name for _, features, _ in rows for name in features})
    inputs = np.array([[features.get(name, 0.0) for name in names] for _, features, _ in rows])
    unanswered = np.array([row[2] for row in rows])
    articles = np.array([row[0] for row in rows])
    left_out = np.zeros(len(rows))
    for article in set(articles):
        inside = articles == article
        weights = fitted(inputs[~inside], unanswered[~inside], RIDGE)
        left_out[inside] = inputs[inside] @ weights[:-1] + weights[-1]
    score = round(auroc(left_out, unanswered), 3)
    *weights, bias = fitted(inputs, unanswered, RIDGE)
    model = FittedModel(
        ANSWER_SUPPORT,
        {SINGLE_OUTPUT: {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}},
        {SINGLE_OUTPUT: round(float(bias), 3)},
        f"{len(rows):,} questions of squad2_half_dev.json on the articles that the reader was trained on",
        "python scripts/fit/fit_support.py squad2_half_dev.json",
        {"auroc, each article left out": score},
    )
    write_fitted_model(fitted_model_path(ANSWER_SUPPORT), model)
    print(f"{len(rows)} questions, AUROC {score}")


if __name__ == "__main__":
    main()
