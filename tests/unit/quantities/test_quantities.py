"""Numbers, units and dates of texts: what is read, what is reckoned, and how it is written."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kgqa.errors import QuantityInvalid
from kgqa.quantities.arithmetic import (
    ExpectedQuantity,
    add_quantities,
    complement,
    quantity_problem,
    subtract_quantities,
)
from kgqa.quantities.arithmetic import compare_quantities as compared_quantities
from kgqa.quantities.dates import add_to_date, compare_dates, days_between, months_between, weekday, years_between
from kgqa.quantities.numbers import cardinal_words, number_from_words, ordinal_words
from kgqa.quantities.quantity import Date, Period, Quantity, Sort
from kgqa.quantities.quantity_format import format_date, format_quantity
from kgqa.quantities.quantity_parser import dates_in, parse_quantities, quantities_in
from kgqa.quantities.units import convert_unit, unit_of


def one(text: str) -> Quantity:
    (found,) = quantities_in(text)
    return found


@pytest.mark.parametrize(
    ("text", "part", "value", "sort", "unit"),
    [
        ("it spans almost five zones", "five", 5, Sort.CARDINAL, ""),
        ("twenty-five thousand men", "twenty-five thousand", 25_000, Sort.CARDINAL, ""),
        ("two hundred and six bones", "two hundred and six", 206, Sort.CARDINAL, ""),
        ("half a dozen eggs", "half a dozen", 6, Sort.CARDINAL, ""),
        ("half a million people", "half a million", 500_000, Sort.CARDINAL, ""),
        ("two and a half hours", "two and a half hours", Fraction(5, 2), Sort.DURATION, "hours"),
        ("a couple of days", "a couple of days", 2, Sort.DURATION, "days"),
        ("5 1/2 inches", "5 1/2 inches", Fraction(11, 2), Sort.CARDINAL, "inches"),
        ("2½ miles", "2½ miles", Fraction(5, 2), Sort.CARDINAL, "miles"),
        ("two-thirds of them", "two-thirds", Fraction(2, 3), Sort.CARDINAL, ""),
        ("some 1.5 million euros", "1.5 million euros", 1_500_000, Sort.MONEY, "euros"),
        ("it cost US$2.5 billion", "US$2.5 billion", 2_500_000_000, Sort.MONEY, "US$"),
        ("it cost £5m", "£5m", 5_000_000, Sort.MONEY, "£"),
        ("a capital of 290 million RMB", "290 million RMB", 290_000_000, Sort.MONEY, "RMB"),
        ("8,848 m high", "8,848 m", 8848, Sort.CARDINAL, "m"),
        ("35 square miles", "35 square miles", 35, Sort.CARDINAL, "square miles"),
        ("−5 °C", "−5 °C", -5, Sort.CARDINAL, "°C"),
        ("a 20-yard goal", "20-yard", 20, Sort.CARDINAL, "yard"),
        ("a three-hour speech", "three-hour", 3, Sort.DURATION, "hour"),
        ("9.30% of all", "9.30%", Fraction(93, 10), Sort.PERCENT, "%"),
        ("ninety-five percent of it", "ninety-five percent", 95, Sort.PERCENT, "percent"),
        ("he came twenty-fourth", "twenty-fourth", 24, Sort.ORDINAL, ""),
        ("he came 22nd", "22nd", 22, Sort.ORDINAL, ""),
        ("the 19th century", "19th century", 19, Sort.CENTURY, "century"),
        ("in the 1600s", "1600s", 17, Sort.CENTURY, ""),
        ("at 6:00 p.m. sharp", "6:00 p.m.", 18 * 60, Sort.TIME, ""),
        ("at 18:30", "18:30", 18 * 60 + 30, Sort.TIME, ""),
        ("the 1996 election", "1996", 1996, Sort.YEAR, ""),
        ("since 44 BC", "44 BC", -44, Sort.YEAR, ""),
        ("in nineteen eighty-four", "nineteen eighty-four", 1984, Sort.YEAR, ""),
        ("2000 people came", "2000", 2000, Sort.CARDINAL, ""),
        ("three point five litres", "three point five litres", Fraction(7, 2), Sort.CARDINAL, "litres"),
    ],
)
def test_a_quantity_is_read_with_its_value_its_sort_and_its_unit(
    text: str, part: str, value: object, sort: Sort, unit: str
) -> None:
    found = one(text)
    assert (found.text, found.value, found.sort, found.unit) == (part, value, sort, unit)
    assert text[found.start : found.end] == part


@pytest.mark.parametrize(
    ("text", "value", "upper", "sort"),
    [
        ("five to seven years", 5, 7, Sort.DURATION),
        ("from 1996–2003", 1996, 2003, Sort.YEAR),
        ("the 1996–97 season", 1996, 1997, Sort.YEAR),
        ("the 1970s", 1970, 1979, Sort.DECADE),
        ("between 5 and 7 percent", 5, 7, Sort.PERCENT),
        ("$1.5 million to $2 million", 1_500_000, 2_000_000, Sort.MONEY),
    ],
)
def test_a_range_has_both_its_ends(text: str, value: int, upper: int, sort: Sort) -> None:
    found = one(text)
    assert (found.value, found.upper, found.sort) == (value, upper, sort)


def test_a_score_is_no_range_and_ranges_can_be_read_apart() -> None:
    assert [found.value for found in quantities_in("won 24-17")] == [24, 17]
    assert [found.value for found in quantities_in("five to seven years", ranges=False)] == [5, 7]


@pytest.mark.parametrize("text", ["COVID-19", "a B52", "7-Eleven", "the one-sided", "9" * 50, "$", "half", "a", "no numbers"])
def test_names_and_bare_signs_are_no_quantities(text: str) -> None:
    assert [found.text for found in quantities_in(text) if found.text != "one"] == []


def test_hedges_stand_beside_the_number() -> None:
    hedged = "almost five, more than 20 and as many as 300 of about 12 km"
    assert [found.about for found in quantities_in(hedged)] == ["almost", "more than", "as many as", "about"]


@pytest.mark.parametrize(
    ("text", "year", "month", "day", "part"),
    [
        ("on May 4, 2018, it", 2018, 5, 4, "May 4, 2018"),
        ("on 4th of May 2018", 2018, 5, 4, "4th of May 2018"),
        ("on Sept. 4, 1999", 1999, 9, 4, "Sept. 4, 1999"),
        ("in March 1999", 1999, 3, 0, "March 1999"),
        ("on 4 May they", 0, 5, 4, "4 May"),
        ("in the summer of 1995", 1995, 0, 0, "summer of 1995"),
        ("in mid-1995", 1995, 0, 0, "mid-1995"),
        ("since 1999", 1999, 0, 0, "1999"),
        ("2018-05-04", 2018, 5, 4, "2018-05-04"),
    ],
)
def test_a_date_is_read_as_precisely_as_it_is_told(text: str, year: int, month: int, day: int, part: str) -> None:
    (found,) = dates_in(text)
    assert (found.year, found.month, found.day, found.text) == (year, month, day, part)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("24 July-9 August 2020", Date(2020, 7, 24), Date(2020, 8, 9)),
        ("24–26 July 2020", Date(2020, 7, 24), Date(2020, 7, 26)),
        ("July 24–26, 2020", Date(2020, 7, 24), Date(2020, 7, 26)),
        ("March–May 1999", Date(1999, 3), Date(1999, 5)),
        ("between July 1977 and March 1978", Date(1977, 7), Date(1978, 3)),
    ],
)
def test_a_period_has_its_first_and_its_last_date(text: str, first: Date, last: Date) -> None:
    (found,) = parse_quantities(text)
    assert isinstance(found, Period)
    assert (found.first, found.last) == (first, last)


def test_words_that_look_like_months_or_days_are_none() -> None:
    assert dates_in("They may march on in the fall, and the 31 of them may not.") == ()
    assert [date.text for date in dates_in("31 February 1999")] == ["February 1999"]


def test_what_is_read_stands_in_order() -> None:
    items = parse_quantities("On 4 May 2018 five men gave $20, from 1996 to 1998.")
    assert [type(item) for item in items] == [Date, Quantity, Quantity, Quantity]


def test_numbers_are_spelt_as_english_spells_them() -> None:
    assert cardinal_words(1105) == "one thousand one hundred five"
    assert cardinal_words(1105, joined=True) == "one thousand one hundred and five"
    assert ordinal_words(24) == "twenty-fourth"
    assert number_from_words("minus forty-two") == -42
    assert number_from_words("forty two dogs") is None
    with pytest.raises(ValueError, match="no rank"):
        ordinal_words(0)
    with pytest.raises(ValueError, match="too large"):
        cardinal_words(10**30)


def test_units_are_converted_exactly_and_only_where_they_measure_the_same() -> None:
    assert convert_unit(one("500 ft"), "m").value == Fraction("152.4")
    assert convert_unit(one("two hours"), "minutes").value == 120
    assert convert_unit(one("2 years"), "months").value == 24
    assert convert_unit(one("212 °F"), "°C").value == 100
    assert unit_of("Square Miles") == unit_of("sq mi")
    with pytest.raises(QuantityInvalid, match="'kg' cannot be told in 'm'"):
        convert_unit(one("5 kg"), "m")


def test_sums_and_differences_are_in_the_unit_of_the_first() -> None:
    height = one("8,848 m")
    assert format_quantity(subtract_quantities(height, one("500 ft")), height) == "8,695.6 m"
    assert format_quantity(add_quantities(one("17 countries"), one("five")), one("17 countries")) == "22"
    assert add_quantities(one("in 1996"), one("five years")).value == 2001
    assert add_quantities(one("44 BC"), one("50 years")).value == 7
    assert subtract_quantities(one("in 2001"), one("in 1996")) == Quantity(Fraction(5), Sort.DURATION, "years")
    assert format_quantity(add_quantities(one("at 11:30 p.m."), one("90 minutes")), one("at 11:30 p.m.")) == "1:00 a.m."
    assert subtract_quantities(one("fourth"), one("one")).value == 3


@pytest.mark.parametrize(
    ("first", "second"),
    [("5 km", "3 kg"), ("$5", "€3"), ("in 1996", "5 km"), ("at 6 pm", "3 kg"), ("5 km", "3 to 4 km"), ("10%", "5 km")],
)
def test_what_does_not_agree_is_not_added(first: str, second: str) -> None:
    with pytest.raises(QuantityInvalid):
        add_quantities(one(first), one(second))


def test_money_of_one_currency_agrees_however_it_is_written() -> None:
    assert add_quantities(one("$5"), one("3 dollars")).value == 8
    assert add_quantities(one("US$5"), one("$3")).value == 8


def test_shares_and_comparisons() -> None:
    assert format_quantity(complement(one("9.30%")), one("9.30%")) == "90.7%"
    assert compared_quantities(one("1 mile"), one("1 km")) == 1
    with pytest.raises(QuantityInvalid, match="no share of a whole"):
        complement(one("120%"))


def test_dates_are_moved_by_the_calendar() -> None:
    assert add_to_date(Date(2020, 1, 31), months=1) == Date(2020, 2, 29)
    assert add_to_date(Date(2019, 1, 31), months=1) == Date(2019, 2, 28)
    assert add_to_date(Date(2020, 2, 29), years=1) == Date(2021, 2, 28)
    assert add_to_date(Date(2018, 4, 18), days=-7) == Date(2018, 4, 11)
    assert add_to_date(Date(2006, 8), months=5) == Date(2007, 1)
    assert add_to_date(Date(1999), years=-2) == Date(1997)
    with pytest.raises(QuantityInvalid, match="does not tell the day"):
        add_to_date(Date(1999, 3), days=1)
    with pytest.raises(QuantityInvalid, match="has no year"):
        add_to_date(Date(0, 5, 4), years=1)


def test_times_between_dates() -> None:
    assert days_between(Date(2020, 2, 28), Date(2020, 3, 1)) == 2
    assert months_between(Date(1977, 7), Date(1978, 3)) == 8
    assert months_between(Date(2020, 1, 31), Date(2020, 2, 29)) == 1
    assert years_between(Date(-44), Date(14)) == 57
    assert years_between(Date(2000, 6, 1), Date(2010, 5, 1), whole=True) == 9
    assert weekday(Date(2018, 5, 4)) == "Friday"
    assert compare_dates(Date(1999), Date(1999, 3)) is None
    assert compare_dates(Date(1999, 2), Date(1999, 3)) == -1


@pytest.mark.parametrize(
    ("like", "value", "text"),
    [
        ("five zones", 4, "four"),
        ("5 zones", 4, "4"),
        ("5 million euros", 6_500_000, "6.5 million euros"),
        ("$1.5 billion", 1_380_000_000, "$1.38 billion"),
        ("two million", 500_000, "five hundred thousand"),
        ("7,303 feet", 6303, "6,303 feet"),
        ("7303 feet", 6303, "6303 feet"),
        ("fourth", 6, "sixth"),
        ("4th", 22, "22nd"),
        ("the 19th century", 20, "20th century"),
        ("two days", 1, "one day"),
        ("one foot", 3, "three feet"),
        ("9.30%", Fraction(907, 10), "90.7%"),
        ("a 20-yard goal", 15, "15-yard"),
        ("−5 °C", 7, "7 °C"),
        ("two and a half hours", Fraction(7, 2), "three and a half hours"),
        ("in 1996", 1997, "1997"),
        ("44 BC", -43, "43 BC"),
    ],
)
def test_an_answer_is_written_as_the_passage_writes(like: str, value: int, text: str) -> None:
    pattern = one(like)
    answer = Quantity(Fraction(value), pattern.sort, pattern.unit, pattern.scale, None, "", pattern.spelt)
    assert format_quantity(answer, pattern) == text


def test_dates_are_written_month_first() -> None:
    assert format_date(Date(2018, 5, 4)) == "May 4, 2018"
    assert format_date(Date(2018, 5, 4), like="9 August 2020") == "4 May 2018"
    assert format_date(Date(1999, 3)) == "March 1999"
    assert format_date(dates_in("in the summer of 1995")[0]) == "summer of 1995"


@pytest.mark.parametrize(
    ("text", "value", "expected", "why"),
    [
        ("five men", -3, ExpectedQuantity(count=True), "a count of -3"),
        ("five men", Fraction(5, 2), ExpectedQuantity(count=True), "a count of 2.5"),
        ("40 years", 4000, ExpectedQuantity(age=True), "an age of 4,000 years"),
        ("9%", 120, ExpectedQuantity(share=True), "a share of 120 %"),
        ("fourth", 0, ExpectedQuantity(), "a rank of 0"),
        ("in 1996", 9000, ExpectedQuantity(), "a year numbered 9,000"),
        ("5 kg", -1, ExpectedQuantity(), "-1 kg"),
        ("5 kg", 5, ExpectedQuantity(unit="m"), "kg where m are asked for"),
        ("8 m", -1, ExpectedQuantity(), ""),
        ("five men", 5, ExpectedQuantity(count=True), ""),
    ],
)
def test_what_cannot_be_is_told_in_a_few_words(text: str, value: int, expected: ExpectedQuantity, why: str) -> None:
    pattern = one(text)
    assert quantity_problem(Quantity(Fraction(value), pattern.sort, pattern.unit), expected) == why
