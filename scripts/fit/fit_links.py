"""Fit which links a question needs, and whether a passage answers it itself: link_choice and passage_tells.

    python scripts/fit/fit_links.py ARTICLES QUESTIONS.json... [--rows ROWS.json]

QUESTIONS are in the released format of IIRC, ARTICLES is the index that their links lead into. Rows that were computed once are
kept in ROWS. A logistic regression with an L2 penalty; the metrics are those of five parts by paragraph, each held out in turn.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.sources.input_stream import open_input
from kgqa.calibration.linear_model import SINGLE_OUTPUT, FittedModel, fitted_model_path, write_fitted_model
from kgqa.evaluation.datasets.iirc_dataset import read_iirc
from kgqa.evaluation.metrics.text_scores import token_f1
from kgqa.hops.hop_answer import PASSAGE_TELLS, LinkFollower, passage_tells_features
from kgqa.hops.link_candidates import passage_links
from kgqa.hops.link_identifier import ALONE, AMONG, ARTICLE_FEATURES, LINK_CHOICE, LinkRule, link_features, link_shares
from kgqa.passages.passage_answer import answer_passages
from kgqa.passages.passage_source import PassageSource
from kgqa.questions.classifier import classify
from kgqa.readers.reader import Passage
from kgqa.retrieval.article_lookup import ArticleLookup
from kgqa.retrieval.corpus import open_passage_index
from kgqa.retrieval.passage_index import title_key

PENALTY = 10.0
PARTS = 5
_SPANS = 20
SHARE_NAMES = ("log odds", "log share", "best")
Floats = NDArray[np.float64]


def question_rows(paths: Sequence[Path], articles: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a row a link, with its features and whether it is needed, and one a question whose passage gives some answer."""
    lookup, source = ArticleLookup(open_passage_index(articles)), PassageSource()
    links: list[dict[str, Any]] = []
    passages: list[dict[str, Any]] = []
    for path in paths:
        with open_input(str(path)) as stream:
            items = list(read_iirc(stream, print))
        for item in items:
            if item.main is None or item.links is None:
                continue
            gold = set(map(title_key, item.links))
            candidates = passage_links(item.question, item.main, lookup).candidates
            read = source.reader.read(item.question, [Passage(item.main.text, item.main.source.title)], _SPANS)
            table = link_features(item.question, item.main, candidates, read, lookup.text)
            for link, (features, _) in zip(candidates, table, strict=True):
                needed = bool(gold & {title_key(link.title), title_key(link.mentions[0].target)})
                links.append(
                    {
                        "group": item.main.text[:50],
                        "question": item.question,
                        "title": link.title,
                        "x": dict(features),
                        "y": needed,
                    }
                )
            kind = classify(item.question)
            answer = answer_passages(item.question, kind, source.of_passage(item.main.text, None))
            if answer.is_decided:
                scored, _ = LinkFollower(lookup, classify, lambda: source.reader, LinkRule.MODEL).weigh(item.question, item.main)
                right = bool(item.gold) and not item.links and token_f1(answer.answer or "", [", ".join(item.gold)]) >= 0.5
                features = passage_tells_features(item.question, item.main, answer, scored)
                passages.append({"group": item.main.text[:50], "question": item.question, "x": features, "y": right})
    return links, passages


def fit(table: Floats, labels: Floats, rounds: int = 50) -> tuple[Floats, float]:
    """Return the weights and the bias of a logistic regression over standardised features, by Newton's method."""
    mean, spread = table.mean(0), table.std(0) + 1e-9
    scaled = np.c_[(table - mean) / spread, np.ones(len(table))]
    weights = np.zeros(scaled.shape[1])
    penalty = np.diag([PENALTY] * (scaled.shape[1] - 1) + [0.0])
    for _ in range(rounds):
        chances = 1.0 / (1.0 + np.exp(-scaled @ weights))
        curvature = (scaled * (chances * (1.0 - chances))[:, None]).T @ scaled + penalty
        weights -= np.linalg.solve(curvature, scaled.T @ (chances - labels) + penalty @ weights)
    own = weights[:-1] / spread
    return own, float(weights[-1] - (own * mean).sum())


def shares(rows: Sequence[dict[str, Any]], scores: Floats) -> Floats:
    """Return the features of links among those of their question, in the order of `SHARE_NAMES`."""
    places: dict[tuple[str, str], list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault((row["group"], row["question"]), []).append(place)
    table = np.zeros((len(rows), len(SHARE_NAMES)))
    for group in places.values():
        for place, features in zip(group, link_shares(scores[group].tolist()), strict=True):
            table[place] = [features[name] for name in SHARE_NAMES]
    return table


def fit_outputs(
    rows: Sequence[dict[str, Any]], names: Sequence[str], outputs: Sequence[str]
) -> tuple[dict[str, dict[str, float]], dict[str, float], dict[str, float]]:
    """Return weights and biases by output, and what they measure in parts that are held out.

    Of two outputs, the second weighs each link among those of its question.
    """
    table = np.array([[row["x"].get(feature, 0.0) for feature in names] for row in rows])
    labels = np.array([row["y"] for row in rows], float)
    groups = sorted({row["group"] for row in rows})
    parts = np.array([groups.index(row["group"]) % PARTS for row in rows])
    scores = np.zeros(len(rows))
    weights: dict[str, dict[str, float]] = {}
    biases: dict[str, float] = {}
    for part in range(PARTS + 1):  # the last time, nothing is held out
        fitted = parts != part
        columns, part_table = names, table
        for output in outputs:
            own, bias = fit(part_table[fitted], labels[fitted])
            weights[output] = {name: round(float(value), 3) for name, value in zip(columns, own, strict=True)}
            biases[output] = round(bias, 3)
            part_scores = part_table @ own + bias
            columns, part_table = SHARE_NAMES, shares(rows, part_scores)
        scores[~fitted] = part_scores[~fitted]
    chosen = scores >= 0.0
    right, predicted, positive = float((chosen * labels).sum()), float(chosen.sum()), float(labels.sum())
    metrics = {"precision": right / max(1.0, predicted), "recall": right / positive, "f1": 2 * right / (predicted + positive)}
    counts = {"rows": len(rows), "positive": int(positive)}
    return weights, biases, counts | {name: round(value, 3) for name, value in metrics.items()}


def fit_models(links: Sequence[dict[str, Any]], passages: Sequence[dict[str, Any]]) -> None:
    """Fit both models, print what they measure, and write them."""
    fitted_on = "questions of our own over linked paragraphs of 106 articles, none of those that are measured"
    command = "python scripts/fit/fit_links.py ARTICLES QUESTIONS.json..."
    names = sorted({feature for row in links for feature in row["x"]})
    weights, bias, metrics = fit_outputs(links, names, (ALONE[0], AMONG[0]))
    bare = fit_outputs(links, [name for name in names if name not in ARTICLE_FEATURES], (ALONE[1], AMONG[1]))
    measured = metrics | {
        f"{name}, articles unread": value for name, value in bare[2].items() if name not in ("rows", "positive")
    }
    parameters = {"surer": 1.0, "link surer": 1.0}
    model = FittedModel(LINK_CHOICE, weights | bare[0], bias | bare[1], fitted_on, command, measured, parameters)
    write_fitted_model(fitted_model_path(LINK_CHOICE), model)
    print(LINK_CHOICE, measured)
    names = sorted({feature for row in passages for feature in row["x"]})
    weights, bias, metrics = fit_outputs(passages, names, (SINGLE_OUTPUT,))
    write_fitted_model(fitted_model_path(PASSAGE_TELLS), FittedModel(PASSAGE_TELLS, weights, bias, fitted_on, command, metrics))
    print(PASSAGE_TELLS, metrics)


def main() -> None:
    """Compute or read the rows, and fit both models."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("articles", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--rows", type=Path)
    options = parser.parse_args()
    if options.rows is not None and options.rows.is_file():
        links, passages = json.loads(options.rows.read_text("utf-8"))
    else:
        links, passages = question_rows(options.questions, options.articles)
        if options.rows is not None:
            options.rows.write_text(json.dumps([links, passages]), "utf-8")
    fit_models(links, passages)


if __name__ == "__main__":
    main()
