"""Several conditions, lists, and spans of time: edits of passages that touch more than one value."""

from __future__ import annotations

import pytest

from kgqa.edits.edit_script import EditSolution
from kgqa.edits.edit_solver import solve_conditional
from kgqa.readers.reader import Passage

CLUB = "The club {club} has {members} members and {halls} halls. Its house was opened in {year} and cost ${cost} million."
PEAKS = "{one} has a height of 5,000 metres; {other} has a height of 4,800 metres."
BAND = "The band was formed by {one}, {two}, {three} and {four}. It played in small halls."
FAIR = "The fair was held in {town} from {first} to {last}, each time in the park."


def first(question: str, text: str) -> EditSolution:
    found = solve_conditional(question, [Passage(text)])
    assert found.solutions, found.why
    return found.solutions[0]


@pytest.mark.parametrize(("club", "members", "halls", "year", "cost"), [("Orion", 12, 3, 1950, 4), ("Harbour", 40, 7, 1987, 9)])
@pytest.mark.parametrize(
    ("question", "wanted", "operations"),
    [
        (
            "If {c} had gained five members and then lost two members, how many members would it have?",
            lambda members, halls, year, cost: str(members + 3),
            ["add", "remove"],
        ),
        (
            "If the house of {c} had been opened two years later and its cost had doubled, in which year would that have been?",
            lambda members, halls, year, cost: str(year + 2),
            ["shift by", "scale by"],
        ),
        (
            "If the house of {c} had been opened two years later and its cost had doubled, how much would it have cost?",
            lambda members, halls, year, cost: f"${2 * cost} million",
            ["scale by", "shift by"],
        ),
        (
            "If {c} had one more member, how many members would {c} have?",
            lambda members, halls, year, cost: str(members + 1),
            ["add"],
        ),
    ],
)
def test_each_condition_is_an_edit_of_its_own(
    club: str, members: int, halls: int, year: int, cost: int, question: str, wanted: object, operations: list[str]
) -> None:
    text = CLUB.format(club=club, members=members, halls=halls, year=year, cost=cost)
    found = first(question.format(c=club), text)
    assert callable(wanted)
    assert found.candidate.text == wanted(members, halls, year, cost)
    assert [edit.operation.value for edit in found.edits] == operations


def test_the_second_edit_starts_from_what_the_first_one_left() -> None:
    text = CLUB.format(club="Orion", members=12, halls=3, year=1950, cost=4)
    edits = first("If Orion had gained five members and then lost two members, how many members would it have?", text).edits
    assert [edit.former for edit in edits] == ["12", "17"]


@pytest.mark.parametrize(("one", "other"), [("Mount Alpha", "Mount Beta"), ("Grey Horn", "Old Baldy")])
@pytest.mark.parametrize(("lower", "higher", "wanted"), [(300, 200, 1), (100, 50, 0), (50, 200, 1), (10, 20, 0)])
def test_heights_of_two_are_compared_after_both_were_changed(one: str, other: str, lower: int, higher: int, wanted: int) -> None:
    question = f"If {one} were {lower} metres lower and {other} were {higher} metres higher, which mountain would be the highest?"
    found = first(question, PEAKS.format(one=one, other=other))
    assert found.candidate.text == (one, other)[wanted]
    assert len(found.edits) == 2


@pytest.mark.parametrize(
    "names", [("Ann Lee", "Bob Ray", "Carl Orff", "Dora Mills"), ("Ida Holm", "Per Lund", "Jo Falk", "Al Beck")]
)
@pytest.mark.parametrize(
    ("question", "wanted", "operation"),
    [
        ("If {two} had not been part of the band, how many members would the band have had?", "3", "remove"),
        ("How many members would have formed the band if {two} had never been there?", "3", "remove"),
        ("If Zoe Quist had joined the band when it was formed, how many members would it have had?", "5", "add"),
    ],
)
def test_a_list_is_counted_without_the_one_that_is_taken_away(
    names: tuple[str, ...], question: str, wanted: str, operation: str
) -> None:
    one, two, three, four = names
    found = first(question.format(two=two), BAND.format(one=one, two=two, three=three, four=four))
    assert found.candidate.text == wanted
    assert found.edits[0].operation.value == operation


@pytest.mark.parametrize(("town", "begun", "ended"), [("Elmstead", 1952, 1956), ("Varna", 1901, 1914)])
@pytest.mark.parametrize(
    ("question", "longer", "unit"),
    [
        ("If the fair in {t} had begun two years earlier, how many years would it have lasted?", 2, ""),
        ("If the fair in {t} had been held for three more years, how long would it have lasted?", 3, " years"),
        ("If the fair in {t} had ended in {x} instead of {l}, how many years would it have lasted?", 3, ""),
    ],
)
def test_what_begins_earlier_or_ends_later_lasts_longer(
    town: str, begun: int, ended: int, question: str, longer: int, unit: str
) -> None:
    found = first(question.format(t=town, x=ended + 3, l=ended), FAIR.format(town=town, first=begun, last=ended))
    assert found.candidate.text == f"{ended - begun + longer}{unit}"


def test_what_is_told_of_once_and_not_counted_is_one() -> None:
    text = "The captain was bitten by the grey dog. He sailed on."
    assert (
        first("If the captain had been bitten one more time, how many times would he have been bitten?", text).candidate.text
        == "2"
    )


def test_a_day_without_its_year_is_moved() -> None:
    text = "The feast is celebrated each year on February 14."
    assert first("If the feast were moved two days earlier, on which date would it be?", text).candidate.text == "February 12"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("If the film had not been shortened, how long would it have originally been?", "60 minutes"),
        ("If the film had not been shortened, how many minutes would it have originally lasted?", "60"),
    ],
)
def test_a_unit_is_said_where_the_question_leaves_it_open(question: str, wanted: str) -> None:
    assert first(question, "The film was originally a 60-minute tale of the sea.").candidate.text == wanted


def test_what_may_well_be_so_takes_nothing_back() -> None:
    text = "The play was originally written by 6 people."
    outcome = solve_conditional("If the play is a comedy, how many people originally write it?", [Passage(text)])
    assert outcome.solutions == ()


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "If the shop closed two hours later, at what time would it close?",
            "The shop is open from 9 a.m. to 5 p.m. and employs seven people.",
            "7 p.m.",
        ),
        (
            "If the meeting had been two days earlier, on what day would it have taken place?",
            "The meeting took place on Tuesday in the hall.",
            "Sunday",
        ),
        (
            "If the keepers had changed three times as often, how many weeks would each spell have lasted?",
            "The keepers changed every six weeks.",
            "2",
        ),
        (
            "If one of the bells had been stolen, how many bells would the church have?",
            "The church has three bells.",
            "2",
        ),
        (
            "If rebuilding had cost 5,000 crowns less, what would it have cost?",
            "Rebuilding took two years and cost 40,000 crowns.",
            "35,000 crowns",
        ),
    ],
)
def test_times_weekdays_frequencies_counts_and_money_are_shifted(question: str, text: str, answer: str) -> None:
    assert first(question, text).candidate.text == answer
