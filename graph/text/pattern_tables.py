"""Tables of patterns in files of tab-separated values, one pattern a line, with an example that a test reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def read_pattern_table(path: Path, fragments: Mapping[str, str] | None = None) -> list[list[str]]:
    """Return the cells of each row of a table; the first line is its header.

    A line of two cells, NAME and a pattern, is a fragment: that pattern replaces {NAME} in the lines behind it, as each of the
    `fragments` that are given replaces its name.
    """
    known = dict(fragments or {})
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        for name, pattern in known.items():
            line = line.replace(f"{{{name}}}", pattern)
        cells = line.split("\t")
        if len(cells) == 2:
            known[cells[0]] = cells[1]
        else:
            rows.append(cells)
    return rows
