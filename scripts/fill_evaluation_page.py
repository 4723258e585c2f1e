"""Write the numbers of finished evaluations into the tables of a page.

    python scripts/fill_evaluation_page.py docs/evaluation.md RESULTS

RESULTS holds a folder for each run, as `kgqa evaluate` has made it. A table of the page stands below a line such as

    <!-- msmarco | Of what is answered | items; coverage; accuracy -->

which names the folder, the table in its metrics.json and the columns, with semicolons between them; rows may be named in a
fourth part. What stands between that line and the next empty line is replaced. A table without results is left, and told.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

_PLACE = re.compile(r"^(<!-- [^\n]+ -->)\n(?:\|[^\n]*\n)*", re.MULTILINE)


def filled(page: str, results: Path) -> tuple[str, list[str]]:
    """Return the page with the tables that there are results for, and the places without any."""
    lost: list[str] = []

    def table(match: re.Match[str]) -> str:
        parts = [part.strip() for part in match[1].removeprefix("<!--").removesuffix("-->").split("|")]
        path = results / parts[0] / "metrics.json"
        if len(parts) < 3 or not path.is_file():
            lost.append(match[1])
            return match[0]
        scores = json.loads(path.read_text(encoding="utf-8"))["scores"]
        if parts[1] not in scores:
            lost.append(match[1])
            return match[0]
        rows = [one.strip() for one in parts[3].split(";")] if len(parts) > 3 else []
        return "\n".join([match[1], *lines_of(scores[parts[1]], [one.strip() for one in parts[2].split(";")], rows)]) + "\n"

    return _PLACE.sub(table, page), lost


def lines_of(table: dict[str, dict[str, Any]], columns: list[str], rows: list[str]) -> list[str]:
    """Return a table as lines of Markdown: those rows, or all of them."""
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    names = [name for name in table if not rows or name in rows]
    return lines + [f"| {name} | {' | '.join(shown(table[name].get(column)) for column in columns)} |" for name in names]


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
    """Fill the page, and tell which tables had no results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("results", type=Path)
    arguments = parser.parse_args()
    text, lost = filled(arguments.page.read_text(encoding="utf-8"), arguments.results)
    arguments.page.write_text(text, encoding="utf-8")
    for place in lost:
        print(f"no results for {place}")


if __name__ == "__main__":
    main()
