"""The acceptance cases of an "if" over a passage, and paraphrases of them about other things, as `kgqa.answer` answers them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgqa import answer
from kgqa.evaluation.metrics.text_scores import exact_match

CASES = {
    case["case"]: case["rows"] for case in json.loads(Path(__file__).with_name("passage_edits.json").read_text(encoding="utf-8"))
}


def test_each_case_has_at_least_five_paraphrases() -> None:
    assert list(CASES) == [f"ACC-{number:02d}" for number in range(1, 13)]
    assert all(len(rows) > 5 for rows in CASES.values())


@pytest.mark.parametrize(
    ("passage", "question", "answers"),
    [pytest.param(*row, id=f"{case}-{row[1]}") for case, rows in CASES.items() for row in rows],
)
def test_a_passage_answers_an_if_with_the_default_reader(passage: str, question: str, answers: list[str]) -> None:
    given = answer(question, passage=passage)
    assert exact_match(given.answer or "", answers) == 1.0, given.trace
