"""The kind of an answer, and answers that an "if" would have changed."""

from __future__ import annotations

import pytest

from kgqa.passages.answer_kind import depends_on_condition, is_of_requested_kind
from kgqa.questions.conditional_parser import parse_conditional


@pytest.mark.parametrize(
    ("question", "answer", "fits"),
    [
        ("In what year did she resign?", "1849", True),
        ("In what year did she resign?", "the following spring", False),
        ("If she had resigned, in which year would it have been?", "18", False),
        ("How many goals did he score?", "eleven goals", True),
        ("How many goals did he score?", "the first", False),
        ("On which weekday was it?", "on Sundays", True),
        ("On which weekday was it?", "3 May", False),
        ("On what date did it open?", "3 May", True),
        ("Who won the race?", "Anna Holt", True),
        ("What was the name of the uncle who taught Teles?", "Joaquim Teles", False),
        ("Who won, Anna Holt or Eva Roth?", "Anna Holt", True),
        ("Which airline operated the flight?", "407", False),
        ("Who won the race?", "1953", False),
        ("Who won the race?", "March", False),
        ("How much did she receive?", "the estate", False),
        ("Why did he resign?", "a quarrel", True),
        ("Why did Banti stop singing?", "The tenor Aurelio Banti", False),
        ("Why did Banti stop singing?", "Banti quarrelled with the conductor of the opera", True),
    ],
)
def test_an_answer_is_of_the_kind_that_is_asked_for(question: str, answer: str, fits: bool) -> None:
    assert is_of_requested_kind(question, parse_conditional(question), answer) is fits


@pytest.mark.parametrize(
    ("question", "answer", "confidence", "depends"),
    [
        ("If the dam had been opened two years later, in what year would that have been?", "1931", 0.9, True),
        ("If she had been born in 1850, how old would she have been?", "31", 0.9, True),
        ("If the club had moved to Oslo, how many members would it have had?", "31", 0.2, True),
        ("If the club had moved to Oslo, how many members would it have had?", "31", 0.6, False),
        ("If the club had not moved to Oslo, how many members would have stayed?", "31", 0.2, False),
        ("If the Duke had been ill, who would have opened the bridge?", "Duke", 0.6, True),
        ("If the club had moved to Oslo, who would have led it?", "Anna Holt", 0.2, False),
    ],
)
def test_a_number_that_an_if_changes_is_no_answer_without_it(
    question: str, answer: str, confidence: float, depends: bool
) -> None:
    conditional = parse_conditional(question)
    assert conditional is not None
    assert depends_on_condition(conditional, answer, confidence) is depends


@pytest.mark.parametrize(
    ("question", "answer", "fits"),
    [
        ("In which ocean is the island?", "Port Moresby", False),
        ("In which ocean is the island?", "the Pacific", True),
        ("Into which sea does it flow?", "Italy", False),
        ("Into which sea does it flow?", "the Persian Gulf", True),
        ("Which river did they cross?", "Paraguay", True),
    ],
)
def test_a_place_on_land_is_no_sea(question: str, answer: str, fits: bool) -> None:
    assert is_of_requested_kind(question, None, answer) is fits
