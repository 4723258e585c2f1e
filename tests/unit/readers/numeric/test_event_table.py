"""The event table: dates that follow from others and from ages, and what is computed from them; parts of a whole."""

from __future__ import annotations

import pytest

from kgqa.readers.numeric.event_table import event_table
from kgqa.readers.numeric.numeric_operations import compute_numeric_answer
from kgqa.readers.numeric.numeric_question import parse_numeric_question

NOVELIST = (
    "Ada Holm was born in Bergen on 14 March 1838. She married the botanist Karl Issel in 1861, and the couple "
    "moved to Lisbon four years later. Her first novel appeared in 1869. At 45 she opened a school. She was widowed "
    "in 1880 and died on 2 January 1907."
)
MUSEUM = (
    "Three directors led the museum: Ingrid Falk from 1922 to 1938, Sven Roth from 1938 to 1951, and Maja Lie from "
    "1951 to 1972. The museum had 12,000 visitors in 1930 and four times as many in 1970."
)
QUEEN = (
    "Queen Irena was born in 1412 and came to the throne in 1430. She married Duke Stephen in 1433; their son was "
    "born two years later. Irena reigned for 27 years and was succeeded by Casimir, who fell at Dorn in 1463."
)
MILL = (
    "The mill employed 640 women and 310 men at its height. It burnt down in 1913; Emil Haas, then 70 years old, "
    "did not rebuild it. Of the 75 people in the mill, 46 were saved. The model 14 accounted for 30 percent of "
    "sales; the model 17 for 45 percent and other models for the rest. Haas had six children, four of them doctors."
)
TOWER = (
    "The tower of Skerry, 41 metres high, is five metres taller than the tower at Ness. A through train took 4 "
    "hours and 20 minutes in 1890, but only 3 hours and 5 minutes in 1930. Nina scored 8.5 points out of 11, half a "
    "point less than the winner, Olga."
)

TOWN = (
    "In June 2002 Alma Ruiz, a former teacher, was elected to succeed Mayor Otto Beck. The tram opened in 2005. In May 2007 "
    "Ivar Lund became mayor, and the new bridge was opened in 2009. The current mayor, Ada Fell, was elected in 2012. The "
    "governors were Sven Dahl (1999-2003) and Kaja Holt (2003-2010). Otto Beck (12 May 1931 – 3 June 2004) was born in Elm."
)


def computed(question: str, text: str) -> str | None:
    wanted = parse_numeric_question(question)
    assert wanted is not None
    answer = compute_numeric_answer(wanted, text)
    return None if answer is None else answer.text


@pytest.mark.parametrize(
    ("question", "text", "wanted"),
    [
        ("How old was Holm when she married Karl Issel?", NOVELIST, "23"),
        ("At what age did Holm die?", NOVELIST, "68"),
        ("In which year did the couple move to Lisbon?", NOVELIST, "1865"),
        ("In which year did Holm open a school?", NOVELIST, "1883"),
        ("How old was Irena when she came to the throne?", QUEEN, "18"),
        ("In what year did Irena's reign end?", QUEEN, "1457"),
        ("In what year was Haas born?", MILL, "1843"),
        ("Which director led the museum the longest?", MUSEUM, "Maja Lie"),
        ("How many visitors did the museum have in 1970?", MUSEUM, "48,000"),
        ("How many people did the mill employ at its height?", MILL, "950"),
        ("How many of the people in the mill were not saved?", MILL, "29"),
        ("What percentage of sales was made up by other models?", MILL, "25"),
        ("How many of Haas's children did not become doctors?", MILL, "two"),
        ("How tall is the tower at Ness?", TOWER, "36 metres"),
        ("How many minutes faster was the through train in 1930 than in 1890?", TOWER, "75"),
    ],
)
def test_what_follows_from_the_events_and_parts_of_a_passage_is_computed(question: str, text: str, wanted: str) -> None:
    assert computed(question, text) == wanted


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How old was Issel when he married Holm?", "Karl Issel married Ada Holm in 1861. Holm was born in 1838."),
        ("In what year was the bridge built?", "The dam was finished two years later."),
        ("How old was Holm when she married?", "Ada Holm was born in 1870. Holm married in 1861."),
        ("How many labourers survived the storm?", "The tower is 31 metres high, four metres less than that of the storm house."),
    ],
)
def test_what_a_passage_does_not_give_is_not_computed(question: str, text: str) -> None:
    assert computed(question, text) is None


def test_the_dates_of_a_clause_without_a_joint_between_them_are_of_one_event() -> None:
    first, last = event_table("Adam Kovar served as mayor from 1946 until he was dismissed in 1953.").events
    assert (first.date.year, last.date.year, first.ends, last.ends) == (1946, 1953, False, True)
    assert first.lemmas == last.lemmas


def test_an_age_at_another_event_is_not_that_at_the_date_of_its_clause() -> None:
    text = "Inga, who was 27 at the time of the flood of Arn, opened a school in 1913."
    assert event_table(text).ages == ()


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Who was the mayor when the tram opened?", TOWN, "Alma Ruiz"),
        ("Who was the mayor when the new bridge was opened?", TOWN, "Ivar Lund"),
        ("Who was the mayor in 2015?", TOWN, "Ada Fell"),
        ("Who was the governor in 2001?", TOWN, "Sven Dahl"),
        ("Who was the director of the museum in 1940?", MUSEUM, "Sven Roth"),
        ("Who was the vice mayor in 2008?", TOWN, None),
        ("Who was the mayor in 1990?", TOWN, None),
        ("How old was Otto Beck when he died?", TOWN, "73"),
    ],
)
def test_who_held_an_office_is_who_held_it_at_that_time(question: str, text: str, answer: str | None) -> None:
    assert computed(question, text) == answer
