"""Answers of several spans: when a question asks for several, and which items stand in a list with an answer."""

from __future__ import annotations

import pytest

from kgqa.readers.extractive.answer_lists import MANY, items_wanted, list_items, merge_several
from kgqa.readers.reader import AnswerKind, Candidate, Passage

UNIONS = "Unions came under attack especially in Wisconsin, as well as Indiana, New Jersey and Ohio from conservative governors."
FORTS = "The army lost the forts of Ngasaunggyan and Kaungsin in December."


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("Which two people contested the throne?", 2),
        ("Which states did the governors attack?", MANY),
        ("What ethnic groups went to Macedonia?", MANY),
        ("Who were the presidents?", MANY),
        ("Which state was attacked first?", 1),
        ("What was the name of the ship?", 1),
        ("Which class won?", 1),
        ("What is the tallest of the towers?", 1),
    ],
)
def test_a_plural_or_a_number_asks_for_several_things(question: str, count: int):
    assert items_wanted(question) == count


@pytest.mark.parametrize("answer", ["Wisconsin", "Indiana", "Ohio", "Indiana, New Jersey and Ohio"])
def test_the_items_of_a_list_are_found_from_any_of_them(answer: str):
    start = UNIONS.index(answer)
    items = [UNIONS[first:last] for first, last in list_items(UNIONS, start, start + len(answer))]
    assert items == ["Wisconsin", "Indiana", "New Jersey", "Ohio"]


def test_what_stands_in_no_list_stands_alone():
    start = FORTS.index("December")
    assert list_items(FORTS, start, start + len("December")) == [(start, start + len("December"))]


def test_the_likeliest_span_becomes_a_list_where_several_are_asked_for():
    start = FORTS.index("Kaungsin")
    span = Candidate("Kaungsin", 0.6, AnswerKind.SPAN, 0, start, start + len("Kaungsin"))
    merged = merge_several([span], "Which forts did the army lose?", [Passage(FORTS)])
    assert merged[0].text == "Ngasaunggyan, Kaungsin"
    assert merge_several([span], "Which fort did the army lose?", [Passage(FORTS)]) == [span]
