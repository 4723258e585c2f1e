"""Derivations over the amounts of a passage: what they compute, what selects their operands, and when there is none."""

from __future__ import annotations

import pytest

from kgqa.readers.numeric.amount_question import opposite_words, parse_amount_question
from kgqa.readers.numeric.amount_table import amount_table
from kgqa.readers.numeric.derivations import derive_amount, is_unsupported

BRIDGE = (
    "The town awarded the work to Dunn, whose bid of £412,000 was the lowest of the three. Arkwell had offered to do the job for "
    "£455,000 and Pell for £530,000. Two of its nine piers have sunk."
)
CLUB = (
    "The treasurer reported £2,460 in the bank and £85 in cash. The new oars cost £640 and will be paid this month. "
    "The subscription was raised from £45 to £55. The regatta lasted for 21 days, a week longer than planned."
)
TRAIN = (
    "Trains leave Lerma at 7.15 and arrive at Alto at 11.45. A seat costs 40 pesos. The dining car sells honey at 7 pesos a jar."
)
SYRUP = "Adults: two 5 ml spoonfuls four times a day. Each spray holds 0.1 mg of the salt and a bottle holds 120 sprays."
LETTER = (
    "There were thirty-two lots and all but five found buyers. Of the twelve plates from Delft, three were broken. "
    "Uncle left 96,000 francs. Marie received half of it, Jeanne a quarter, and the rest went to the hospital."
)
COMPANY = (
    "Kestrel lost 120,000 customers and now has 3.4 million. Its rival Onda gained 90,000 and reached 2.9 million. "
    "Shares fell by 6 per cent to €11.28. It has 640 workers, a fifth of them women. The duke had tripled the tax on salt. "
    "In 1641 the tax was returned to its old level of four pennies."
)
FAIR = (
    "There were 64 ponds with the frog in 1970, but by 2010 only 16 were left. The hall was finished in 1889 after five years of "
    "work. The comet goes round the sun once in 23 years and was seen in 1981 and 2004. For two loaves take 900 grams of flour. "
    "The flight took off at 21.50, three hours and ten minutes late."
)


def derived(question: str, text: str) -> str | None:
    asked = parse_amount_question(question)
    assert asked is not None
    answer = derive_amount(asked, amount_table(text))
    return None if answer is None else answer.text


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (BRIDGE, "By how much did the highest bid exceed the lowest?", "£118,000"),
        (BRIDGE, "How many piers have not sunk?", "7"),
        (CLUB, "How much money was there in the bank and in cash together?", "£2,545"),
        (CLUB, "How much will be left in the bank once the oars have been paid for?", "£1,820"),
        (CLUB, "By how much was the subscription raised?", "£10"),
        (CLUB, "For how many days was the regatta planned to last?", "14"),
        (TRAIN, "How long does the journey from Lerma to Alto take?", "4 hours 30 minutes"),
        (TRAIN, "How much do four jars of honey cost?", "28 pesos"),
        (SYRUP, "How many millilitres does an adult take in a day?", "40"),
        (SYRUP, "How many milligrams of the salt are there in a bottle?", "12"),
        (LETTER, "How many lots were sold?", "27"),
        (LETTER, "How many plates arrived unbroken?", "9"),
        (LETTER, "How many francs went to the hospital?", "24,000"),
        (COMPANY, "How many customers did Kestrel have before?", "3.52 million"),
        (COMPANY, "How many more customers does Kestrel have than Onda?", "500,000"),
        (COMPANY, "What was the price of the shares before the fall?", "€12"),
        (COMPANY, "How many of the workers are women?", "128"),
        (COMPANY, "How many pennies was the tax after the duke had tripled it?", "12"),
        (FAIR, "What share of the ponds of 1970 was left by 2010?", "25%"),
        (FAIR, "In which year was the hall begun?", "1884"),
        (FAIR, "In what year will the comet next be seen?", "2027"),
        (FAIR, "How many grams of flour are needed for six loaves?", "2,700"),
        (FAIR, "At what time should the flight have taken off?", "18.40"),
    ],
)
def test_an_amount_is_computed_from_the_facts_that_the_question_selects(text: str, question: str, answer: str) -> None:
    assert derived(question, text) == answer


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (TRAIN, "How many passengers did not arrive?"),
        (CLUB, "How much did the boathouse cost in all?"),
        (BRIDGE, "What share of the piers was built by Arkwell?"),
    ],
)
def test_what_the_facts_do_not_give_is_not_computed(text: str, question: str) -> None:
    assert derived(question, text) is None


def test_a_question_that_supposes_something_is_not_parsed() -> None:
    assert parse_amount_question("How many piers would be left if two had sunk?") is None
    assert parse_amount_question("Why did the piers sink?") is None


@pytest.mark.parametrize(
    ("question", "number", "unsupported"),
    [
        ("How many lots were not sold?", "thirty-two", True),
        ("What percentage of the plates was broken?", "twelve", True),
        ("How many plates from Delft were there?", "twelve", False),
        ("How much did seven lots cost?", "96,000", True),
        ("How many nurses worked at the hospital?", "three", True),
    ],
)
def test_a_stated_number_is_an_answer_where_its_words_agree(question: str, number: str, unsupported: bool) -> None:
    asked = parse_amount_question(question)
    assert asked is not None
    start = LETTER.index(number)
    assert is_unsupported(asked, amount_table(LETTER), start, start + len(number)) is unsupported


def test_the_trace_names_the_operands_with_the_words_that_select_them() -> None:
    asked = parse_amount_question("How many piers have not sunk?")
    assert asked is not None
    answer = derive_amount(asked, amount_table(BRIDGE))
    assert answer is not None
    assert answer.trace == ("found: nine (piers, sunk); Two (piers, sunk)", "nine - Two = 7")


def test_no_word_is_its_own_opposite() -> None:
    assert all(first and second and not first & second for first, second in opposite_words())
