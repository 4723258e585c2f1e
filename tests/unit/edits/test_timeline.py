"""What-ifs over dated events, stated consequences, holders of places, totals and series."""

from __future__ import annotations

import pytest

from kgqa.edits.edit_solver import solve_conditional
from kgqa.readers.reader import Passage

NOVELIST = (
    "Ada Holm was born in Bergen on 14 March 1838. She married Karl Issel in 1861, and the couple moved to Lisbon "
    "four years later. She died on 2 January 1907."
)
CANAL = "Digging on the canal began in March 1802, and the first boats passed through on 5 May 1810."
SIEGE = (
    "When the wells ran dry on 14 July, Reiss asked for terms. A third expedition was given up when Lazar fell ill. "
    "As a result of the flood a second bridge was built in 1891."
)
MAYOR = "Adam Kovar was mayor until he resigned in 1953. In 1964 Irma Blaha lost to Karel Rys by 212 votes."
RACE = "Luca Ferro crossed the line first. The stewards disqualified Ferro, and Pieter Haan was declared the winner."
AIRSHIP = "The airship was driven by three engines of 145 horsepower each. The composer finished four operas and began a fifth."
FEE = "The fee was 10 kroner in 1934, 15 in 1946 and 24 in 1955. The party won 14 of the 30 seats."


@pytest.mark.parametrize(
    ("question", "text", "wanted"),
    [
        ("If Holm had been born in 1845, in what year would she have turned 30?", NOVELIST, "1875"),
        ("If Holm had been born in 1830, how old would she have been when she died?", NOVELIST, "77"),
        ("If the couple had moved two years earlier, in what year would they have moved to Lisbon?", NOVELIST, "1863"),
        ("If Holm had lived to be 80, in which year would she have died?", NOVELIST, "1918"),
        (
            "If digging had begun in March 1804 and taken just as long, in what year would the first boats have passed?",
            CANAL,
            "1812",
        ),
        ("If the wells had not run dry, what would Reiss not have done on 14 July?", SIEGE, "asked for terms"),
        ("If Lazar had not fallen ill, what would have taken place?", SIEGE, "A third expedition"),
        ("If the flood had not happened, would a second bridge have been built in 1891?", SIEGE, "no"),
        ("If Kovar had not resigned, who would have remained mayor?", MAYOR, "Adam Kovar"),
        ("If Rys had not stood in the election, who would have won it?", MAYOR, "Irma Blaha"),
        ("If Ferro had not been disqualified, who would have won the race?", RACE, "Luca Ferro"),
        ("If there had been four engines, what would the total horsepower have been?", AIRSHIP, "580"),
        ("If the composer had finished his fifth opera, how many operas would he have completed?", AIRSHIP, "5"),
        ("If the fee of 1955 had been halved, how many kroner would it have been?", FEE, "12"),
        ("If the party had won two more seats, how many seats would it have held?", FEE, "16"),
    ],
)
def test_what_an_if_changes_is_worked_into_what_depends_on_it(question: str, text: str, wanted: str) -> None:
    outcome = solve_conditional(question, [Passage(text)])
    assert outcome.solutions, outcome.why
    assert outcome.solutions[0].candidate.text == wanted


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("If Holm had been born in 1870, how old would she have been when she married Karl Issel?", NOVELIST),
        ("If Kovar had not resigned, who would have become the next mayor?", MAYOR),
        ("If Blaha had not been replaced, who would have designed the town hall?", MAYOR),
    ],
)
def test_what_an_if_leaves_open_has_no_solution(question: str, text: str) -> None:
    assert not solve_conditional(question, [Passage(text)]).solutions
