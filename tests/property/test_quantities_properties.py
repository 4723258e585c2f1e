"""What must hold of quantities and dates, whatever the text."""

from __future__ import annotations

import datetime
import time
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from kgqa.errors import QuantityInvalid
from kgqa.quantities.arithmetic import (
    ExpectedQuantity,
    add_quantities,
    complement,
    quantity_problem,
    subtract_quantities,
)
from kgqa.quantities.dates import (
    add_to_date,
    compare_dates,
    day_number,
    days_between,
    months_between,
    weekday,
    years_between,
)
from kgqa.quantities.numbers import cardinal_words, number_from_words, ordinal_digits, ordinal_words
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_format import format_date, format_quantity
from kgqa.quantities.quantity_parser import dates_in, parse_quantities, quantities_in
from kgqa.quantities.units import convert_unit, unit_of, unit_table

PIECES = st.sampled_from(
    "five seven half a an dozen hundred thousand million and twenty - – to between 5 1,234 1996 2003 1970 s 0 % "
    "percent $ € US point May March 4 th 31 30 February , . : / p.m. century BC AD of the summer km feet years "
    "third quarter ½ ² ° noon couple RMB".split()
)
MIXED = st.lists(PIECES | st.sampled_from([" ", "", "\n"]), max_size=24).map("".join) | st.lists(PIECES, max_size=16).map(
    " ".join
)
TEXTS = MIXED | st.text(max_size=40)
WHOLE = st.integers(0, 10**15)
DAYS = st.dates(datetime.date(2, 1, 1), datetime.date(9990, 12, 31))


def dated(day: datetime.date) -> Date:
    return Date(day.year, day.month, day.day)


@given(WHOLE, st.booleans())
def test_a_number_that_is_spelt_is_read_back(number: int, joined: bool) -> None:
    words = cardinal_words(number, joined)
    assert number_from_words(words) == number
    assert [quantity.value for quantity in quantities_in(f"There were {words} of them.")] == [number]


@given(st.integers(1, 10**15))
def test_a_rank_that_is_written_is_read_back(rank: int) -> None:
    assert number_from_words(ordinal_words(rank)) == rank
    for form in (ordinal_words(rank), ordinal_digits(rank)):
        (found,) = quantities_in(f"It came {form}.")
        assert (found.value, found.sort, found.text) == (rank, Sort.ORDINAL, form)


@given(st.fractions(0, 10**9, max_denominator=1).map(Fraction) | st.integers(0, 10**9).map(lambda tenths: Fraction(tenths, 100)))
def test_a_number_in_digits_is_read_back(value: Fraction) -> None:
    for commas in ("", ","):
        text = format_quantity(Quantity(value, text="1" if commas else "1000"))
        assert [quantity.value for quantity in quantities_in(f"about {text} km away")] == [value]


@given(DAYS)
def test_a_date_in_either_order_is_read_back(day: datetime.date) -> None:
    date = dated(day)
    if day.year < 1000 or day.year >= 3000:
        return
    for text in (format_date(date), format_date(date, like="4 May"), day.isoformat()):
        (found,) = dates_in(f"On {text} it rained.")
        assert (found, found.text) == (date, text)


@given(TEXTS)
@settings(max_examples=250, deadline=None)
def test_any_text_is_read_with_exact_places_in_order_and_without_overlap(text: str) -> None:
    end = 0
    for item in parse_quantities(text):
        assert end <= item.start < item.end <= len(text)
        assert text[item.start : item.end] == item.text
        end = item.end
    for quantity in quantities_in(text, ranges=False):
        assert quantity_problem(quantity, ExpectedQuantity(count=True)) is not None
        assert quantity.upper is None or quantity.sort is Sort.DECADE
    for date in dates_in(text):
        assert text[date.start : date.end] == date.text
        assert not date.day or 1 <= date.month <= 12


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_what_is_reckoned_is_exact_or_refused(first: str, second: str) -> None:
    for one in quantities_in(first):
        for other in quantities_in(second):
            for reckon in (add_quantities, subtract_quantities):
                try:
                    result = reckon(one, other)
                except QuantityInvalid:
                    continue
                else:
                    assert isinstance(result.value, Fraction)


@given(
    st.integers(-(10**6), 10**6),
    st.integers(-(10**6), 10**6),
    st.sampled_from(["m", "km", "ft", "miles", ""]),
    st.sampled_from(["m", "yards", ""]),
)
def test_taking_away_what_was_added_gives_the_first_again(first: int, second: int, unit: str, other: str) -> None:
    one, two = Quantity(Fraction(first), unit=unit), Quantity(Fraction(second), unit=other)
    assert subtract_quantities(add_quantities(one, two), two).value == first


@given(st.sampled_from(sorted(unit_table())), st.sampled_from(sorted(unit_table())), st.integers(0, 10**6))
def test_a_unit_is_changed_and_changed_back_or_refused(first: str, second: str, number: int) -> None:
    one, two = unit_of(first), unit_of(second)
    assert one is not None
    assert two is not None
    quantity = Quantity(Fraction(number), unit=first)
    try:
        changed = convert_unit(quantity, second)
    except QuantityInvalid:
        assert one.measures != two.measures
    else:
        if two.measures == one.measures:
            assert convert_unit(changed, first).value == number


@given(st.integers(0, 10_000).map(lambda hundredths: Fraction(hundredths, 100)))
def test_what_is_missing_to_a_whole_is_missing_twice_to_itself(share: Fraction) -> None:
    percent = Quantity(share, Sort.PERCENT, "%")
    assert complement(complement(percent)).value == share


@given(DAYS, st.integers(-4000, 4000))
def test_days_are_moved_as_the_calendar_of_python_moves_them(day: datetime.date, days: int) -> None:
    try:
        expected = day + datetime.timedelta(days)
    except OverflowError:
        return
    assert add_to_date(dated(day), days=days) == dated(expected)
    assert days_between(dated(day), dated(expected)) == days
    assert weekday(dated(day)) == f"{day:%A}"


@given(DAYS, st.integers(-600, 600))
def test_months_that_were_moved_are_counted_again(day: datetime.date, months: int) -> None:
    later = add_to_date(dated(day), months=months)
    assert months_between(dated(day), later) == months
    assert later.day == day.day or later.day in (28, 29, 30)


@given(DAYS, DAYS)
def test_the_order_of_days_is_that_of_their_numbers(first: datetime.date, last: datetime.date) -> None:
    one, other = dated(first), dated(last)
    assert compare_dates(one, other) == (first > last) - (first < last)
    assert (day_number(one) < day_number(other)) == (first < last)
    gap = years_between(one, other, whole=True)
    assert abs(gap - (last - first).days / 365.2425) < 1.01


@given(st.integers(1, 3000), st.integers(1, 3000))
def test_there_is_no_year_nought(before: int, behind: int) -> None:
    assert years_between(Date(-before), Date(behind)) == before + behind - 1
    assert add_to_date(Date(-before), years=before).year == 1


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    def seconds(text: str) -> float:
        begun = time.process_time()
        parse_quantities(text)
        return time.process_time() - begun

    for unit in ("five ", "1-2-", "a hundred and ", "1,111,", "May 4–", "9", "half a "):
        short, long = (min(seconds(unit * size) for _ in range(3)) for size in (1_000, 10_000))
        assert long < 40 * max(short, 0.002), unit
