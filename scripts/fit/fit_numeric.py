"""Measure the numeric reader on questions of DROP, and fit how sure it is of its answers.

    python scripts/fit/fit_numeric.py ../shared/data/reading/drop_dev_slice.tsv
    python scripts/fit/fit_numeric.py ../shared/data/reading/drop_dev_slice.tsv --half first --fit

Rules and weights are made on the first half of the file; the second half, which is measured by default, is unseen. Many passages
have questions in both halves: `--new` keeps the questions of the second half whose passage has none in the first.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from kgqa.calibration.linear_model import fitted_model_path, load_fitted_model, write_fitted_model
from kgqa.evaluation.metrics.confidence_scores import expected_calibration_error
from kgqa.evaluation.metrics.drop_scores import AnnotatedAnswer, drop_scores
from kgqa.evaluation.metrics.score_intervals import bootstrap_mean
from kgqa.readers.numeric.numeric_operations import compute_numeric_answer
from kgqa.readers.numeric.numeric_question import parse_numeric_question
from kgqa.readers.numeric.numeric_reader import NUMERIC_CONFIDENCE, NumericReader, make_numeric_reader
from kgqa.readers.numeric.scoring_plays import answer_plays
from kgqa.readers.reader import AnswerKind, Passage

NUMBER = re.compile(r"-?[\d.,]+%?")
ROUNDS, STEP, RIDGE = 3000, 0.5, 0.002

Row = tuple[str, str, str]


def rows_of(path: Path) -> list[Row]:
    """Return the questions of a file, each with its passage and its answer."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text, _, answer = line.rpartition("\t")
        question, _, passage = text.partition("\\n")
        rows.append((question.strip(), passage.strip(), answer.strip()))
    return rows


def scored(answer: str, gold: str) -> tuple[float, float]:
    """Return exact match and F1 of one answer, as the authors' code scores it."""
    scores = drop_scores([answer] if answer else [], [AnnotatedAnswer((gold,), bool(NUMBER.fullmatch(gold)))], "released")
    return scores.exact, scores.f1


def shown(name: str, scores: Sequence[tuple[float, float]], answered: int | None = None) -> None:
    """Print a row of the table: a name, how many, exact match and F1 with their intervals."""
    exact, f1 = (bootstrap_mean([score[place] for score in scores]) for place in (0, 1))
    count = f"{len(scores)}" if answered is None else f"{answered}/{len(scores)}"
    print(f"{name:28} {count:>10}  EM {exact}  F1 {f1}")


def measure(rows: Sequence[Row], reader: NumericReader, frequent: str) -> None:
    """Print the scores of a reader and of two trivial baselines, by operation."""
    by_operation: dict[str, list[tuple[float, float]]] = defaultdict(list)
    answered: Counter[str] = Counter()
    firm: list[tuple[float, float]] = []
    sure: list[float] = []
    trivial: dict[str, list[tuple[float, float]]] = defaultdict(list)
    begun = time.perf_counter()
    for question, passage, gold in rows:
        wanted = parse_numeric_question(question)
        kind = wanted.operation if wanted is not None else None
        best = reader.read(question, [Passage(passage)])[0]
        score = scored("" if best.kind is AnswerKind.NULL else best.text, gold)
        by_operation[kind or "no operation"].append(score)
        if best.kind is not AnswerKind.NULL:
            answered[kind or "no operation"] += 1
            firm.append(score)
            sure.append(best.score)
        number = NUMBER.search(passage)
        trivial["the first number"].append(scored(number[0] if number else "", gold))
        trivial[f"always {frequent!r}"].append(scored(frequent, gold))
    taken = time.perf_counter() - begun
    for operation, scores in sorted(by_operation.items(), key=lambda one: -len(one[1])):
        shown(operation, scores, answered[operation])
    shown("all questions", [score for scores in by_operation.values() for score in scores], sum(answered.values()))
    reckoned = [score for kind, scores in by_operation.items() if kind != "no operation" for score in scores]
    shown("questions with an operation", reckoned)
    shown("where it answers", firm)
    for name, scores in trivial.items():
        shown(name, scores)
    print(f"calibration error (10 bins)  {expected_calibration_error(sure, [bool(score[0]) for score in firm]):.3f}")
    print(f"{1000 * taken / len(rows):.1f} ms a question, with scoring")


def fit(rows: Sequence[Row]) -> None:
    """Fit and write how sure an answer is, by its operation and its fit."""
    found = []
    for question, passage, gold in rows:
        if (play := answer_plays(question, passage)) is not None:
            found.append(("play", play.fit, scored(play.text, gold)[0]))
            continue
        wanted = parse_numeric_question(question)
        answer = compute_numeric_answer(wanted, passage) if wanted else None
        if wanted is not None and answer is not None:
            found.append((str(wanted.operation), answer.fit, scored(answer.text, gold)[0]))
    weight, constants = 1.0, dict.fromkeys(sorted({kind for kind, _, _ in found}), 0.0)
    sizes = Counter(kind for kind, _, _ in found)
    for _ in range(ROUNDS):
        slope, slopes = RIDGE * weight, {kind: RIDGE * constant for kind, constant in constants.items()}
        for kind, how_well, right in found:
            error = 1 / (1 + math.exp(-(weight * how_well + constants[kind]))) - right
            slope += error * how_well / len(found)
            slopes[kind] += error / (sizes[kind] + 5)
        weight -= 4 * STEP * slope
        constants = {kind: constant - STEP * slopes[kind] for kind, constant in constants.items()}
    rounded = {"fit": round(weight, 3), **{kind: round(constant, 3) for kind, constant in constants.items()}}
    made = load_fitted_model(NUMERIC_CONFIDENCE)._replace(weights={"": rounded}, metrics={})
    write_fitted_model(fitted_model_path(NUMERIC_CONFIDENCE), made)
    print(json.dumps(rounded))


def main() -> None:
    """Read the options, and measure or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--half", choices=("first", "second"), default="second")
    parser.add_argument("--new", action="store_true", help="only questions whose passage the first half does not have")
    parser.add_argument("--fit", action="store_true", help="fit the sureness on this half, and write it")
    parser.add_argument("--model", help="a model folder: read with the extractive reader below")
    options = parser.parse_args()
    rows = rows_of(options.file)
    first, second = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    chosen = first if options.half == "first" else second
    if options.fit:
        fit(chosen)
        return
    if options.new:
        known = {passage for _, passage, _ in first}
        chosen = [row for row in chosen if row[1] not in known]
    frequent = Counter(gold for _, _, gold in first).most_common(1)[0][0]
    measure(chosen, make_numeric_reader(options.model) if options.model else NumericReader(), frequent)


if __name__ == "__main__":
    main()
