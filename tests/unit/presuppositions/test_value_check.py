"""Numbers, dates and ranks of statements against those of passages about the same thing."""

from __future__ import annotations

import pytest

from kgqa.api import answer
from kgqa.presuppositions.evidence_selection import EvidenceSentence
from kgqa.presuppositions.value_check import source_date, value_evidence
from kgqa.readers.reader import Passage


@pytest.mark.parametrize(
    ("statement", "passage"),
    [
        ("The Eiffel Tower is 400 m tall.", "The Eiffel Tower is 300 metres (984 ft) tall and was built in 1889."),
        ("The Eiffel Tower is 400 m tall.", "The height of the Eiffel Tower is 330 metres."),
        ("The Eiffel Tower is 400 m tall.", "The Eiffel Tower stands in Paris. It is 330 m tall."),
        ("World War II ended in 1950.", "World War II ended in 1945."),
        ("The bridge was opened in 1950.", "The bridge was opened in March 1932."),
        ("Lyon is the second largest city in France.", "Lyon is the third-largest city of France."),
        ("K2 is the highest mountain.", "K2 is the second-highest mountain on Earth, after Mount Everest."),
        ("Insects have eight legs.", "All insects have six legs and two antennae."),
        ("Lincoln abolished slavery in 1870.", "In 1865 Lincoln abolished slavery."),
        ("There are five moons of Mars.", "Mars has two moons, Phobos and Deimos."),
        ("The tax is 40 percent.", "The tax is 19 percent."),
    ],
)
def test_another_value_of_the_same_thing_conflicts(statement: str, passage: str) -> None:
    sentence, agreeing = value_evidence(statement, [Passage(passage)])
    assert sentence is not None
    assert agreeing is None
    assert sentence.text == passage[sentence.start : sentence.start + len(sentence.text)]


@pytest.mark.parametrize(
    ("statement", "passage", "why"),
    [
        ("The Eiffel Tower is 300 m tall.", "The Eiffel Tower is 984 ft tall.", "the same in another unit"),
        ("The Eiffel Tower is 320 m tall.", "The Eiffel Tower is about 330 m tall.", "rounded"),
        ("The bridge was opened in 1932.", "The bridge was opened in March 1932.", "more precise"),
        ("World War II ended in 1950.", "World War II began in 1939.", "another event"),
        ("The bridge was opened in 1950.", "The second bridge was opened in 1932.", "another bridge"),
        ("The bridge was opened in 1950.", "The bridge was not opened in 1932.", "denied"),
        ("The bridge was opened in 1950.", "The bridge was opened after 1932.", "a bound"),
        ("The Eiffel Tower was built in 1889.", "Gustave Eiffel, born in 1832, built the Eiffel Tower.", "another subject"),
        ("The city has 50,000 inhabitants.", "In 1900 the city had 20,000 inhabitants.", "another time"),
        (
            "The games were held in Athens in 1950.",
            "The games were held in Athens in 1896. The games were held in Athens in 2004.",
            "two",
        ),
        ("A hyena has six wings.", "A hyena has four legs.", "another part"),
        ("The tower is tall.", "The tower is 300 m tall.", "no value"),
        ("", "", "nothing"),
    ],
)
def test_what_is_not_of_the_same_thing_does_not_conflict(statement: str, passage: str, why: str) -> None:
    assert value_evidence(statement, [Passage(passage)]).conflicts is None, why


@pytest.mark.parametrize(
    ("question", "passage", "correction"),
    [
        ("Why is the Eiffel Tower 400 m tall?", "The Eiffel Tower is 330 m tall.", "“The Eiffel Tower is 400 m tall”"),
        ("Why is the 400-metre Eiffel Tower so popular?", "The Eiffel Tower is 330 m tall.", "“The Eiffel Tower is 400 metres”"),
        ("Why are the five moons of Mars so small?", "Mars has two moons.", "“There are five moons of Mars”"),
        (
            "How did Lyon become the second largest city?",
            "Lyon is the third largest city.",
            "“Lyon became the second largest city”",
        ),
        ("Why did the Titanic sink in 1914?", "The Titanic sank in April 1912.", "“The Titanic sank in 1914”"),
        (
            "Why did prices rise since World War II ended in 1950?",
            "World War II ended in 1945. Prices rose.",
            "“World War II ended in 1950”",
        ),
    ],
)
def test_a_question_with_a_wrong_value_is_corrected(question: str, passage: str, correction: str) -> None:
    assert correction in answer(question, passage=passage).sentence


def test_values_of_two_times_are_told_from_both_sides_with_their_dates() -> None:
    passages = [
        Passage("In January 2019 the city had 78,000 inhabitants.", "A"),
        Passage("In June 2022 the city had 58,000 inhabitants.", "B"),
    ]
    conflicting, agreeing = value_evidence("The city had 78,000 inhabitants.", passages)
    assert conflicting is not None
    assert agreeing is not None
    sides = [(side.passage.title, source_date(side)) for side in (conflicting, agreeing)]
    assert sides == [
        ("B", "June 2022"),
        ("A", "January 2019"),
    ]


@pytest.mark.parametrize(
    ("passage", "date"),
    [
        (Passage("", "Report of 2019"), "2019"),
        (Passage("", "News", url="https://example.org/2019/01/city.html"), "2019-01"),
        (Passage("", "News", url="https://example.org/city"), ""),
    ],
)
def test_a_source_has_the_date_of_its_title_or_address(passage: Passage, date: str) -> None:
    assert source_date(EvidenceSentence("The city grew.", passage)) == date


def test_what_texts_disagree_on_is_told_from_both_sides() -> None:
    text = "Alcohol does not raise the blood sugar of people with diabetes, a study of 2010 says. "
    text += "Sweet alcoholic drinks raise the blood sugar of people with diabetes sharply."
    notes = " ".join(answer("Why does alcohol raise the blood sugar of people with diabetes?", passage=text).notes)
    assert all(words in notes for words in ("Sources disagree", "(2010)", "sharply"))
