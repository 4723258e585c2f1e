"""Fit how an edit script chooses the fact that it edits, and how far its answers are to be trusted.

    python scripts/fit/fit_edits.py fit --data TRAIN.json [--rows 0:1800] [--also scripts/fit/edits/*.json]
    python scripts/fit/fit_edits.py correct --data TRAIN.json [--rows 1800:2400] [--also scripts/fit/edits/held/*.json]
    python scripts/fit/fit_edits.py report --data FILE.json [--rows 1800:2400] [--sure 0.5] [--misses]

The files have the shape of IfQA's: a list of {"question", "answers", "context"}. `fit` writes
fact_choice.json and edit_confidence.json in kgqa/calibration/models: for each family of plans a conditional logit over the
facts that a passage offers
(right is the fact whose edited value is an answer), with a ridge; for each mechanism the probability that its first answer is
right, from choices that were held out in five folds; `--also` names questions that only the mechanisms without a plan learn
from, for those of which the others have too few. `correct` then corrects these on questions that neither the rules nor the
choice were made on, and prints how reliable they are there, in five folds. `report` prints, per mechanism, how many questions
it answers and how many of its answers are right (exact match), and the same for those whose answer is not in the passage.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kgqa.calibration.linear_model import (
    LogisticModel,
    fitted_model_path,
    load_fitted_model,
    logistic,
    softmax_array,
    write_fitted_model,
)
from kgqa.edits import edit_solver as certainty
from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, AnswerType, answer_type_of
from kgqa.edits.edit_script import EditProblem
from kgqa.edits.edit_solver import EDIT_CONFIDENCE, EDIT_SOLVERS, solve_conditional
from kgqa.edits.fact_ranking import (
    FACT_CHOICE,
    FACT_FEATURES,
    FactCandidate,
    candidate_facts,
    rank_facts,
)
from kgqa.edits.fact_table import parse_passages
from kgqa.edits.value_edits import ValueEdit, requirements_of_edit, solve_value, value_edit
from kgqa.evaluation.metrics.text_scores import exact_match, token_f1
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.readers.reader import Passage

FOLDS = 5
RIDGE_OF_CHOICE, RIDGE_OF_CALIBRATION = 0.03, 0.02
READ = 3.0
"""The weight of a neural reader's share, set by hand: the labelled questions come without a reader's answers."""

Row = dict[str, Any]
Item = tuple[Row, ValueEdit, list[FactCandidate], list[str], np.ndarray]


def problems(rows: Sequence[Row]) -> Iterator[tuple[Row, EditProblem]]:
    """Yield the questions that suppose something, as the mechanisms are given them."""
    for row in rows:
        asked = parse_conditional(row["question"])
        if asked is not None and asked.main:
            read = parse_passages([Passage(text) for text in row["context"]])
            yield row, EditProblem(row["question"], asked, answer_type_of(asked.main), read)


def right(answer: str, row: Row) -> bool:
    """Tell whether an answer is one of those of a row."""
    return exact_match(answer, row["answers"]) == 1.0


def items(rows: Sequence[Row]) -> dict[str, list[Item]]:
    """Return, for each family of plans, the facts of each question with what they would answer and whether that is right."""
    found: dict[str, list[Item]] = defaultdict(list)
    for row, problem in problems(rows):
        plan = value_edit(problem.conditional, problem.answer_type)
        if plan is None:
            continue
        pairs = [
            (one, plan.result(one.fact.value)) for one in candidate_facts(problem.passages, requirements_of_edit(problem, plan))
        ]
        able = [(one, answer) for one, answer in pairs if answer is not None]
        hits = np.array([float(right(answer, row)) for _, answer in able])
        found[plan.family.value].append((row, plan, [one for one, _ in able], [answer for _, answer in able], hits))
    return found


def choice_weights(group: Sequence[Item]) -> np.ndarray:
    """Return the weights of a conditional logit in which any fact with a right answer is right."""
    tables = [(np.array([one.features for one in able]), hits) for _, _, able, _, hits in group if len(able) > 1 and hits.sum()]
    weights = np.zeros(len(FACT_FEATURES))
    for _ in range(120):
        slope = np.zeros_like(weights)
        for table, hits in tables:
            shares = softmax_array(table @ weights)
            wished = shares * hits
            slope += table.T @ (wished / (wished.sum() + 1e-12) - shares)
        weights += 0.8 * (slope / max(1, len(tables)) - RIDGE_OF_CHOICE * weights)
    weights[FACT_FEATURES.index("read")] = READ
    return weights


def calibration(signals: Sequence[Sequence[float]], hits: Sequence[bool]) -> LogisticModel:
    """Return a logistic regression with a ridge."""
    table = np.array([(1.0, *certainty.calibration_features(one)) for one in signals])
    wished, weights = np.array(hits, float), np.zeros(table.shape[1])
    ridge = np.full(table.shape[1], RIDGE_OF_CALIBRATION)
    ridge[0] = 0.001
    for _ in range(800):
        made = 1 / (1 + np.exp(-table @ weights))
        weights += 0.5 * (table.T @ (wished - made) / len(wished) - ridge * weights)
    weights[2 + FACT_FEATURES.index("read")] = 1.0
    bias, *fitted = (round(float(weight), 4) for weight in weights)
    return LogisticModel(dict(zip(certainty.CALIBRATION_FEATURES, fitted, strict=True)), bias)


def fit(rows: Sequence[Row], also: Sequence[Row] = ()) -> None:
    """Fit and write the numbers; `also` are questions for the mechanisms that have no plan."""
    choice: dict[str, list[float]] = {}
    seen: dict[str, list[tuple[Sequence[float], bool]]] = defaultdict(list)
    for family, group in items(rows).items():
        choice[family] = [round(float(one), 4) for one in choice_weights(group)]
        order = list(range(len(group)))
        random.Random(7).shuffle(order)
        for fold in range(FOLDS):
            held = {place for at, place in enumerate(order) if at % FOLDS == fold}
            weights = choice_weights([one for place, one in enumerate(group) if place not in held]).tolist()
            for place in held:
                row, plan, able, _, _ = group[place]
                for best in rank_facts(able, weights)[:1]:
                    answer = plan.result(best.fact.value)
                    seen[plan.rule].append(((best.probability, *best.features), answer is not None and right(answer, row)))
    calibrations = {
        rule: calibration([signals for signals, _ in told], [hit for _, hit in told])
        for rule, told in seen.items()
        if len(told) >= 15
    }
    precision: dict[str, list[bool]] = defaultdict(list)
    for row, problem in problems([*rows, *also]):
        for solver in EDIT_SOLVERS:
            if solver is not solve_value:
                for first in list(solver(problem))[:1]:
                    precision[first.rule].append(right(first.candidate.text, row))
    for rule, told in seen.items():
        if rule not in calibrations:
            precision[rule] = [hit for _, hit in told]
    weights_by_family = {family: dict(zip(FACT_FEATURES, row, strict=True)) for family, row in choice.items()}
    made = load_fitted_model(FACT_CHOICE)._replace(weights=weights_by_family, bias=dict.fromkeys(choice, 0.0))
    write_fitted_model(fitted_model_path(FACT_CHOICE), made)
    confidence = load_fitted_model(EDIT_CONFIDENCE)
    smoothed = {rule: round((sum(hits) + 1) / (len(hits) + 2), 4) for rule, hits in sorted(precision.items())}
    made = confidence._replace(
        weights={rule: model.weights for rule, model in calibrations.items()},
        bias={rule: model.bias for rule, model in calibrations.items()},
        parameters={**confidence.parameters, "precision": smoothed},
    )
    write_fitted_model(fitted_model_path(EDIT_CONFIDENCE), made)


def firsts(rows: Sequence[Row]) -> list[tuple[str, float, bool]]:
    """Return the rule of the surest answer of each question, with its log-odds and whether it is right."""
    told: list[tuple[str, float, bool]] = []
    for row, problem in problems(rows):
        made = [one for solver in EDIT_SOLVERS for one in solver(problem)]
        if made:
            best = max(made, key=lambda one: certainty.solution_probability(one.rule, one.signals))
            told.append((best.rule, certainty.solution_log_odds(best.rule, best.signals), right(best.candidate.text, row)))
    return told


def correct(rows: Sequence[Row], also: Sequence[Row] = ()) -> tuple[float, dict[str, float]]:
    """Return the slope and the shifts by rule that fit the log-odds to held-out questions, and print how reliable they are.

    `also` are held-out questions for rules that none of the rows has an answer by. Only their shifts are fitted to them: to the
    share that is right, smoothed as `fit` does it.
    """
    told = firsts(rows)
    order = list(range(len(told)))
    random.Random(7).shuffle(order)
    seen: list[tuple[float, bool, str]] = []
    for fold in range(FOLDS):
        held = {place for at, place in enumerate(order) if at % FOLDS == fold}
        slope, shift = correction([one for place, one in enumerate(told) if place not in held])
        for place in held:
            rule, odds, hit = told[place]
            seen.append((logistic(slope * odds + shift.get(rule, shift[""])), hit, rule))
    before = [(logistic(odds), hit, rule) for rule, odds, hit in told]
    for name, group in (("before", before), ("after", seen)):
        loss = -np.mean([np.log(sure if hit else 1 - sure) for sure, hit, _ in group])
        gaps = []
        for low in np.arange(0, 1, 0.2):
            inside = [(sure, hit) for sure, hit, _ in group if low <= sure < low + 0.2]
            if inside:
                sure, share = np.mean([one for one, _ in inside]), np.mean([hit for _, hit in inside])
                gaps.append(len(inside) * abs(sure - share))
                print(f"{name:6} {low:.1f}-{low + 0.2:.1f}: {len(inside):4d} answers, mean {sure:.2f}, right {share:.2f}")
        print(f"{name:6} log loss {loss:.3f}, expected calibration error {sum(gaps) / len(group):.3f}")
    slope, shift = correction(told)
    unseen = [one for one in firsts(also) if one[0] not in shift]
    return slope, {**shift, **{rule: share_shift([one for one in unseen if one[0] == rule], slope) for rule, _, _ in unseen}}


def share_shift(told: Sequence[tuple[str, float, bool]], slope: float) -> float:
    """Return the shift that makes answers as probable in the mean as they are right."""
    share, shift = (sum(hit for *_, hit in told) + 1) / (len(told) + 2), 0.0
    for _ in range(3000):
        shift += 0.3 * (share - float(np.mean([logistic(slope * odds + shift) for _, odds, _ in told])))
    return round(shift, 4)


def correction(told: Sequence[tuple[str, float, bool]]) -> tuple[float, dict[str, float]]:
    """Return the slope, drawn towards 1, and the shift of each rule, drawn towards that of all, which stands under ""."""
    rules = sorted({rule for rule, _, _ in told})
    odds, hits = np.array([one for _, one, _ in told]), np.array([hit for *_, hit in told], float)
    place = np.array([rules.index(rule) for rule, *_ in told])
    slope, whole, own = 1.0, 0.0, np.zeros(len(rules))
    for _ in range(3000):
        gap = hits - 1 / (1 + np.exp(-(slope * odds + whole + own[place])))
        slope += 0.3 * (np.mean(gap * odds) - 0.02 * (slope - 1))
        whole += 0.3 * np.mean(gap)
        own += 0.3 * (np.bincount(place, gap, len(rules)) / len(told) - 0.01 * own)
    shift = {rule: round(float(whole + one), 4) for rule, one in zip(rules, own, strict=True)}
    return round(float(slope), 4), {"": round(float(whole), 4), **shift}


def report(rows: Sequence[Row], sure: float, misses: bool) -> None:
    """Print what the scripts answer and how much of it is right."""
    per: dict[str, list[tuple[bool, float, float]]] = defaultdict(list)
    hard = [0, 0, 0]
    seconds = 0.0
    for row in rows:
        began = time.process_time()
        outcome = solve_conditional(row["question"], [Passage(text) for text in row["context"]])
        seconds += time.process_time() - began
        asked = parse_conditional(row["question"])
        kind = answer_type_of(asked.main) if asked else AnswerType.NAME
        text = " ".join(row["context"]).lower()
        absent = kind in DATE_TYPES | NUMBER_TYPES and not any(one.lower() in text for one in row["answers"])
        hard[0] += absent
        if not outcome.solutions or outcome.solutions[0].candidate.score < sure:
            if misses and absent:
                print(f"NONE [{outcome.why}] {row['question']} {row['answers']}")
            continue
        first = outcome.solutions[0]
        hit = right(first.candidate.text, row)
        hard[1] += absent
        hard[2] += absent and hit
        f1 = token_f1(first.candidate.text, row["answers"])
        per[first.rule].append((hit, f1, first.candidate.score))
        if misses and not hit:
            print(f"{first.candidate.score:.2f} {first.rule}: {row['question']} -> {first.candidate.text} {row['answers']}")
    for rule, told in [*sorted(per.items()), ("all", [one for group in per.values() for one in group])]:
        if told:
            right_ones, f1s, scores = zip(*told, strict=True)
            means = [sum(one) / len(told) for one in (right_ones, f1s, scores)]
            print(f"{rule:32} answered {len(told):4d}  EM {means[0]:.3f}  F1 {means[1]:.3f}  mean score {means[2]:.3f}")
    print(
        f"of {len(rows)} questions; dates and numbers that do not stand in the passage: {hard[0]}, "
        f"answered {hard[1]}, right {hard[2]}"
    )
    print(f"{1000 * seconds / max(1, len(rows)):.2f} ms of processor time a question")


def main() -> None:
    """Fit, or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("fit", "correct", "report"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", default=":")
    parser.add_argument("--also", type=Path, nargs="+", default=())
    parser.add_argument("--sure", type=float, default=0.0)
    parser.add_argument("--misses", action="store_true")
    chosen_options = parser.parse_args()
    low, _, high = chosen_options.rows.partition(":")
    rows = json.loads(chosen_options.data.read_text("utf-8"))[int(low or 0) : int(high) if high else None]
    also = [row for path in chosen_options.also for row in json.loads(path.read_text("utf-8"))]
    if chosen_options.what == "fit":
        fit(rows, also)
    elif chosen_options.what == "correct":
        slope, shift = correct(rows, also)
        confidence = load_fitted_model(EDIT_CONFIDENCE)
        made = confidence._replace(parameters={**confidence.parameters, "slope": slope, "shift": shift})
        write_fitted_model(fitted_model_path(EDIT_CONFIDENCE), made)
    else:
        report(rows, chosen_options.sure, chosen_options.misses)


if __name__ == "__main__":
    main()
