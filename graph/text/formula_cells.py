"""Cells of CSV that spreadsheets compute: an apostrophe before a cell that would be a formula makes it text.

Excel, LibreOffice and Google Sheets compute a cell that begins with `=`, `+`, `-` or `@`, also in quotes or behind a tab or line
break; such a cell may run a program or send other cells away. An apostrophe more stands before a cell that has one there already,
so that no two cells get one form. Numbers are no formulas.
"""

from __future__ import annotations

import re

ESCAPED_CELL = r"(?s)''*[-=+@\t\r\n＝＋－＠].*"
"""The cells that `escape_formula` makes of others, as a regular expression of Python and of Java for the whole cell."""

_ESCAPED = re.compile(ESCAPED_CELL)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def escape_formula(cell: str) -> str:
    """Return a cell that no spreadsheet computes; `unescape_formula` restores any cell."""
    return f"'{cell}" if _ESCAPED.fullmatch(f"'{cell}") and not _NUMBER.fullmatch(cell) else cell


def unescape_formula(cell: str) -> str:
    """Return the cell of which `escape_formula` made `cell`."""
    return cell[1:] if _ESCAPED.fullmatch(cell) else cell
