"""Who is last, first or next in a row of dated events after that of one was taken out, and parts of a number of things."""

from __future__ import annotations

import pytest

from kgqa.edits.edit_script import EditOperation, EditSolution
from kgqa.edits.edit_solver import solve_conditional
from kgqa.readers.reader import Passage

PRIZE = (
    "{a} was the first woman to win the {prize}, in {one}. {b} won it in {two}. {c} won it in {three} for her work. "
    "{d} followed in {four}."
)
PRIZES = [
    ("Marie Curie", "Maria Goeppert Mayer", "Donna Strickland", "Andrea Ghez", "Nobel Prize in Physics", 1903, 1963, 2018, 2020),
    ("Ida Falk", "Una Moss", "Greta Blom", "Karin Voss", "Lindqvist Medal", 1911, 1927, 1930, 1952),
]
CUP = "The World Cup was won by Brazil in 2002, Italy in 2006, Spain in 2010 and Germany in 2014. France won it in 2018."
RACE = (
    "In 1991, Ayrton Senna won the race in Monaco. In 1992 Senna won again. In 1993, Senna beat Damon Hill. The 1994 race was "
    "won by Michael Schumacher, and in 1996 Olivier Panis won it."
)
POLE = (
    "Roald Amundsen reached the South Pole on 14 December 1911. Robert Falcon Scott reached it on 17 January 1912. Edmund "
    "Hillary, born in 1919, reached it overland in January 1958, and Vivian Fuchs followed in March 1958."
)
OFFICE = (
    "John Kennedy became president of Borduria in 1961. He was succeeded by Lyndon Marr in 1963. Richard Nolan became president "
    "in 1969 and fell ill in 1971."
)
LEAGUE = (
    "Liverpool won the league in 1990. Leeds won it in 1992. Manchester United won the league in 1993. Blackburn won a cup in "
    "1928 and won the league in 1995."
)
PEAK = (
    "The peak of Tarn was first climbed by Ole Brandt in 1878. Sixty years later, in 1938, Karin Voss climbed it alone. Brandt "
    "died in 1911. Peter Hale tried in 1950 but did not reach the top. Hanna Weiss climbed it in 1962."
)
LIST = "The winners were Greta Blom (1987), Ida Falk (1991) and Una Moss (1999). Blom, born in 1960, was a teacher."


def removed(question: str, text: str) -> EditSolution | None:
    found = solve_conditional(question, [Passage(text)]).solutions
    return next((one for one in found if one.rule == "row: remove"), None)


@pytest.mark.parametrize("world", PRIZES)
@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("If {c} had not won the {prize}, who would have been the last woman to win it before {four}?", "b"),
        ("If {c} had not won the {prize}, who would have been the most recent woman to win it by {three}?", "b"),
        ("If {d} had not won the {prize}, which woman would have been the last to win it?", "c"),
        ("If {a} had never won the {prize}, who would have been the first woman to win it?", "b"),
        ("Had {b} not won the {prize}, who would have been the second woman to win it?", "c"),
        ("If {b} had not won the {prize}, who would have been the next to win it after {a}?", "c"),
        ("If {c} had not won it, who would have been the previous woman to win the {prize} before {d}?", "b"),
        ("Without {c} winning the {prize}, who would have been the only one to win it between {two} and {three}?", "b"),
    ],
)
def test_an_event_is_taken_out_of_a_row_and_its_neighbour_read(world: tuple[object, ...], question: str, winner: str) -> None:
    names = dict(zip(("a", "b", "c", "d", "prize", "one", "two", "three", "four"), world, strict=True))
    found = removed(question.format(**names), PRIZE.format(**names))
    assert found is not None
    assert found.candidate.text == names[winner]
    assert [edit.operation for edit in found.edits] == [EditOperation.REMOVE]
    assert any(line.startswith("consequence:") and "→ gone; left" in line for line in found.candidate.trace)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("If Italy had not won the World Cup, which team would have been the last to win it before 2010?", CUP, "Brazil"),
        ("If the World Cup had not been won by Germany, who would have been the latest winner before 2018?", CUP, "Spain"),
        ("If Brazil had not won the World Cup, which team would have been the first to win it after 2000?", CUP, "Italy"),
        ("If Ayrton Senna had not won the race, who would have been the first to win it?", RACE, "Michael Schumacher"),
        ("If Olivier Panis had not won the race, who would have been the last to win it?", RACE, "Michael Schumacher"),
        ("If Scott had not reached the South Pole, who would have been the next to reach it?", POLE, "Edmund Hillary"),
        (
            "If Fuchs had not reached the South Pole, who would have been the last to reach it by May 1958?",
            POLE,
            "Edmund Hillary",
        ),
        ("If Nolan had not become president, who would have been the last president before 1972?", OFFICE, "Lyndon Marr"),
        (
            "If Leeds had not won the league, which club would have been the next to win it after 1990?",
            LEAGUE,
            "Manchester United",
        ),
        ("If Blackburn had not won the league, which club would have been the last to win it?", LEAGUE, "Manchester United"),
        ("If Ole Brandt had not climbed the peak of Tarn, who would have been the first to climb it?", PEAK, "Karin Voss"),
        ("If Hanna Weiss had not climbed the peak of Tarn, who would have been the last to climb it?", PEAK, "Karin Voss"),
        ("If Ida Falk had not won, who would have been the last winner before 1995?", LIST, "Greta Blom"),
    ],
)
def test_a_row_is_read_however_it_is_told(question: str, text: str, answer: str) -> None:
    found = removed(question, text)
    assert found is not None
    assert found.candidate.text == answer


@pytest.mark.parametrize(
    "question",
    [
        "If Everton had not won the league, which club would have been the last to win it?",
        "If Leeds had not won the league, which club would have been the last to win it before 1980?",
        "If Leeds had not won the league, which club would have been the last not to win it?",
        "If Leeds had won the league in 1994, which club would have been the last to win it?",
        "If Leeds had not won the league, which club would have been the only one to win it after 1980?",
        "If Leeds had not won the league, which club would have been champion?",
    ],
)
def test_nothing_is_read_off_a_row_that_does_not_tell_it(question: str) -> None:
    assert removed(question, LEAGUE) is None


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "If twice as many riders had finished the first Tour de France, how many riders would have finished?",
            "The first Tour had six stages. Of the 60 riders who started, 21 finished, and Maurice Garin won.",
            "42",
        ),
        (
            "If twice as many riders had started the first Tour de France, how many riders would have started?",
            "The first Tour had six stages. Of the 60 riders who started, 21 finished, and Maurice Garin won.",
            "120",
        ),
        (
            "If three more sailors had survived the wreck, how many sailors would have survived?",
            "The Sirena sank in 1904. Out of the 84 sailors on board, 37 survived and 12 were found on the beach.",
            "40",
        ),
        (
            "If half as many students had passed the exam, how many students would have passed?",
            "The exam was held on 3 May. Of its 250 students, 180 passed and 70 failed.",
            "90",
        ),
        (
            "If twice as many films had been restored, how many films would have been restored?",
            "Of the 40 films that he made, 11 were restored by the archive and 3 are lost.",
            "22",
        ),
        (
            "If twice as many riders had finished, how many riders would have finished?",
            "21 of the 60 riders who started finished the race.",
            "42",
        ),
    ],
)
def test_a_part_counts_what_the_whole_does_by_its_own_verb(question: str, text: str, answer: str) -> None:
    found = solve_conditional(question, [Passage(text)]).solutions
    assert found
    assert found[0].candidate.text == answer
