"""How far the words of a question and its passage support that the passage answers it."""

from __future__ import annotations

import pytest

from kgqa.readers.extractive.answer_support import has_asked_kind, support_features, support_log_odds

TEXT = "The bridge over the Tarn was built by Anna Reuss in 1996. It carries 9,200 vehicles a day."


def odds(question: str) -> float:
    start = TEXT.index("Anna Reuss")
    return support_log_odds(question, TEXT, start, start + len("Anna Reuss"))


@pytest.mark.parametrize(
    "question",
    ["Who built the bridge over the Loire?", "Who never built the bridge over the Tarn?", "Who built the bridge in 1873?"],
)
def test_what_the_passage_lacks_or_denies_speaks_against_an_answer(question: str) -> None:
    assert odds(question) > odds("Who built the bridge over the Tarn?")


def test_where_nothing_is_missing_nothing_is_changed() -> None:
    assert odds("Who built the bridge?") == 0.0


def test_features_are_finite_for_an_empty_passage() -> None:
    assert all(value == value for value in support_features("Who?", "", 0, 0).values())


@pytest.mark.parametrize(
    ("question", "answer", "fits"),
    [
        ("In which country was Ada born?", "tremendous impact", False),
        ("In which country was Ada born?", "Norway", True),
        ("At what age did Ada die?", "in the war", False),
        ("At what age did Ada die?", "64", True),
        ("Why did Ada leave?", "the war", True),
    ],
)
def test_an_answer_is_of_the_kind_that_is_asked_for(question: str, answer: str, fits: bool) -> None:
    assert has_asked_kind(question, answer) is fits
