"""Fit what calibrates the evidence model and weighs several sentences: kgqa/calibration/models/evidence_verdict.json.

    python scripts/fit/fit_evidence.py ROWS [--folder FOLDER]

ROWS is what `scripts/training/train_evidence_model.py rows` has written; its rows of the part "calibrate" are fitted to, and
those of the part "measure" are measured.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch

from kgqa.calibration.linear_model import FittedModel, fitted_model_path, softmax, write_fitted_model
from kgqa.evaluation.metrics.confidence_scores import expected_calibration_error
from kgqa.presuppositions.evidence_model import (
    BALANCED_QUESTION,
    BESIDE_EVIDENCE,
    CLAIM,
    COMMENTED,
    EVIDENCE_VERDICT,
    QUESTION,
    RELATIONS,
    SHIPPED,
    EvidenceJudgement,
    EvidenceModel,
    verdict_features,
    word_features,
)

TRAIN, CALIBRATE, MEASURE = "train", "calibrate", "measure"
Features = Mapping[str, float]
PENALTY = 3e-3
NETWORK_SHARE, WORDS_SHARE = 0.5, 1.0
"""The weights of what the network and the words say of several sentences: chosen on the rows for calibrating, by page."""
MOST = 1000
"""How many rows of a source and task are used at most, drawn by chance; of retrieved ones how many claims."""


def fit_classes(
    rows: Sequence[Features], classes: Sequence[int], count: int, penalty: float = PENALTY
) -> tuple[list[dict[str, float]], list[float]]:
    """Return weights and bias of each class of a multinomial regression; with two classes, of the second alone."""
    names = sorted({name for row in rows for name in row})
    x = torch.tensor([[row.get(name, 0.0) for name in names] for row in rows], dtype=torch.float64)
    y = torch.tensor(classes)
    outputs = count if count > 2 else 1
    weights = torch.zeros(len(names), outputs, dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(outputs, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = x @ weights + bias
        if outputs == 1:
            value = torch.nn.functional.binary_cross_entropy_with_logits(scores[:, 0], y.double())
        else:
            value = torch.nn.functional.cross_entropy(scores, y)
        value = value + penalty * (weights**2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    table = weights.detach().T.tolist()
    return [{name: round(value, 4) for name, value in zip(names, row, strict=True)} for row in table], [
        round(value, 4) for value in bias.detach().tolist()
    ]


class Logits:
    """The logits of rows, each computed once."""

    def __init__(self, model: EvidenceModel) -> None:
        self._model = model
        self._known: dict[tuple[str, str], list[float]] = {}

    def __call__(self, claim: str, evidence: str = "") -> list[float]:
        """Return the logits of a claim, alone or beside a sentence."""
        key = claim, evidence
        if key not in self._known:
            self._known[key] = self._model.logits(claim, evidence).tolist()
        return self._known[key]


def temperature_of(logits: Sequence[Sequence[float]], classes: Sequence[int]) -> float:
    """Return the temperature with the least cross entropy."""
    values, truth = np.array(logits), np.array(classes)

    def entropy(temperature: float) -> float:
        scaled = values / temperature
        scaled -= scaled.max(1, keepdims=True)
        return float((np.log(np.exp(scaled).sum(1)) - scaled[np.arange(len(truth)), truth]).mean())

    return round(float(min(np.arange(0.5, 4.0, 0.05), key=entropy)), 2)


def claims_with_sentences(rows: Sequence[dict[str, Any]], source: str) -> list[tuple[str, str, list[str]]]:
    """Return each claim of retrieved rows with its label and its sentences."""
    some = [row for row in rows if row["task"] == "retrieved" and row["source"] == source]
    return [
        (first["claim"], first["label"], [first["evidence"], *(row["evidence"] for row in rest)])
        for _, group in groupby(some, key=lambda row: row["group"])
        for first, *rest in [list(group)]
    ][:MOST]


def drawn(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows that are used: all of retrieved ones, else at most `MOST` of a part, task and source."""
    chance = random.Random(1)
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in rows:
        if row["part"] != TRAIN or row["task"] == "retrieved":
            groups.setdefault((row["part"], row["task"], row["source"]), []).append(row)
    return [
        row
        for (_, task, _), some in groups.items()
        for row in (some if task == "retrieved" else chance.sample(some, min(MOST, len(some))))
    ]


def macro_f1(truth: Sequence[bool], said: Sequence[bool]) -> float:
    """Return the mean F1 of both labels."""
    scores = []
    for label in (True, False):
        right = sum(a == b == label for a, b in zip(truth, said, strict=True))
        scores.append(2 * right / max(1, sum(a == label for a in truth) + sum(b == label for b in said)))
    return sum(scores) / 2


def main() -> None:
    """Fit, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--folder", type=Path, default=SHIPPED)
    options = parser.parse_args()
    with options.rows.open(encoding="utf-8") as lines:
        every = drawn([json.loads(line) for line in lines])
    parts = {part: [row for row in every if row["part"] == part] for part in (TRAIN, CALIBRATE, MEASURE)}
    logits = Logits(EvidenceModel(options.folder))
    weights: dict[str, dict[str, float]] = {}
    bias: dict[str, float] = {}
    metrics: dict[str, Any] = {}

    pairs = [row for row in parts[CALIBRATE] if row["task"] == "pair" and row["source"] not in ("falseqa", "creak")][::2]
    classes = [RELATIONS.index(row["label"]) for row in pairs]
    temperature = temperature_of([logits(row["claim"], row["evidence"])[:3] for row in pairs], classes)

    def judgements(claim: str, sentences: Sequence[str]) -> list[EvidenceJudgement]:
        return [EvidenceJudgement(sentence, *softmax(logits(claim, sentence)[:3], temperature)) for sentence in sentences]

    def binary(output: str, rows: Mapping[str, Sequence[tuple[Features, bool]]]) -> None:
        """Fit one output, and measure it."""
        (row,), (shift,) = fit_classes(
            [features for features, _ in rows[CALIBRATE]], [int(is_false) for _, is_false in rows[CALIBRATE]], 2
        )
        weights[output], bias[output] = row, shift
        truth = [is_false for _, is_false in rows[MEASURE]]
        chances = [
            1 / (1 + math.exp(-shift - sum(row[name] * value for name, value in features.items())))
            for features, _ in rows[MEASURE]
        ]
        said = [chance >= 0.5 for chance in chances]
        metrics[output] = {
            "rows": len(truth),
            "accuracy": round(sum(a == b for a, b in zip(truth, said, strict=True)) / len(truth), 4),
            "macro F1": round(macro_f1(truth, said), 4),
            "ECE": round(expected_calibration_error(chances, [float(value) for value in truth]), 4),
        }

    alone = {
        part: {
            source: [
                ({"logit": logits(row["claim"])[3 if task == "question" else 4]}, row["label"] == "false")
                for row in rows
                if row["source"] == source and row["task"] == task
            ]
            for source, task in (("falseqa", "question"), ("squad", "question"), ("creak", "claim"))
        }
        for part, rows in parts.items()
    }
    binary(CLAIM, {part: rows["creak"] for part, rows in alone.items()})
    binary(BALANCED_QUESTION, {part: rows["falseqa"] for part, rows in alone.items()})
    binary(QUESTION, {part: [*rows["falseqa"], *rows["squad"][: len(rows["falseqa"])]] for part, rows in alone.items()})
    for kind, source in ((QUESTION, "falseqa"), (CLAIM, "creak")):
        binary(
            COMMENTED[kind],
            {
                part: [
                    (verdict_features(judgements(row["claim"], [row["evidence"]])), row["label"] == "contradicts")
                    for row in rows
                    if row["source"] == source and row["task"] == "pair"
                ]
                for part, rows in parts.items()
            },
        )
    binary(
        BESIDE_EVIDENCE,
        {
            part: [
                (
                    {
                        **verdict_features(judgements(claim, sentences)),
                        **word_features(claim, sentences),
                        "logit": logits(claim)[4],
                    },
                    label == "false",
                )
                for claim, label, sentences in claims_with_sentences(rows, "creak")
            ]
            for part, rows in parts.items()
        },
    )

    fever = {part: claims_with_sentences(rows, "fever") for part, rows in parts.items()}
    by_words = {part: [word_features(claim, sentences) for claim, _, sentences in claims] for part, claims in fever.items()}
    by_network = {
        part: [verdict_features(judgements(claim, sentences)) for claim, _, sentences in fever[part]]
        for part in (CALIBRATE, MEASURE)
    }
    truth = {part: [RELATIONS.index(label) for _, label, _ in claims] for part, claims in fever.items()}
    # The network has learnt the claims of the training part, so that what it says of them is no guide; words have not.
    table, shifts = fit_classes(by_network[CALIBRATE], truth[CALIBRATE], 3)
    words, shifts_of_words = fit_classes([*by_words[TRAIN], *by_words[CALIBRATE]], [*truth[TRAIN], *truth[CALIBRATE]], 3)
    for place, relation in enumerate(RELATIONS):
        weights[relation] = {
            **{name: round(NETWORK_SHARE * value, 4) for name, value in table[place].items()},
            **{name: round(WORDS_SHARE * value, 4) for name, value in words[place].items()},
        }
        bias[relation] = round(NETWORK_SHARE * shifts[place] + WORDS_SHARE * shifts_of_words[place], 4)
    features = [{**row, **other} for row, other in zip(by_network[MEASURE], by_words[MEASURE], strict=True)]
    scores = [
        [bias[relation] + sum(weights[relation].get(name, 0.0) * value for name, value in row.items()) for relation in RELATIONS]
        for row in features
    ]
    said = [int(np.argmax(row)) for row in scores]
    contradicted = [softmax(row)[1] for row in scores]
    metrics["fever"] = {
        "rows": len(said),
        "accuracy": round(float(np.mean(np.array(said) == np.array(truth[MEASURE]))), 4),
        "majority": round(max(truth[MEASURE].count(label) for label in range(3)) / len(said), 4),
        "ECE of contradicts": round(expected_calibration_error(contradicted, [float(label == 1) for label in truth[MEASURE]]), 4),
    }
    sound = [
        row for row in parts[MEASURE] if row["task"] == "question" and row["label"] == "sound" and row["source"] != "falseqa"
    ]
    flagged = [1 / (1 + math.exp(-bias[QUESTION] - weights[QUESTION]["logit"] * logits(row["claim"])[3])) for row in sound]
    for source in sorted({row["source"] for row in sound}):
        chances = [chance for chance, row in zip(flagged, sound, strict=True) if row["source"] == source]
        shares = {f"from {least}": round(sum(chance >= least for chance in chances) / len(chances), 4) for least in (0.5, 0.8)}
        metrics[f"sound {source}"] = {"rows": len(chances), **shares}
    for source in sorted({row["source"] for row in parts[MEASURE] if row["task"] == "pair"}):
        some = [row for row in parts[MEASURE] if row["task"] == "pair" and row["source"] == source][:500]
        hits = [RELATIONS[int(np.argmax(logits(row["claim"], row["evidence"])[:3]))] == row["label"] for row in some]
        metrics[f"pairs {source}"] = {"rows": len(some), "accuracy": round(sum(hits) / len(hits), 4)}
    for name, row in metrics.items():
        print(name, row)
    command = "scripts/fit/fit_evidence.py ROWS"
    fitted_on = "rows kept from training, by group: FalseQA train, CREAK, FEVER, SQuAD, CauseNet"
    model = FittedModel(EVIDENCE_VERDICT, weights, bias, fitted_on, command, metrics, {"temperature": temperature})
    write_fitted_model(fitted_model_path(EVIDENCE_VERDICT), model)


if __name__ == "__main__":
    main()
