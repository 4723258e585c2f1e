"""What is left after all that is taken or added, products along rates, how long a stock lasts."""

from __future__ import annotations

import pytest

from kgqa.readers.numeric.amount_question import parse_amount_question
from kgqa.readers.numeric.amount_table import amount_table
from kgqa.readers.numeric.derivations import derive_amount

HERD = (
    "The herd on Skorra numbered 420 reindeer when it was first counted in 1950. A hard winter in 1954 killed 90 of them, "
    "and by 1960 hunters had taken another 60. Forty young animals were born in the following spring. The park lies in the "
    "north and has been closed to visitors ever since the war."
)
CONVOY = (
    "The convoy left Halifax with 41 ships. Three turned back on the first night, submarines sank eight, and two more were "
    "lost in a gale. The survivors reached Liverpool on 17 March. The escort consisted of six corvettes."
)
SCHOOL = (
    "Of the 180 pupils who sat the examination, two thirds passed at the first attempt and a further 24 passed when they sat "
    "it again; the rest left without a certificate. Fees are £2,100 a term, and there are three terms in a year."
)
WORKS = (
    "Bexon is to close its Dunmore works with the loss of 310 jobs. Of the Dunmore workers, 120 will be offered places in "
    "Marston and 45 will take early retirement; the others are to be made redundant."
)
CHOIR = (
    "The choir sold 340 tickets at £6 each for its June concert. The singers rehearsed twice a week, for three hours each "
    "time, over five weeks. The hall is let for £14 an hour."
)
POND = (
    "The reservoir held 900 million litres in May. The town draws 12 million litres a day. A pond holds 60 million litres "
    "and serves the mill, which uses two million litres a week."
)
LAYERS = "Peat there has grown at a steady one millimetre a year. Cores taken in 2000 hold charcoal at a depth of 25 centimetres."
CAPSULES = "Take two capsules in the morning and one at night for ten days. The bottle contains 45 capsules."

SALE = (
    "At the sale Mr Oddie offered 90 ewes and 14 rams. Fifty ewes went to one buyer at £80 apiece and a further 28 were sold at "
    "£75; the remainder went home unsold. All the rams found buyers."
)
SURVEY = "Of 1,200 households that were sent the form, 840 returned it. The council spent £9,600 on the survey."


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (HERD, "How many reindeer were left after the winter of 1954?", "330"),
        (HERD, "How many reindeer were on Skorra in 1960?", "270"),
        (CONVOY, "How many ships of the convoy reached Liverpool?", "28"),
        (SCHOOL, "How many pupils left without a certificate?", "36"),
        (SCHOOL, "What do the fees come to over a whole year?", "£6,300"),
        (WORKS, "How many Dunmore workers will be made redundant?", "145"),
        (CHOIR, "How much money did the choir take in from all the tickets it sold?", "£2,040"),
        (CHOIR, "How many hours did the singers rehearse altogether?", "30"),
        (POND, "How many weeks can the mill run on the water of the pond?", "30"),
        (LAYERS, "From about what year does the charcoal date?", "1750"),
        (CAPSULES, "How many capsules will remain in the bottle when the course is finished?", "15"),
        (CAPSULES, "How many capsules does the patient take in the whole course?", "30"),
        (SALE, "How many ewes remained unsold?", "12"),
        (SALE, "How much did the fifty ewes bring in?", "£4,000"),
        (SURVEY, "What did the survey cost per household that was sent the form?", "£8"),
        (SALE, "How many ewes were sold?", None),
        (HERD, "How many animals were killed in 1954?", None),
        (CONVOY, "How many corvettes reached Liverpool?", None),
        (CHOIR, "How much is the hall for an hour?", None),
    ],
)
def test_balances_rates_and_stretches_are_computed_from_all_that_the_passage_says(
    text: str, question: str, answer: str | None
) -> None:
    parsed = parse_amount_question(question)
    derived = derive_amount(parsed, amount_table(text)) if parsed is not None else None
    assert (derived.text if derived is not None else None) == answer
