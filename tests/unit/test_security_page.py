"""The page on security names modules and tests; each is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_module_and_test_of_the_page_is_there() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:graph|kgqa|tests|scripts|cypher)(?:/[\w./]+)?)`", page)
    assert len(named) > 50
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_bound_of_the_page_has_a_test() -> None:
    bounded = (ROOT / "docs" / "security.md").read_text(encoding="utf-8").partition("## Bounded")[2].partition("## ")[0]
    rows = [line.split("|") for line in bounded.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 10
    assert [cells[1] for cells in rows if "`tests/" not in cells[4]] == []
