"""Long texts: only the parts that fit the question are read, and they stand where they stand in the text."""

from __future__ import annotations

import pytest

from kgqa.readers.passage_parts import LONG_TEXT, MOST_PARTS, PART_LENGTH, is_text, select_parts
from kgqa.readers.reader import Passage

FILLING = "The harbour was busy all the year round, and ships of many countries lay there. "


def long_text(told: str, before: int = 300, after: int = 300) -> str:
    return f"{FILLING * before}{told} {FILLING * after}"


def test_short_passages_are_read_whole() -> None:
    passages = [Passage("One."), Passage("Two.")]
    assert [(part.passage, part.of, part.start) for part in select_parts("who?", passages)] == [
        (passages[0], 0, 0),
        (passages[1], 1, 0),
    ]


def test_of_a_long_text_the_parts_with_the_words_of_the_question_are_read() -> None:
    text = long_text("Elmo visited Utrecht in 1981.")
    parts = select_parts("When did Elmo visit Utrecht?", [Passage(text, "A page", "7")])
    assert len(parts) == MOST_PARTS
    assert any("Utrecht in 1981" in part.passage.text for part in parts)
    assert {(part.passage.title, part.passage.id) for part in parts} == {("A page", "7")}


def test_a_part_stands_where_it_says() -> None:
    text = long_text("Elmo visited Utrecht in 1981.\n\nThen he left.")
    for part in select_parts("When did Elmo visit Utrecht?", [Passage("Short."), Passage(text)]):
        whole = (Passage("Short."), Passage(text))[part.of].text
        assert whole[part.start : part.start + len(part.passage.text)] == part.passage.text
        assert len(part.passage.text) <= PART_LENGTH


def test_a_text_without_a_single_break_is_cut_all_the_same() -> None:
    parts = select_parts("who?", [Passage("x" * (LONG_TEXT * 3))])
    assert len(parts) == MOST_PARTS
    assert all(len(part.passage.text) == PART_LENGTH for part in parts)


def test_nothing_is_lost_between_the_parts() -> None:
    text = long_text("Elmo visited Utrecht in 1981.", 20, 20)
    parts = select_parts("harbour", [Passage(text)], long=100, most=1000)
    assert "".join(part.passage.text for part in parts) == text


def test_thousands_of_short_passages_are_too_much() -> None:
    parts = select_parts("zebra", [Passage("word")] * 5000 + [Passage("zebra")])
    assert len(parts) == MOST_PARTS
    assert parts[-1].of == 5000


def test_a_word_counts_with_its_other_endings_but_not_inside_another_word() -> None:
    texts = ["The causeway was long. ", "Its economic rise. ", "Nothing of use was said. ", "A bioeconomy. "]
    passages = [Passage(text * 200) for text in texts]
    assert {part.of for part in select_parts("Which economy?", passages, most=1)} == {1}
    assert {part.of for part in select_parts("What is the cause?", passages, most=1)} == {0}, (
        "“cause” is a shorter word: none has it"
    )


def test_passages_that_hold_no_text_have_no_part() -> None:
    passages = [Passage("\x00\x01\x02" * 9000), Passage("Elmo visited Utrecht."), Passage("")]
    assert [(part.of, part.start) for part in select_parts("Utrecht?", passages)] == [(1, 0)]


@pytest.mark.parametrize(
    ("text", "told"), [("", False), ("\0\1\2", False), ("a\0\1\2", False), ("…!", False), ("a", True), ("你", True), ("7", True)]
)
def test_what_is_text(text: str, told: bool) -> None:
    assert is_text(text) is told
