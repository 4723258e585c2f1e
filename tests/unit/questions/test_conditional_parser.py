"""Which questions suppose something, and how they are parted: every opening, before and behind the main clause."""

from __future__ import annotations

import pytest

from kgqa.edits.edit_solver import solve_conditional
from kgqa.edits.plain_question import rewrite_without_condition
from kgqa.questions.conditional_parser import ConditionalMood, ConditionalQuestion, conditional_openings, parse_conditional
from kgqa.readers.reader import Passage

FILM = "The film was originally due on 3 May 2010. Because of a strike of the writers it came out on 7 June 2011."


def parsed(question: str) -> ConditionalQuestion:
    conditional = parse_conditional(question)
    assert conditional is not None
    return conditional


MINISTERS = "In 1937 Neville Chamberlain replaced Stanley Baldwin. Chamberlain resigned in May 1940, and Churchill took over."


@pytest.mark.parametrize("example", [row.example for row in conditional_openings()])
def test_the_example_of_each_opening_is_read(example: str) -> None:
    assert parse_conditional(example) is not None


@pytest.mark.parametrize(
    ("question", "clause", "main", "negated"),
    [
        ("Without Ada resigning, who would lead?", "without Ada resigning", "who would lead", True),
        ("Who would lead without Ada resigning?", "without Ada resigning", "Who would lead", True),
        ("Had it not been for the war, who would lead?", "had it not been for the war", "who would lead", True),
        ("Who would lead had it not been for the war?", "had it not been for the war", "Who would lead", True),
        ("Were it not for the war, who would lead?", "were it not for the war", "who would lead", True),
        ("But for the war, who would have led?", "but for the war", "who would have led", True),
        ("In the absence of war, who would lead?", "in the absence of war", "who would lead", True),
        ("Were Ada to double it, how much would it be?", "were Ada to double it", "how much would it be", False),
        ("How much would it be were Ada to double it?", "were Ada to double it", "How much would it be", False),
        ("Should it rise by 2 m, how deep would it be?", "should it rise by 2 m", "how deep would it be", False),
        ("Assuming Ada had won, who would lead?", "Ada had won", "who would lead", False),
        ("Say Ada had won, who would lead?", "Ada had won", "who would lead", False),
        ("Unless Ada had won, who would lead?", "unless Ada had won", "who would lead", True),
        ("In a world where Ada had won, who would lead?", "Ada had won", "who would lead", False),
        ("What if Ada had won: who would lead?", "Ada had won", "who would lead", False),
        ("If not for the war, who would lead?", "not for the war", "who would lead", True),
        ("If the volcano erupted, would the climate cool?", "the volcano erupted", "would the climate cool", False),
        ("If the volcano erupted would the climate cool?", "the volcano erupted", "would the climate cool", False),
        ("Without the volcano, would the climate cool?", "without the volcano", "would the climate cool", True),
        ("Would the climate cool had the volcano erupted?", "had the volcano erupted", "Would the climate cool", False),
    ],
)
def test_a_question_is_parted_in_what_it_supposes_and_what_it_asks(question: str, clause: str, main: str, negated: bool) -> None:
    found = parse_conditional(question)
    assert found is not None
    assert (found.clause, found.main, found.negated) == (clause, main, negated)
    assert found.mood is not ConditionalMood.OPEN


@pytest.mark.parametrize(
    "question",
    [
        "Who won without dropping a set?",
        "Which river is the longest without its tributaries?",
        "Without a doubt, who is the best?",
        "When were the games held?",
        "Were the games held in Rome, and who won them?",
        "When had the tower been built?",
        "Whom should the king marry?",
        "With which breed would it be shown?",
        "With great care, who would write so?",
        "Who wrote the book Assuming the Position?",
        "Why did Devon assume considerable status?",
        "What event could have had an effect on the building?",
        "Why was the plant given that name?",
    ],
)
def test_a_question_that_only_has_such_a_word_supposes_nothing(question: str) -> None:
    assert parse_conditional(question) is None


@pytest.mark.parametrize(
    "opening",
    ["Had it not been for the strike", "Without the strike", "But for the strike", "If not for the strike", "Barring the strike"],
)
def test_what_is_taken_away_leaves_what_was_planned(opening: str) -> None:
    assert (
        solve_conditional(f"{opening}, when would the film have come out?", [Passage(FILM)]).solutions[0].candidate.text
        == "May 3, 2010"
    )


def test_a_gerund_takes_an_event_away() -> None:
    found = solve_conditional(
        "Without Chamberlain replacing him, who would have been Prime Minister in 1939?", [Passage(MINISTERS)]
    ).solutions
    assert "Stanley Baldwin" in [one.candidate.text for one in found]


def test_what_is_taken_away_is_told_as_a_fact_to_ask_without_the_if() -> None:
    assert (
        rewrite_without_condition(parsed("But for the war, would the summer have been warm?"))
        == "There was the war. Was the summer warm?"
    )
    contrary = parsed("Had it not been for the war, who would have led?")
    assert rewrite_without_condition(contrary) == "There was the war. Who had led?"
