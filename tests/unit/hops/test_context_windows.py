"""Windows of articles: of the size of the paper, the best first."""

from __future__ import annotations

import pytest

from kgqa.hops.context_windows import WindowSize, count_tokens, rank_windows, split_windows, window_size


@pytest.mark.parametrize(
    ("question", "links", "size"),
    [(12, 1, (250, 62)), (12, 0, (500, 125)), (12, 4, (100, 25)), (600, 3, (1, 1)), (0, 511, (1, 1))],
)
def test_windows_leave_room_for_the_question_and_the_other_links(question: int, links: int, size: tuple[int, int]) -> None:
    assert window_size(question, links) == WindowSize(*size)


def test_windows_cover_a_text_and_overlap_by_three_quarters() -> None:
    text = " ".join(f"w{number}" for number in range(10))
    windows = [text[window.start : window.end] for window in split_windows(text, WindowSize(4, 1))]
    assert windows[:2] == ["w0 w1 w2 w3", "w1 w2 w3 w4"]
    assert windows[-1] == "w6 w7 w8 w9"
    assert split_windows("", WindowSize(4, 1)) == []
    assert [text[w.start : w.end] for w in split_windows("one two", WindowSize(4, 1))] == [text[:7]]


def test_signs_are_tokens() -> None:
    assert count_tokens("Who, then?") == 4


def test_the_window_that_has_most_of_the_question_is_first() -> None:
    text = "The siege lasted four months. " + "Nothing happened here. " * 40 + "The siege ended on 11 September 1565."
    best = rank_windows("When did the siege end?", text, WindowSize(20, 5), 1)[0]
    assert "ended on 11 September 1565" in text[best.start : best.end]
