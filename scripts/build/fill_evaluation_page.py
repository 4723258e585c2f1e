"""Write the numbers of finished evaluations into the tables of a page.

    python scripts/build/fill_evaluation_page.py docs/evaluation.md RESULTS

RESULTS holds a folder for each run, as `kgqa evaluate` has made it. A table of the page stands below a line such as

    <!-- msmarco | Of what is answered | items; coverage; accuracy -->

which names the folder, the table in its metrics.json and the columns, with semicolons between them; rows may be named in a
fourth part. Several runs side by side are named with what their rows are to be called, and one row of each:

    <!-- ifqa = both; ifqa-edits = edits alone | Scores | coverage; EM; F1 | kgqa -->

What stands between that line and the next empty line is replaced. A table that lacks a run is left as it is, and told; one whose
run has no such table or column is a mistake of the page, and nothing is written then.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

_PLACE = re.compile(r"^(<!-- [^\n]+ -->)\n(?:\|[^\n]*\n)*", re.MULTILINE)

Rows = dict[str, dict[str, Any]]


class PlaceWrong(Exception):
    """A place of the page names what no run has, or does not say what is to stand there."""


class Place(NamedTuple):
    """What is to stand at a place of the page: of these runs, each with what its row is called, that table, columns and rows."""

    runs: dict[str, str]
    table: str
    columns: list[str]
    rows: list[str]


def filled(page: str, results: Path) -> tuple[str, list[str]]:
    """Return the page with the tables that there are results for, and the places without any; raises `PlaceWrong`."""
    lost: list[str] = []

    def table(match: re.Match[str]) -> str:
        place = read(match[1])
        if not all((results / run / "metrics.json").is_file() for run in place.runs):
            lost.append(match[1])
            return match[0]
        try:
            return "\n".join([match[1], *lines_of(rows_of(place, results), place.columns)]) + "\n"
        except KeyError as error:
            raise PlaceWrong(f"{match[1]} asks for {error}, which its run does not have") from None

    return _PLACE.sub(table, page), lost


def read(line: str) -> Place:
    """Return what a line of the page says; raises `PlaceWrong`."""
    parts = [part.strip() for part in line.removeprefix("<!--").removesuffix("-->").split("|")]
    if len(parts) not in (3, 4):
        raise PlaceWrong(f"{line} does not have three or four parts with | between them")
    runs, columns, rows = ([one.strip() for one in part.split(";")] for part in (parts[0], parts[2], (parts[3:] or [""])[0]))
    named = {run.strip(): name.strip() for run, _, name in (one.partition("=") for one in runs)}
    if len(named) > 1 and not all((*named.values(), *rows)):
        raise PlaceWrong(f"{line} has several runs, but not a name for each and a row")
    return Place(named, parts[1], columns, [one for one in rows if one])


def rows_of(place: Place, results: Path) -> Rows:
    """Return the rows of a place, without those that its run does not have; raises `KeyError` for a table or a column."""
    found: Rows = {}
    for run, name in place.runs.items():
        scores = json.loads((results / run / "metrics.json").read_text(encoding="utf-8"))["scores"][place.table]
        for row, cells in scores.items():
            if not place.rows or row in place.rows:
                found[name or row] = {column: cells[column] for column in place.columns}
    return found


def lines_of(table: Rows, columns: list[str]) -> list[str]:
    """Return a table as lines of Markdown."""
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    return lines + [f"| {name} | {' | '.join(shown(cells[column]) for column in columns)} |" for name, cells in table.items()]


def shown(cell: object) -> str:
    """Return a cell: a score as .919 [.875, .956]."""
    if isinstance(cell, dict):
        return f"{short(cell['value'])} [{short(cell['low'])}, {short(cell['high'])}]"
    if isinstance(cell, float):
        return short(cell)
    return "–" if cell is None else f"{cell:,}" if isinstance(cell, int) else str(cell)


def short(number: float) -> str:
    """Return a number with three places, without a zero before the point."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{number:.3f}")


def main() -> None:
    """Fill the page, and tell which tables lack a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("results", type=Path)
    arguments = parser.parse_args()
    try:
        text, lost = filled(arguments.page.read_text(encoding="utf-8"), arguments.results)
    except (OSError, PlaceWrong, ValueError) as error:
        sys.exit(f"nothing is written: {error}")
    arguments.page.write_text(text, encoding="utf-8")
    for place in lost:
        print(f"left as it is, for lack of a run: {place}", file=sys.stderr)


if __name__ == "__main__":
    main()
