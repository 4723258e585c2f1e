"""Cases of passages whose links have to be followed; what is known to fail is expected to fail."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from kgqa.answer_model import Answer
from kgqa.api import answer
from kgqa.hops.context_windows import WindowSize, window_size
from kgqa.readers.answer_normalisation import normalise_answer
from kgqa.reasons import Step

CASES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("linked_passages.toml").read_text(encoding="utf-8"))["case"]
FILLER = " ".join(f"The knights held the fort of number {number} with their guns and their walls." for number in range(60))


def cases(part: str) -> list[Any]:
    failing = pytest.mark.xfail(strict=True, reason="known to be wrong")
    chosen = [case for case in CASES if part in case]
    return [pytest.param(case, id=case["id"], marks=[failing] if part in case["fails"] else []) for case in chosen]


def ask_with_links(case: dict[str, Any], folder: Path, *, follow: bool = True) -> Answer:
    articles = folder / "articles.jsonl"
    rows = ({"title": title, "text": text.replace("{filler}", FILLER)} for title, text in case["articles"].items())
    articles.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return answer(case["question"], passage=case["passage"], articles=articles, follow=follow)


@pytest.mark.parametrize("case", cases("answer"))
def test_what_linked_articles_tell_is_the_answer_and_nothing_else(case: dict[str, Any], tmp_path: Path) -> None:
    result = ask_with_links(case, tmp_path)
    assert normalise_answer(result.answer or "") == normalise_answer(case["answer"])


@pytest.mark.parametrize("case", cases("follows"))
def test_the_links_that_are_needed_are_followed_and_no_others(case: dict[str, Any], tmp_path: Path) -> None:
    result = ask_with_links(case, tmp_path)
    hops = [step for step in result.steps if isinstance(step, Step) and step.kind == "hop"]
    assert sorted(step.facts[1] for step in hops) == sorted(case["follows"])


def test_windows_have_the_size_of_the_paper() -> None:
    """ACC-58."""
    assert window_size(12, 1) == WindowSize(250, 62)
    assert window_size(12, 0) == WindowSize(500, 125)
