"""Fit the confidence of answers on judged answers, and say how well it is calibrated.

    python scripts/fit/calibrate_answers.py DATA [--mined MINED.kgqa] [-g GRAPH] [--seed 6] [--write]

Verdicts are judged by the yes/no questions of `msmarco_causal/train.json` under DATA; entries of lists by
docs/judgements/lists-446.csv and a sample of list-items.tsv; chains by docs/judgements/paths-150-shown.csv, which were drawn from
MINED.kgqa and on which the model of validity was not fitted; without MINED.kgqa the model of chains stays as it is. An entry is
right if it was judged so ("partly" is not; "main" and "minor" are), a chain if both readers say so.

Per family the answers are put into five folds, those of one question into one; each fold is scored by a logistic regression
fitted on the others (a ridge around the weights that are expected, none below 0 for what speaks for an answer). These held-out
confidences are what is reported and what the control of risk uses. Beside them stand the raw confidence (belief times link) and
the base rate. `--write` fits on everything and writes kgqa/calibration/models/answer_confidence.json.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fit_list_order import rated_listing, read_ratings

from graph.model import Path as Chain
from graph.stores import open_store
from kgqa.answer_model import Verdict
from kgqa.answering.chains.chain_validity import chain_validity
from kgqa.calibration.answer_confidence import (
    ANSWER_CONFIDENCE,
    UNREACHABLE_THRESHOLD,
    AnswerFamily,
    finding_features,
    risk_threshold,
    verdict_features,
)
from kgqa.calibration.linear_model import (
    PROBABILITY_CLIP,
    LogisticModel,
    fitted_model_path,
    load_fitted_model,
    log_odds,
    write_fitted_model,
)
from kgqa.evaluation.metrics.confidence_scores import aurc, brier, expected_calibration_error
from kgqa.pipeline import Pipeline

JUDGEMENTS = Path(__file__).parents[2] / "docs" / "judgements"
ASKED = {
    "causes": "What causes {}?",
    "effects": "What are the effects of {}?",
    "prevents": "What prevents {}?",
}
FOLDS = 5
SAMPLED = 12
"""One concept of so many has its lists in the sample."""
RIGHT_RATINGS = frozenset({"main", "minor"})
RIDGE = 200.0
"""Divided by the number of the rarer of right and wrong answers: how much the expected weights count beside what was judged."""
EXPECTED = {"belief": 0.5, "link": 1.0, "support": 0.5, "validity": 1.0}
"""What speaks for an answer, with the weight that is expected of it before any answer was judged."""
RISKS = (0.05, 0.1, 0.15, 0.2, 0.3)


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer whose rightness is known: `group` keeps what belongs together in one fold; `raw` is its plain confidence."""

    group: str
    features: Mapping[str, float]
    raw: float
    right: bool


def verdicts(data: Path, graph: str) -> Iterator[Judged]:
    """Yield the yes and no answers to the yes/no questions of the training file."""
    pipeline = Pipeline(open_store(graph), calibrator=lambda answer: answer)
    for row in json.loads((data / "msmarco_causal/train.json").read_text("utf-8")):
        gold = row["answer:Extracted"][0].lower()
        answer = pipeline.answer(row["question"])
        if answer.verdict in (Verdict.YES, Verdict.NO):
            raw = answer.signals.belief * answer.signals.link
            yield Judged(row["question"], verdict_features(answer), raw, answer.verdict.value == gold)


def entries(graph: str) -> Iterator[Judged]:
    """Yield the judged entries of lists, as far as the lists still have them."""
    pipeline = Pipeline(open_store(graph), limit=100, calibrator=lambda answer: answer)
    with (JUDGEMENTS / "lists-446.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for phrase, side in dict.fromkeys((row["phrase"], row["list"]) for row in rows):
        if side not in ASKED:
            continue
        answer = pipeline.answer(ASKED[side].format(phrase))
        named = {name: one for one in answer.findings for name in (*one.merged, one.text)}
        for row in rows:
            finding = named.get(row["name"]) if (row["phrase"], row["list"]) == (phrase, side) else None
            if finding is not None:
                raw = finding.path.score * answer.signals.link
                yield Judged(phrase, finding_features(finding), raw, row["verdict"] == "right")


def rated_entries(graph: str) -> Iterator[Judged]:
    """Yield a sample of the entries of lists that an editor rated, as far as the graph still has them."""
    view = open_store(graph)
    for (side, concept), ratings in read_ratings().items():
        listing = rated_listing(view, side, concept) if zlib.crc32(concept.encode()) % SAMPLED == 0 else None
        for finding in listing.findings if listing else ():
            if finding.text in ratings:
                right = ratings[finding.text] in RIGHT_RATINGS
                yield Judged(concept, finding_features(finding), finding.path.score, right)


def chains(mined: str) -> Iterator[Judged]:
    """Yield the judged chains of several steps, in the graph that they were drawn from."""
    store = open_store(mined)
    edges = {edge.claim.hash: edge for edge in store.edges()}
    with (JUDGEMENTS / "paths-150-shown.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            path = Chain(tuple(edges[one] for one in row["id"].split("-")), 0.0)
            valid = chain_validity(path, store)
            features = {"validity": log_odds(valid, PROBABILITY_CLIP)}
            yield Judged(path.concepts[1], features, valid, row["first"] == row["second"] == "valid")


def fit(rows: Sequence[Judged]) -> LogisticModel:
    """Return a logistic regression in which nothing that speaks for an answer speaks against it.

    Belief, link, support and validity get no weight below 0: the one with the lowest is left out until none is.
    """
    names = sorted({name for row in rows for name in row.features})
    while True:
        bias, weights = newton(rows, names)
        lowest = min(EXPECTED.keys() & weights.keys(), key=lambda name: weights[name], default=None)
        if lowest is None or weights[lowest] >= 0.0:
            return LogisticModel({name: round(weight, 4) for name, weight in weights.items()}, round(bias, 4))
        names.remove(lowest)


def newton(rows: Sequence[Judged], names: Sequence[str]) -> tuple[float, dict[str, float]]:
    """Return the bias and the weights of a logistic regression, by Newton's method, with a ridge around the expected weights."""
    table = np.array([[1.0, *(row.features.get(name, 0.0) for name in names)] for row in rows])
    target = np.array([row.right for row in rows], dtype=float)
    rarer = max(1.0, min(target.sum(), len(target) - target.sum()))
    ridges = [0.0, *(RIDGE / rarer if name in EXPECTED else 1.0 for name in names)]
    ridge = np.diag(ridges) + 1e-6 * np.eye(len(ridges))
    expected = np.array([0.0, *(EXPECTED.get(name, 0.0) for name in names)])
    weights = expected.copy()
    for _ in range(50):
        share = 1.0 / (1.0 + np.exp(-table @ weights))
        gradient = table.T @ (target - share) - ridge @ (weights - expected)
        hessian = (table * (share * (1.0 - share))[:, None]).T @ table + ridge
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0]), dict(zip(names, map(float, weights[1:]), strict=True))


def held_out(rows: Sequence[Judged], seed: int) -> list[float]:
    """Return the confidence of every row, fitted on the folds that it is not in."""
    folds = [zlib.crc32(f"{seed} {row.group}".encode()) % FOLDS for row in rows]
    scores = [0.0] * len(rows)
    for fold in range(FOLDS):
        fitted = fit([row for row, place in zip(rows, folds, strict=True) if place != fold])
        for number, (row, place) in enumerate(zip(rows, folds, strict=True)):
            if place == fold:
                scores[number] = fitted.probability(row.features)
    return scores


def report(name: str, rows: Sequence[Judged], scores: Sequence[float], seed: int) -> None:
    """Print how well confidences are calibrated, and what the control of risk keeps on halves that took no part."""
    right = [row.right for row in rows]
    base = sum(right) / len(right)
    print(f"\n## {name}: {len(rows)} answers, {base:.3f} right\n\n| confidence | Brier | ECE | AURC |\n|---|---|---|---|")
    for label, values in (
        ("fitted, held out", scores),
        ("belief times link", [row.raw for row in rows]),
        ("base rate", [base] * len(rows)),
    ):
        error = expected_calibration_error(values, right)
        print(f"| {label} | {brier(values, right):.4f} | {error:.4f} | {aurc(values, [float(not one) for one in right]):.4f} |")
    print("\n| risk asked | error of the answers given | share answered | halves in which nothing is given |\n|---|---|---|---|")
    chance = random.Random(seed)
    for risk in RISKS:
        errors, given, none = 0, 0, 0
        for _ in range(200):
            order = list(range(len(rows)))
            chance.shuffle(order)
            half = sorted(order[: len(order) // 2], key=lambda place: -scores[place])
            least = risk_threshold([scores[place] for place in half], [not right[place] for place in half], risk)
            none += least == UNREACHABLE_THRESHOLD
            kept = [place for place in order[len(order) // 2 :] if scores[place] >= least]
            errors += sum(not right[place] for place in kept)
            given += len(kept)
        share = errors / given if given else 0.0
        print(f"| {risk} | {share:.3f} | {given / 200 / (len(rows) - len(rows) // 2):.3f} | {none / 200:.2f} |")


def main() -> None:
    """Fit, report, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--mined", help="the graph that the judged chains were drawn from")
    parser.add_argument("-g", "--graph", default=str(Path(__file__).parents[2] / "graph/data/starter.kgqa"))
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    judged = {
        AnswerFamily.VERDICT: list(verdicts(options.data, options.graph)),
        AnswerFamily.LIST: [*entries(options.graph), *rated_entries(options.graph)],
        **({AnswerFamily.CHAIN: list(chains(options.mined))} if options.mined else {}),
    }
    shipped = load_fitted_model(ANSWER_CONFIDENCE)
    chain = AnswerFamily.CHAIN.value
    models, parameters = {chain: shipped.logistic(chain)}, {chain: shipped.parameters[chain]}
    metrics = {chain: shipped.metrics[chain]}
    for family, rows in judged.items():
        scores = held_out(rows, options.seed)
        report(family, rows, scores, options.seed)
        ranked = sorted(zip(scores, (not row.right for row in rows), strict=True), key=lambda pair: -pair[0])
        models[family.value] = fit(rows)
        right = [row.right for row in rows]
        metrics[family.value] = {
            "brier": round(brier(scores, right), 4),
            "ece": round(expected_calibration_error(scores, right), 4),
            "aurc": round(aurc(scores, [float(not hit) for hit in right]), 4),
        }
        parameters[family.value] = {
            "scores": [round(score, 4) for score, _ in ranked],
            "wrong": [int(wrong) for _, wrong in ranked],
        }
    if options.write:
        fitted = shipped._replace(
            weights={name: model.weights for name, model in models.items()},
            bias={name: model.bias for name, model in models.items()},
            parameters=parameters,
            metrics=metrics,
        )
        write_fitted_model(fitted_model_path(ANSWER_CONFIDENCE), fitted)


if __name__ == "__main__":
    main()
