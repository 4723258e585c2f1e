"""Cases of false presuppositions, asked with a comment as the passage and alone; what is known to fail is expected to fail."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from kgqa.answer_model import Answer, PresuppositionStatus, Route
from kgqa.api import answer

CASES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("false_premises.toml").read_text(encoding="utf-8"))["case"]


def cases(way: str) -> list[Any]:
    failing = pytest.mark.xfail(strict=True, reason="known to be wrong")
    return [pytest.param(case, id=case["id"], marks=[failing] if way in case.get("fails", ()) else []) for case in CASES]


def is_flagged(result: Answer) -> bool:
    return result.route is Route.PRESUPPOSITION or statuses(result) >= {PresuppositionStatus.SUSPECT}


def statuses(result: Answer) -> set[PresuppositionStatus]:
    return {item.status for item in result.presuppositions}


@pytest.mark.parametrize("case", cases("passage"))
def test_a_comment_corrects_what_is_false_or_contested(case: dict[str, Any]) -> None:
    result = answer(case["question"], passage=case["comment"])
    if case["expected"] == "false":
        assert result.route is Route.PRESUPPOSITION
        assert case["quotes"] in result.sentence
    elif case["expected"] == "conflict":
        assert PresuppositionStatus.CONTESTED in statuses(result)
    else:
        assert not is_flagged(result)


@pytest.mark.parametrize("case", cases("alone"))
def test_without_a_text_what_is_false_is_suspected_and_nothing_else(case: dict[str, Any]) -> None:
    result = answer(case["question"])
    assert is_flagged(result) is (case["expected"] == "false")
