"""Scores as tables: the same for people, as Markdown, and for programs, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kgqa.evaluation.metrics.score_intervals import Interval

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
