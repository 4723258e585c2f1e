"""Two runs over the same items: paired differences of every metric that both have, and how many items changed either way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graph.atomic_file import write_atomically
from graph.errors import OutputUnwritable, system_error_text
from graph.sources.jsonl import RecordInvalid, json_record
from kgqa.errors import KgqaError
from kgqa.evaluation.dataset_item import FALSE_PRESUPPOSITION, NO, NORMAL, PRESUPPOSITION, VERDICT, YES, DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.metrics.confidence_scores import aurc, auroc, brier, expected_calibration_error
from kgqa.evaluation.metrics.label_scores import Confusion, null_table_scores
from kgqa.evaluation.metrics.metric_conventions import mean
from kgqa.evaluation.metrics.score_intervals import bootstrap, bootstrap_counts, paired_difference
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.prediction_file import read_predictions
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, ScoringOutcome
from kgqa.evaluation.scoring import score_predictions

SCORES = "scores.jsonl"
"""The file of a run that has the scores of each item."""
_ROUNDS = 200
_ANSWER, _NONE = "answer", "none"


class RunsDiffer(KgqaError):
    """Two runs cannot be compared: a folder without scores, other items, another set."""


@dataclass(frozen=True, slots=True)
class ItemScores:
    """What an answer to an item is worth: `scores` by metric, `None` where the item does not count for one.

    `confidence` is `None` where the system gives none, `right` where no answer of the task is right or wrong.
    """

    id: str
    gold: tuple[str, ...]
    response: str | None
    answered: bool
    confidence: float | None
    right: bool | None
    scores: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run: what it is called, its data set and task, and the scores of its items, by id."""

    name: str
    dataset: str
    task: str
    items: Mapping[str, ItemScores]


def item_scores_of(
    items: Sequence[DatasetItem], predictions: Sequence[Prediction], outcome: ScoringOutcome, *, confident: bool = True
) -> Iterator[ItemScores]:
    """Yield the scores of the items of a run, in order; `confident` tells whether its answers have a confidence."""
    for place, (item, prediction) in enumerate(zip(items, predictions, strict=True)):
        scores = {name: values[place] for name, values in outcome.scores.items()}
        right = bool(outcome.right[place]) if outcome.right else None
        response, confidence = prediction.response, min(1.0, prediction.confidence) if confident else None
        yield ItemScores(item.id, item.gold, response, prediction.answered, confidence, right, scores)


def score_lines(scored: Iterable[ItemScores]) -> Iterator[str]:
    """Yield the lines of `SCORES` of a run."""
    for entry in scored:
        yield json.dumps(asdict(entry), ensure_ascii=False) + "\n"


def read_run(folder: Path, tasks: Mapping[str, str]) -> ScoredRun:
    """Return the run of a folder; `tasks` has the task of each data set whose items are asked, by its name.

    A run that mined sentences has labels, of which the share of sentences with exactly the gold ones is the score. Raises
    `RunsDiffer` where the folder holds no run.
    """
    remedy = f"kgqa evaluate NAME --data PATH --out {folder}"
    try:
        dataset = str(json.loads((folder / "settings.json").read_text(encoding="utf-8"))["name"])
        lines = (folder / (SCORES if dataset in tasks else "predictions.jsonl")).read_text(encoding="utf-8").splitlines()
        read = _read_scores if dataset in tasks else _read_labels
        scored = [read(json_record(line)) for line in lines]
    except (OSError, ValueError, KeyError, TypeError, RecordInvalid):
        raise RunsDiffer(f"'{folder}' is no folder of a finished run with its {SCORES}", remedy) from None
    return ScoredRun(str(folder), dataset, tasks.get(dataset, ""), {entry.id: entry for entry in scored})


def _read_scores(record: Mapping[str, Any]) -> ItemScores:
    return ItemScores(**{**record, "gold": tuple(record["gold"])})


def _read_labels(record: Mapping[str, Any]) -> ItemScores:
    labels, gold = tuple(record["prediction"]), tuple(record["gold"])
    scores = {"labels exactly right": float(set(labels) == set(gold))}
    return ItemScores(str(record["id"]), gold, ", ".join(labels) or None, bool(labels), None, None, scores)


def score_file(path: str, dataset: Dataset, items: Sequence[DatasetItem], wanted: Container[str] | None = None) -> ScoredRun:
    """Return the scores of a file of predictions for the items, or for those of them whose ids are `wanted`."""
    asked_items = [item for item in items if wanted is None or item.id in wanted]
    given = read_predictions(path, dataset, asked_items, frozenset(item.id for item in items), classes=False)
    outcome = score_predictions(dataset, asked_items, given.predictions)
    scored = item_scores_of(asked_items, given.predictions, outcome, confident=given.confident)
    return ScoredRun(path, dataset.name, dataset.task, {entry.id: entry for entry in scored})


def write_comparison(folder: Path, table: ScoreTable) -> None:
    """Write the differences of two runs to a folder, for people and for programs."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputUnwritable(folder, system_error_text(error)) from error
    for name, text in (("comparison.md", table.markdown()), ("comparison.json", json.dumps(table.record(), indent=2) + "\n")):
        with write_atomically(folder / name) as file:
            file.write(text)


def compare_runs(first: ScoredRun, second: ScoredRun) -> ScoreTable:
    """Return the scores of both runs, second minus first with its interval, and how many items are better, worse and alike.

    Raises `RunsDiffer` where the two are not of the same items with the same gold answers.
    """
    if first.dataset != second.dataset:
        raise RunsDiffer(f"'{first.name}' is a run of {first.dataset} and '{second.name}' of {second.dataset}")
    for run, rival in ((first, second), (second, first)):
        alone = [name for name in run.items if name not in rival.items]
        if alone:
            fact = f"{len(alone):,} of {len(run.items):,} items of '{run.name}' are not in '{rival.name}', first '{alone[0]}'"
            raise RunsDiffer(f"{fact}; only runs over the same items can be compared")
    pairs = [(entry, second.items[name]) for name, entry in first.items.items()]
    changed = next((before.id for before, after in pairs if before.gold != after.gold), None)
    if changed is not None:
        raise RunsDiffer(f"item '{changed}' has another gold answer in '{second.name}' than in '{first.name}'")
    if not pairs:
        raise RunsDiffer(f"'{first.name}' holds no item")
    rows = [*_item_rows(pairs), *_label_rows(first.task, pairs), *_confidence_rows(pairs)]
    note = "Second minus first, paired item by item: where the interval does not hold 0, one of the two is better."
    columns = ("items", "first", "second", "second minus first", "better", "worse", "alike")
    return ScoreTable("Differences", columns, tuple(rows), f"First: {first.name}. Second: {second.name}. {note}")


ItemPairs = Sequence[tuple[ItemScores, ItemScores]]
ComparisonRow = tuple[str, tuple[ScoreCell, ...]]


def _item_rows(pairs: ItemPairs) -> Iterator[ComparisonRow]:
    """Yield the metrics that are means over items, each over the items that count for it in both runs."""
    yield _mean_row("answered", [(float(before.answered), float(after.answered)) for before, after in pairs])
    if all(entry.right is not None for pair in pairs for entry in pair):
        yield _mean_row("right, of all", [(float(bool(before.right)), float(bool(after.right))) for before, after in pairs])
    names = [name for name in pairs[0][0].scores if name in pairs[0][1].scores]
    for name in names:
        both = [(before.scores.get(name), after.scores.get(name)) for before, after in pairs]
        counted = [(before, after) for before, after in both if before is not None and after is not None]
        if counted:
            yield _mean_row(f"{name}, both" if len(counted) < len(pairs) else name, counted)


def _mean_row(name: str, both: Sequence[tuple[float, float]]) -> ComparisonRow:
    before, after = [values[0] for values in both], [values[1] for values in both]
    better, worse = (sum(sign * (new - old) > 1e-9 for old, new in both) for sign in (1, -1))
    changes = (better, worse, len(both) - better - worse)
    return name, (len(both), mean(before), mean(after), paired_difference(after, before), *changes)


LabelMeasure = Callable[[Confusion[str]], float]


def _f1_mean(table: Confusion[str], labels: Sequence[str]) -> float:
    return mean([table.scores(label).f1 for label in labels])


def _label_measures(labels: tuple[str, str]) -> dict[str, LabelMeasure]:
    first, second = labels
    return {
        "balanced accuracy": lambda table: table.balanced_accuracy,
        "MCC": lambda table: table.mcc,
        f"F1 ({first})": lambda table: table.scores(first).f1,
        f"F1 ({second})": lambda table: table.scores(second).f1,
        "macro F1": lambda table: _f1_mean(table, labels),
    }


_TASK_LABELS = {VERDICT: (YES, NO), PRESUPPOSITION: (FALSE_PRESUPPOSITION, NORMAL)}


def _null_measure(name: str) -> LabelMeasure:
    def measured(table: Confusion[str]) -> float:
        as_flags = {(gold == _NONE, label == _NONE): number for (gold, label), number in table.counts.items()}
        return float(getattr(null_table_scores(Confusion((True, False), as_flags)), name))

    return measured


def _label_rows(task: str, pairs: ItemPairs) -> Iterator[ComparisonRow]:
    """Yield the measures of labels that are no means over items; those of "no answer" where some items have none."""
    known: tuple[str, ...]
    if task in _TASK_LABELS:
        labels = _TASK_LABELS[task]
        measures, known = _label_measures(labels), (*labels, _NONE)
        triples = [(before.gold[0], _label_of(before, labels), _label_of(after, labels)) for before, after in pairs]
    elif any(not before.gold for before, _ in pairs):
        measures = {f"no answer (M15), {name}": _null_measure(name) for name in ("precision", "recall", "f1")}
        known = (_ANSWER, _NONE)
        triples = [
            (_ANSWER if before.gold else _NONE, _answer_or_none(before), _answer_or_none(after)) for before, after in pairs
        ]
    else:
        return
    counts = Counter(triples)
    for name, measure in measures.items():
        score = partial(_measure_of_run, measure, known)
        difference = bootstrap_counts(counts, partial(_measure_difference, score))
        yield name, (len(pairs), score(counts, 1), score(counts, 2), difference, None, None, None)


LabelTriple = tuple[str, str, str]
"""The gold label of an item, and those of the first and of the second run."""


def _measure_of_run(measure: LabelMeasure, known: tuple[str, ...], counts: Mapping[LabelTriple, int], place: int) -> float:
    table = Counter[tuple[str, str]]()
    for triple, number in counts.items():
        table[triple[0], triple[place]] += number
    return measure(Confusion(known, table))


def _measure_difference(score: Callable[[Mapping[LabelTriple, int], int], float], counts: Mapping[LabelTriple, int]) -> float:
    return score(counts, 2) - score(counts, 1)


def _answer_or_none(entry: ItemScores) -> str:
    return _ANSWER if entry.answered else _NONE


def _label_of(entry: ItemScores, labels: Sequence[str]) -> str:
    return entry.response if entry.response is not None and entry.response in labels else _NONE


def _confidence_rows(pairs: ItemPairs) -> Iterator[ComparisonRow]:
    """Yield the measures of confidence, each of the answers that its own run gives."""
    if any(entry.right is None or entry.confidence is None for pair in pairs for entry in pair):
        return
    for name, measure in _CONFIDENCE_MEASURES.items():
        first, second = (_confidence_score(measure, pairs, place) for place in (0, 1))
        if first is not None and second is not None:
            interval = bootstrap(pairs, partial(_confidence_difference, measure), rounds=_ROUNDS)
            yield name, (len(pairs), first, second, interval, None, None, None)


ConfidenceMeasure = Callable[[Sequence[float], Sequence[bool]], float | None]
_CONFIDENCE_MEASURES: Mapping[str, ConfidenceMeasure] = {
    "ECE": expected_calibration_error,
    "Brier score": brier,
    "AURC": lambda confidences, right: aurc(confidences, [1.0 - ok for ok in right]),
    "AUROC of right answers": auroc,
}


def _confidence_score(measure: ConfidenceMeasure, pairs: ItemPairs, place: int) -> float | None:
    answers = [pair[place] for pair in pairs if pair[place].answered]
    if not answers:
        return None
    return measure([entry.confidence or 0.0 for entry in answers], [bool(entry.right) for entry in answers])


def _confidence_difference(measure: ConfidenceMeasure, pairs: ItemPairs) -> float | None:
    before, after = (_confidence_score(measure, pairs, place) for place in (0, 1))
    return None if before is None or after is None else after - before
