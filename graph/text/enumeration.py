"""Names in a row, as a text has them."""

from __future__ import annotations

from collections.abc import Sequence


def join_phrases(names: Sequence[str]) -> str:
    """Return names as "a, b and c"; names that have a comma of their own are separated by semicolons."""
    if len(names) < 2:
        return "".join(names)
    mark = ";" if len(names) > 2 and any(", " in name for name in names) else ","
    return f"{f'{mark} '.join(names[:-1])}{mark if mark == ';' else ''} and {names[-1]}"
