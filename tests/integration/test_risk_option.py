"""`kgqa ask --risk`: answering only where the expected error is low enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import kgqa


def test_the_command_holds_back_and_says_so(tmp_path: Path) -> None:
    claims = tmp_path / "claims.csv"
    claims.write_text("cause,effect\nrain,floods\n", encoding="utf-8")
    graph = str(tmp_path / "g.kgqa")
    assert kgqa("load", "csv", str(claims), "-g", graph).code == 0
    asked = ["ask", "What causes floods?", "-g", graph, "--json"]

    free, held = (json.loads(kgqa(*asked, *more).out) for more in ([], ["--risk", "0"]))

    assert (free["answer"], held["answer"], held["answers"]) == ("rain", None, [])
    assert held["missing"]


@pytest.mark.parametrize("value", ["-0.1", "1.1", "nan", "much"])
def test_a_risk_that_is_none_is_refused(value: str) -> None:
    ended = kgqa("ask", "What causes floods?", f"--risk={value}")

    assert ended.code == 2
    assert "0" in ended.err
    assert "Traceback" not in ended.err
