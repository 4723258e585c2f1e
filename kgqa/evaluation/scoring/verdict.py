"""Questions that ask whether: accuracy, balanced accuracy, MCC and F1, of what is answered and of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from kgqa.evaluation.baselines.trivial import majority
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import NO, YES, Item
from kgqa.evaluation.metrics.averages import mean
from kgqa.evaluation.metrics.classification import Confusion
from kgqa.evaluation.metrics.intervals import bootstrap_counts
from kgqa.evaluation.prediction import CLAIMS_ALONE, Prediction
from kgqa.evaluation.scoring.misses import missed
from kgqa.evaluation.scoring.outcome import Outcome, differences, share
from kgqa.evaluation.tables import Cell, Table

_NONE = "none"
_LABELS = (YES, NO, _NONE)
MEASURES: Mapping[str, Callable[[Confusion[str]], float]] = {
    "accuracy": lambda table: table.accuracy,
    "balanced accuracy": lambda table: table.balanced_accuracy,
    "MCC": lambda table: table.mcc,
    "F1 (yes)": lambda table: table.scores(YES).f1,
    "F1 (no)": lambda table: table.scores(NO).f1,
    "macro F1": lambda table: mean([table.scores(label).f1 for label in (YES, NO)]),
}
"""What is computed of a confusion of verdicts."""

_OF_BOTH = ("balanced accuracy", "MCC", "macro F1")
"""What says nothing where all items have the same gold answer."""

ANSWERED = "Of what is answered"
_PLAUSIBLE = (
    "The row kgqa is the verdict on each pair, or, without one, whether the two are plausible as cause and effect by their "
    f'places in the graph and their kinds; the row "{CLAIMS_ALONE}" is the verdicts only. Plausibility was fitted on '
    "semeval_pairs/train.csv, pairs of the collection that valid.csv is of, too; no graph built from their sentences may be "
    "asked."
)
_FORMS = {
    "Of all questions, unknown counts as wrong": _NONE,
    "Of all questions, unknown counts as the majority": "",
    "Of all questions, unknown counts as no": NO,
}


def score(dataset: Dataset, items: Sequence[Item], predictions: Sequence[Prediction]) -> Outcome:
    """Return the scores of verdicts; a contested one takes no side and counts with the unknown ones."""
    gold = [item.label for item in items]
    ours = [one.said if one.answered else None for one in predictions]
    most = majority(items) or YES
    systems: dict[str, list[str | None]] = {"kgqa": ours}
    for name in dict.fromkeys(name for one in predictions for name in one.baselines):
        systems[name] = [one.baselines.get(name) for one in predictions]
    systems["always yes"] = [YES] * len(items)
    systems["always no"] = [NO] * len(items)
    on_ours = {f"always {label}, where kgqa answers": [label if one else None for one in ours] for label in (YES, NO)}
    sparse = (
        "Each system on the items that it answers itself, the last two on those that kgqa answers. A baseline that never answers "
        "has no row; a dash stands where all of these items have the same gold answer."
    )
    tables = [_table(ANSWERED, gold, systems | on_ours, None, f"{_PLAUSIBLE} {sparse}" if CLAIMS_ALONE in systems else sparse)]
    note = f"The majority of these items is {most}; each of the constant answers has no knowledge at all."
    tables += [_table(title, gold, systems, fill or most, note) for title, fill in _FORMS.items()]
    hits = {name: _hits(gold, said, most) for name, said in systems.items()}
    tables.append(differences("Differences in accuracy", hits.pop("kgqa"), hits))
    tables.append(_kinds(predictions))
    if any(item.pair for item in items):
        tables.append(missed(items, predictions))
    right = [one == label for one, label in zip(ours, gold, strict=True)]
    on_answered = [float(ok) if said is not None else None for ok, said in zip(right, ours, strict=True)]
    return Outcome(tuple(tables), {"accuracy of what is answered": on_answered}, right)


def _table(title: str, gold: Sequence[str], systems: Mapping[str, Sequence[str | None]], fill: str | None, note: str) -> Table:
    """Return the scores of each system; `fill` stands for no answer, which is left out where it is `None`."""
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for system, said in systems.items():
        pairs = Counter((label, one or fill) for label, one in zip(gold, said, strict=True) if one or fill)
        counts = {(label, one): number for (label, one), number in pairs.items() if one}
        if not counts:
            if system == "kgqa":
                rows.append((system, (0, share([False] * len(said)), *(None for _ in MEASURES))))
            continue
        both = {label for label, _ in counts} == {YES, NO}
        scores = [bootstrap_counts(counts, _on(name)) if both or name not in _OF_BOTH else None for name in MEASURES]
        cells: tuple[Cell, ...] = (sum(counts.values()), share([one is not None for one in said]), *scores)
        rows.append((system, cells))
    return Table(title, ("items", "coverage", *MEASURES), tuple(rows), note)


def _hits(gold: Sequence[str], said: Sequence[str | None], most: str) -> dict[str, list[float]]:
    """Return for each item whether it is right, by what counts for no answer."""
    fills = {f"unknown is the majority ({most})": most, "unknown is no": NO}
    return {
        title: [float((one or fill) == label) for label, one in zip(gold, said, strict=True)] for title, fill in fills.items()
    }


def _on(name: str) -> Callable[[Mapping[tuple[str, str], int]], float | None]:
    """Return a measure as a statistic of counts, undefined where it needs both gold answers and one was not drawn."""

    def measured(counts: Mapping[tuple[str, str], int]) -> float | None:
        if name in _OF_BOTH and len({label for (label, _), number in counts.items() if number}) < 2:
            return None
        return MEASURES[name](Confusion(_LABELS, counts))

    return measured


def _kinds(predictions: Sequence[Prediction]) -> Table:
    """Return how often each verdict is given."""
    counts = Counter(one.said or "unknown" for one in predictions)
    rows = tuple((name, (number, share([one.said == name for one in predictions]))) for name, number in counts.most_common())
    return Table("Verdicts of kgqa", ("items", "share"), rows)
