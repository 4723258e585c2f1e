"""Scores of an evaluation in the terminal: those of one system, and the differences of two runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kgqa.cli.output.terminal import say

if TYPE_CHECKING:
    from kgqa.evaluation.score_table import ScoreTable


def print_summary(tables: Sequence[ScoreTable], out: str, system: str) -> None:
    """Print the scores of a system, of the first table that has them, and where all the rest is."""
    from kgqa.evaluation.evaluation_run import METRICS, PREDICTIONS, REPORT
    from kgqa.evaluation.score_table import format_cell

    own = [(table, row) for table in tables for row in table.rows if row[0].startswith(system)]
    say(f"{(own[0][0] if own else tables[0]).title}:")
    for table, (name, cells) in own[:1]:
        scores = (f"{column} {format_cell(cell)}" for column, cell in zip(table.columns, cells, strict=True))
        say(f"{name}: {'; '.join(scores)}", "  ", "    ")
    say(f"all tables, with the baselines: {Path(out) / REPORT}; beside it {PREDICTIONS} and {METRICS}")


def print_differences(table: ScoreTable) -> None:
    """Print a metric a line: both scores, the difference with its interval, and how many items changed either way."""
    from kgqa.evaluation.score_table import format_cell

    say(table.note)
    for name, (items, first, second, difference, better, worse, alike) in table.rows:
        scores = f"{format_cell(first)} and {format_cell(second)}, difference {format_cell(difference)}"
        changes = (
            "" if better is None else f"; {format_cell(better)} better, {format_cell(worse)} worse, {format_cell(alike)} alike"
        )
        say(f"{name} ({format_cell(items)}): {scores}{changes}", "  ", "    ")
