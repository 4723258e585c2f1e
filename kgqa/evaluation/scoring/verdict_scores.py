"""Questions that ask whether: accuracy, balanced accuracy, MCC and F1, of what is answered and of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from kgqa.evaluation.baselines import majority_answer
from kgqa.evaluation.dataset_item import NO, YES, DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.metrics.label_scores import Confusion
from kgqa.evaluation.metrics.metric_conventions import mean
from kgqa.evaluation.metrics.score_intervals import bootstrap_counts
from kgqa.evaluation.prediction import CLAIMS_ALONE, Prediction
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, ScoringOutcome, bootstrap_share, difference_table
from kgqa.evaluation.scoring.error_analysis import miss_table

_NO_VERDICT = "none"
_LABELS = (YES, NO, _NO_VERDICT)
MEASURES: Mapping[str, Callable[[Confusion[str]], float]] = {
    "accuracy": lambda table: table.accuracy,
    "balanced accuracy": lambda table: table.balanced_accuracy,
    "MCC": lambda table: table.mcc,
    "F1 (yes)": lambda table: table.scores(YES).f1,
    "F1 (no)": lambda table: table.scores(NO).f1,
    "macro F1": lambda table: mean([table.scores(label).f1 for label in (YES, NO)]),
}
"""What is computed of a confusion of verdicts."""

_NEEDS_BOTH_LABELS = ("balanced accuracy", "MCC", "macro F1")
"""What says nothing where all items have the same gold answer."""

ANSWERED = "Of what is answered"
_PLAUSIBLE = (
    "The row kgqa is the verdict on each pair, or, without one, whether the two are plausible as cause and effect by their "
    f'places in the graph and their kinds; the row "{CLAIMS_ALONE}" is the verdicts only. Plausibility was fitted on '
    "semeval_pairs/train.csv, pairs of the collection that valid.csv is of, too; no graph built from their sentences may be "
    "asked."
)
_FORMS = {
    "Of all questions, unknown counts as wrong": _NO_VERDICT,
    "Of all questions, unknown counts as the majority": "",
    "Of all questions, unknown counts as no": NO,
}


def score_verdicts(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the scores of verdicts; a contested one takes no side and counts with the unknown ones."""
    gold = [item.label for item in items]
    ours = [prediction.response if prediction.answered else None for prediction in predictions]
    most = majority_answer(items) or YES
    systems: dict[str, list[str | None]] = {"kgqa": ours}
    for name in dict.fromkeys(name for prediction in predictions for name in prediction.baselines):
        systems[name] = [prediction.baselines.get(name) for prediction in predictions]
    systems["always yes"] = [YES] * len(items)
    systems["always no"] = [NO] * len(items)
    on_ours = {
        f"always {label}, where kgqa answers": [label if prediction else None for prediction in ours] for label in (YES, NO)
    }
    sparse = (
        "Each system on the items that it answers itself, the last two on those that kgqa answers. A baseline that never answers "
        "has no row; a dash stands where all of these items have the same gold answer."
    )
    tables = [
        _verdict_table(ANSWERED, gold, systems | on_ours, None, f"{_PLAUSIBLE} {sparse}" if CLAIMS_ALONE in systems else sparse)
    ]
    note = f"The majority of these items is {most}; each of the constant answers has no knowledge at all."
    tables += [_verdict_table(title, gold, systems, fill or most, note) for title, fill in _FORMS.items()]
    hits = {name: _hits_by_fill(gold, response, most) for name, response in systems.items()}
    tables.append(difference_table("Differences in accuracy", hits.pop("kgqa"), hits))
    tables.append(_verdict_counts(predictions))
    if any(prediction.names_found for prediction in predictions):
        tables.append(miss_table(items, predictions))
    right = [prediction == label for prediction, label in zip(ours, gold, strict=True)]
    on_answered = [float(ok) if response is not None else None for ok, response in zip(right, ours, strict=True)]
    return ScoringOutcome(tuple(tables), {"accuracy of what is answered": on_answered}, right)


def _verdict_table(
    title: str, gold: Sequence[str], systems: Mapping[str, Sequence[str | None]], fill: str | None, note: str
) -> ScoreTable:
    """Return the scores of each system; `fill` stands for no answer, which is left out where it is `None`."""
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for system, responses in systems.items():
        pairs = Counter((label, response or fill) for label, response in zip(gold, responses, strict=True) if response or fill)
        counts = {(label, response): number for (label, response), number in pairs.items() if response}
        if not counts:
            if system == "kgqa":
                rows.append((system, (0, bootstrap_share([False] * len(responses)), *(None for _ in MEASURES))))
            continue
        both = {label for label, _ in counts} == {YES, NO}
        scores = [
            bootstrap_counts(counts, _as_verdict_statistic(name)) if both or name not in _NEEDS_BOTH_LABELS else None
            for name in MEASURES
        ]
        coverage = bootstrap_share([response is not None for response in responses])
        rows.append((system, (sum(counts.values()), coverage, *scores)))
    return ScoreTable(title, ("items", "coverage", *MEASURES), tuple(rows), note)


def _hits_by_fill(gold: Sequence[str], responses: Sequence[str | None], most: str) -> dict[str, list[float]]:
    """Return for each item whether it is right, by what counts for no answer."""
    fills = {f"unknown is the majority ({most})": most, "unknown is no": NO}
    return {
        title: [float((response or fill) == label) for label, response in zip(gold, responses, strict=True)]
        for title, fill in fills.items()
    }


def _as_verdict_statistic(name: str) -> Callable[[Mapping[tuple[str, str], int]], float | None]:
    """Return a measure as a statistic of counts, undefined where it needs both gold answers and one was not drawn."""

    def measured(counts: Mapping[tuple[str, str], int]) -> float | None:
        if name in _NEEDS_BOTH_LABELS and len({label for (label, _), number in counts.items() if number}) < 2:
            return None
        return MEASURES[name](Confusion(_LABELS, counts))

    return measured


def _verdict_counts(predictions: Sequence[Prediction]) -> ScoreTable:
    counts = Counter(prediction.response or "unknown" for prediction in predictions)
    rows = tuple(
        (name, (number, bootstrap_share([prediction.response == name for prediction in predictions])))
        for name, number in counts.most_common()
    )
    return ScoreTable("Verdicts of kgqa", ("items", "share"), rows)
