"""Fit how what a reader finds in a passage competes with what the edits of an "if" come to.

    python scripts/fit/fit_competition.py read --data TRAIN.json --every 10 --out CANDIDATES.jsonl
    python scripts/fit/fit_competition.py fit --data TRAIN.json --candidates CANDIDATES.jsonl
    python scripts/fit/fit_competition.py report --data TRAIN.json --candidates CANDIDATES.jsonl

The file has the shape of IfQA's: a list of {"question", "answers", "context"}. `read` keeps what the reader finds for every
tenth question, those that the shipped one was not trained on, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kgqa.calibration.linear_model import LogisticModel, fitted_model_path, load_fitted_model, write_fitted_model
from kgqa.edits.edit_solver import solve_conditional
from kgqa.edits.plain_question import rewrite_without_condition
from kgqa.evaluation.metrics.text_scores import exact_match, token_f1
from kgqa.passages.edit_competition import ANSWER_COMPETITION, COMPETITION_FEATURES, CompetingAnswer, competing_answers
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.readers.extractive import extractive_reader as extractive
from kgqa.readers.passage_parts import select_parts
from kgqa.readers.reader import AnswerKind, Candidate, Passage, Reader

FOLDS = 10
RIDGE = 0.002

Row = dict[str, Any]


def reads(rows: Sequence[Row], every: int, reader: Reader, out: Path) -> None:
    """Write what the reader finds for the question and for the question without its "if", a line a question."""
    done = set(kept(out)) if out.exists() else set()
    with out.open("a", encoding="utf-8") as file:
        for number, row in list(enumerate(rows))[::every]:
            if number in done:
                continue
            passages = read(row)
            conditional = parse_conditional(row["question"])
            plain = rewrite_without_condition(conditional) if conditional else row["question"]
            found = [told(reader, one, passages) for one in (row["question"], plain)]
            file.write(json.dumps({"row": number, "whole": found[0], "plain": found[1]}) + "\n")
            file.flush()


def read(row: Row) -> list[Passage]:
    """Return the passages of a row as a reader is given them."""
    return [part.passage for part in select_parts(row["question"], [Passage(text) for text in row["context"]])]


def told(reader: Reader, question: str, passages: Sequence[Passage]) -> list[list[Any]]:
    """Return what the reader finds, to be written down."""
    return [
        [one.text, round(one.score, 5), one.kind.value, one.passage, one.start, one.end]
        for one in reader.read(question, passages)
    ]


def kept(path: Path) -> Mapping[int, Mapping[str, list[Candidate]]]:
    """Return what was written down, by the number of the row."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {
        line["row"]: {
            name: [Candidate(text, score, AnswerKind(kind), *place) for text, score, kind, *place in line[name]]
            for name in ("whole", "plain")
        }
        for line in lines
    }


def questions(
    rows: Sequence[Row], found: Mapping[int, Mapping[str, list[Candidate]]]
) -> list[tuple[Row, tuple[CompetingAnswer, ...]]]:
    """Return the questions that suppose something with the answers that compete."""
    made = []
    for number, candidates in found.items():
        row = rows[number]
        asked = parse_conditional(row["question"])
        if asked is not None and asked.main:
            solutions = solve_conditional(row["question"], read(row), candidates["whole"]).solutions
            made.append((row, competing_answers(asked, candidates["whole"], candidates["plain"], solutions)))
    return made


def model_of(group: Sequence[tuple[Row, tuple[CompetingAnswer, ...]]]) -> LogisticModel:
    """Return a logistic regression with a ridge over the answers.

    The log-odds of the edits are taken as they are: they were calibrated on questions that they were not fitted on, and these
    questions are in part those.
    """
    pairs = [(rival, row) for row, made in group for rival in made]
    table = np.array([(1.0, *(rival.features[name] for name in COMPETITION_FEATURES)) for rival, _ in pairs])
    offset = np.array([rival.edited for rival, _ in pairs])
    hits = np.array([exact_match(rival.candidate.text, row["answers"]) for rival, row in pairs])
    weights = np.zeros(1 + len(COMPETITION_FEATURES))
    for _ in range(3000):
        made = 1 / (1 + np.exp(-(table @ weights + offset)))
        weights += 0.5 * (table.T @ (hits - made) / len(hits) - RIDGE * weights)
    bias, *fitted = (round(float(weight), 4) for weight in weights)
    return LogisticModel(dict(zip(COMPETITION_FEATURES, fitted, strict=True)), bias)


def first(made: Sequence[CompetingAnswer], model: LogisticModel) -> tuple[str, float]:
    """Return the likeliest answer with its probability."""
    return max(((one.candidate.text, one.probability(model)) for one in made), key=lambda one: one[1], default=("", 0.0))


def held_out(group: Sequence[tuple[Row, tuple[CompetingAnswer, ...]]]) -> list[tuple[str, float]]:
    """Return the answer of each question by weights that were fitted without it and without those on its passages."""
    texts = sorted({row["context"][0] for row, _ in group})
    random.Random(7).shuffle(texts)
    fold = {text: place % FOLDS for place, text in enumerate(texts)}
    by = [model_of([one for one in group if fold[one[0]["context"][0]] != left]) for left in range(FOLDS)]
    return [first(made, by[fold[row["context"][0]]]) for row, made in group]


def report(rows: Sequence[Row], found: Mapping[int, Mapping[str, list[Candidate]]]) -> None:
    """Print what each way answers right, and how sure the joint one is."""
    group = questions(rows, found)
    joint = dict(zip((id(row) for row, _ in group), held_out(group), strict=True))
    said: dict[str, list[tuple[str, Row]]] = {
        "reader": [],
        "reader, no if": [],
        "edits": [],
        "edits, with reader": [],
        "both": [],
    }
    for number, candidates in found.items():
        row = rows[number]
        for name, key in (("reader", "whole"), ("reader, no if", "plain")):
            spans = [one.text for one in candidates[key] if one.kind not in (AnswerKind.NULL, AnswerKind.NUMBER)]
            said[name].append((spans[0] if spans else "", row))
        for name, heard in (("edits", []), ("edits, with reader", candidates["whole"])):
            solutions = solve_conditional(row["question"], read(row), heard).solutions
            said[name].append((solutions[0].candidate.text if solutions else "", row))
        said["both"].append((joint.get(id(row), (said["reader"][-1][0], 0.0))[0], row))
    for name, told_ones in said.items():
        hits = np.array([exact_match(text, row["answers"]) for text, row in told_ones])
        f1 = np.mean([token_f1(text, row["answers"]) for text, row in told_ones])
        wide = 196 * (hits.mean() * (1 - hits.mean()) / len(hits)) ** 0.5
        print(f"{name:20} EM {100 * hits.mean():5.1f} ± {wide:.1f}  F1 {100 * f1:5.1f}  of {len(hits)}")
    sure = np.array([joint[id(row)][1] for row, _ in group])
    hit = np.array([exact_match(joint[id(row)][0], row["answers"]) for row, _ in group])
    for low, high in ((0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01)):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            mean, right = sure[inside].mean(), hit[inside].mean()
            print(f"sure {low:.1f}-{min(high, 1):.1f}: {inside.sum():4d}  mean {mean:.2f}  right {right:.2f}")


def main() -> None:
    """Read, fit, or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("read", "fit", "report"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--out", "--candidates", type=Path, required=True)
    parser.add_argument("--model", help="the reader's model folder; the shipped one where none is named")
    given = parser.parse_args()
    rows = json.loads(given.data.read_text("utf-8"))
    if given.what == "read":
        reads(rows, given.every, extractive.make_extractive_reader(given.model), given.out)
    elif given.what == "fit":
        model = model_of(questions(rows, kept(given.out)))
        made = load_fitted_model(ANSWER_COMPETITION)._replace(weights={"": model.weights}, bias={"": model.bias})
        write_fitted_model(fitted_model_path(ANSWER_COMPETITION), made)
    else:
        report(rows, kept(given.out))


if __name__ == "__main__":
    main()
