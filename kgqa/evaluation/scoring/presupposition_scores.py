"""Scores of detecting false presuppositions (M4) and false claims, with the calibration of "false"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from kgqa.evaluation.dataset_item import (
    FALSE_CLAIM,
    FALSE_PRESUPPOSITION,
    TRUE_CLAIM,
    UNDECIDED_CLAIM,
    DatasetItem,
)
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.metrics.confidence_scores import brier, expected_calibration_error
from kgqa.evaluation.metrics.label_scores import Confusion, confusion, presupposition_f1
from kgqa.evaluation.metrics.metric_conventions import METRIC_FORMS, MetricForm
from kgqa.evaluation.metrics.score_intervals import bootstrap
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.score_table import (
    BINARY_MEASURES,
    ScoreCell,
    ScoreTable,
    ScoringOutcome,
    auroc_interval,
    binary_scores,
    bootstrap_share,
    confusion_interval,
    mean_with_interval,
)
from kgqa.presuppositions.statement_check import LEAST_CONTRADICTED

_ROUNDS = 200


def score_presuppositions(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the scores of telling questions with a false presupposition from normal ones, beside the systems of the paper."""
    gold = [item.label == FALSE_PRESUPPOSITION for item in items]
    detected = [entry.response == FALSE_PRESUPPOSITION for entry in predictions]
    chances = _chances_of_systems(predictions)
    systems = {
        "kgqa": detected,
        **{name: [chance >= 0.5 for chance in column] for name, column in chances.items()},
        "always normal": [False] * len(gold),
        "always a false presupposition": [True] * len(gold),
    }
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for name, labels in systems.items():
        pairs = list(zip(gold, labels, strict=True))
        macro_f1 = (bootstrap(pairs, _macro_f1_statistic(form), rounds=_ROUNDS) for form in METRIC_FORMS)
        rows.append((name, (*macro_f1, *binary_scores(gold, labels), bootstrap_share(labels))))
    note = (
        "Of kgqa a question counts as having a false presupposition where the answer corrects it, or suspects it with a "
        "probability of .50 or more (which it tells from .80 on)"
        f"{'' if any(detected) else ': every question is taken for normal'}. "
        "Of the others it does from a probability of .50 on."
    )
    columns = (*(f"macro F1 (M4), {form}" for form in METRIC_FORMS), *BINARY_MEASURES, "said to be false")
    scores = {"accuracy": [float(entry == label) for entry, label in zip(gold, detected, strict=True)]}
    tables = (
        ScoreTable("False presuppositions", columns, tuple(rows), note),
        *_tables_by_kind(items, detected),
        *_calibration_tables(gold, chances),
    )
    return ScoringOutcome(tables, scores)


def _tables_by_kind(items: Sequence[DatasetItem], detected: Sequence[bool]) -> Iterator[ScoreTable]:
    """Yield how many questions are taken for false by each part of their kind ("denied, why"), where the set tells kinds."""
    for part, heading in enumerate(("By kind of premise", "By form of question")):
        groups: dict[str, list[float]] = {}
        for item, response in zip(items, detected, strict=True):
            if item.type:
                name = item.type.split(", ")[part]
                groups.setdefault(f"{name}, {item.label}" if part else name, []).append(float(response))
        if groups:
            rows = tuple((name, (len(responses), mean_with_interval(responses))) for name, responses in groups.items())
            yield ScoreTable(heading, ("items", "taken for false"), rows)


def score_claims(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the scores of telling false claims from true ones, and from undecided ones where the set has some."""
    labels = (TRUE_CLAIM, FALSE_CLAIM, UNDECIDED_CLAIM) if dataset.has_undecided else (TRUE_CLAIM, FALSE_CLAIM)
    gold, ours = [item.label for item in items], [entry.response or UNDECIDED_CLAIM for entry in predictions]
    chances = _chances_of_systems(predictions)
    systems: dict[str, list[str]] = {"kgqa": ours}
    if not dataset.has_undecided:
        systems |= {
            name: [FALSE_CLAIM if chance >= 0.5 else TRUE_CLAIM for chance in column]
            for name, column in chances.items()
            if name != "kgqa"
        }
    systems |= {f"always {label}": [label] * len(gold) for label in labels}
    measures: Mapping[str, Callable[[Confusion[str]], float]] = {
        "accuracy": lambda table: table.accuracy,
        "macro F1": lambda table: table.macro_f1,
        **{f"F1 ({label})": partial(_label_f1, label) for label in labels},
    }
    rows = tuple(
        (name, tuple(confusion_interval(confusion(gold, column, labels), measure) for measure in measures.values()))
        for name, column in systems.items()
    )
    right = [label == response for label, response in zip(gold, ours, strict=True)]
    tables = (
        ScoreTable("Claims", tuple(measures), rows),
        *_calibration_tables([label == FALSE_CLAIM for label in gold], chances),
    )
    return ScoringOutcome(tables, {"accuracy": [float(entry) for entry in right]}, right)


def _label_f1(label: str, table: Confusion[str]) -> float:
    return table.scores(label).f1


def _chances_of_systems(predictions: Sequence[Prediction]) -> dict[str, list[float]]:
    """Return the probabilities of "false" of the systems that say something of every item."""
    names = dict.fromkeys(name for entry in predictions for name in entry.false_chances or {})
    return {
        name: [(entry.false_chances or {})[name] for entry in predictions]
        for name in names
        if all(name in (entry.false_chances or {}) for entry in predictions)
    }


def _calibration_tables(gold: Sequence[bool], chances: Mapping[str, Sequence[float]]) -> tuple[ScoreTable, ...]:
    """Return how well the probabilities of "false" fit, for systems that have more than two of them."""
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    outcomes = [float(label) for label in gold]
    for name, column in chances.items():
        if len(set(column)) <= 2:
            continue
        sure = [label for label, chance in zip(gold, column, strict=True) if chance >= LEAST_CONTRADICTED]
        error, squared = expected_calibration_error(column, outcomes), brier(column, outcomes)
        rows.append((name, (error, squared, auroc_interval(column, gold), bootstrap_share(sure), len(sure))))
    columns = ("ECE", "Brier score", "AUROC", f"precision from {LEAST_CONTRADICTED:.2f} on", "items from there on")
    return (ScoreTable("Calibration of false", columns, tuple(rows)),) if rows else ()


def _macro_f1_statistic(form: MetricForm) -> Callable[[Sequence[tuple[bool, bool]]], float]:
    return lambda drawn: presupposition_f1([gold for gold, _ in drawn], [detected for _, detected in drawn], form)
