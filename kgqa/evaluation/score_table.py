"""Scores as tables, for people as Markdown and for programs as JSON, and what scoring puts into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgqa.evaluation.metrics.confidence_scores import auroc
from kgqa.evaluation.metrics.label_scores import Confusion, Label, confusion
from kgqa.evaluation.metrics.score_intervals import Interval, bootstrap, bootstrap_counts, bootstrap_mean, paired_difference

_KGQA = re.compile(r"\bkgqa\b")

ScoreCell = Interval | float | int | str | None
"""A score with its interval, a bare number, a word; `None` where there is nothing to say."""


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Scores in rows and columns; `note` says what must be known to read them."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[ScoreCell, ...]], ...]
    note: str = ""

    def markdown(self) -> str:
        """Return the table under its title."""
        lines = [f"## {self.title}", ""]
        if self.note:
            lines += [self.note, ""]
        lines += [_markdown_row(("", *self.columns)), _markdown_row(("---",) * (len(self.columns) + 1))]
        lines += [_markdown_row((name, *map(format_cell, cells))) for name, cells in self.rows]
        return "\n".join(lines) + "\n"

    def for_system(self, name: str) -> ScoreTable:
        """Return the table of another system than kgqa: its title, rows and note name that instead."""
        rows = tuple((_KGQA.sub(lambda _: name, row), cells) for row, cells in self.rows)
        title, note = (_KGQA.sub(lambda _: name, text) for text in (self.title, self.note))
        return ScoreTable(title, self.columns, rows, note)

    def record(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the cells by row and column; a score is an object with "value", "low" and "high"."""
        return {name: dict(zip(self.columns, map(_json_cell, cells), strict=True)) for name, cells in self.rows}


def _markdown_row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def format_cell(cell: ScoreCell) -> str:
    """Return a cell as people read it."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def _json_cell(cell: ScoreCell) -> Any:
    if isinstance(cell, Interval):
        return {name: round(getattr(cell, name), 6) for name in ("value", "low", "high")}
    return round(cell, 6) if isinstance(cell, float) else cell


@dataclass(frozen=True, slots=True)
class ScoringOutcome:
    """The main tables of a run, and kgqa's scores by item: by name, 0..1, `None` for an item that does not count for one.

    `right` tells for each item whether the answer is right; where it is empty, confidence is not about that.
    """

    tables: tuple[ScoreTable, ...]
    scores: Mapping[str, Sequence[float | None]]
    right: Sequence[bool] = ()


def confusion_interval(table: Confusion[Label], measure: Callable[[Confusion[Label]], float]) -> Interval:
    """Return a measure of a confusion with its interval, over items drawn with replacement."""
    return bootstrap_counts(table.counts, lambda drawn: measure(Confusion(table.labels, drawn)))


_BINARY_MEASURES: Mapping[str, Callable[[Confusion[bool]], float]] = {
    "accuracy": lambda table: table.accuracy,
    "balanced accuracy": lambda table: table.balanced_accuracy,
    "MCC": lambda table: table.mcc,
}
BINARY_MEASURES = tuple(_BINARY_MEASURES)
"""What is computed wherever there are two labels."""


def binary_scores(gold: Sequence[bool], predicted: Sequence[bool]) -> tuple[ScoreCell, ...]:
    """Return the scores of `BINARY_MEASURES` with their intervals."""
    table = confusion(gold, predicted, (True, False))
    return tuple(confusion_interval(table, measure) for measure in _BINARY_MEASURES.values())


def auroc_interval(scores: Sequence[float], positive: Sequence[bool]) -> Interval | None:
    """Return the AUROC of scores for positive items with its interval, of 200 rounds; `None` where all items are alike."""
    if len(set(positive)) < 2:
        return None
    pairs = list(zip(scores, positive, strict=True))
    return bootstrap(
        pairs, lambda drawn: auroc([score for score, _ in drawn], [is_positive for _, is_positive in drawn]), rounds=200
    )


def mean_with_interval(values: Sequence[float | None]) -> ScoreCell:
    """Return the mean of the values that are there, with its bootstrap interval; `None` where none is."""
    there = [value for value in values if value is not None]
    return bootstrap_mean(there) if there else None


def difference_table(
    title: str, ours: Mapping[str, Sequence[float]], other_systems: Mapping[str, Mapping[str, Sequence[float]]]
) -> ScoreTable:
    """Return by how much kgqa's scores are higher than those of each other system on the same items, paired item by item.

    Scores are by metric, those of the others by system first. An interval that does not hold 0 is a difference.
    """
    rows = tuple(
        (f"kgqa minus {name}", tuple(paired_difference(ours[metric], scores[metric]) for metric in ours))
        for name, scores in other_systems.items()
    )
    note = "Paired item by item: where the interval does not hold 0, one of the two is better."
    return ScoreTable(title, tuple(ours), rows, note)


def bootstrap_share(flags: Sequence[bool]) -> Interval | None:
    """Return the share of true ones with its bootstrap interval; `None` of nothing."""
    return bootstrap_mean([float(flag) for flag in flags]) if flags else None
