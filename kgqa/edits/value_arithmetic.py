"""Arithmetic of edited values: a date, a number or a rank after a change, and its text as an answer."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from kgqa.edits.answer_type import AnswerType
from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import MONTHS, add_to_date, weekday
from kgqa.quantities.numbers import ordinal_digits, ordinal_words
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_changes import MONEY_PATTERN, ChangeKind, QuantityChange, is_large_amount
from kgqa.quantities.units import unit_of

_MONTHS_IN = {"year": 12, "season": 12, "decade": 120, "century": 1200, "millennium": 12_000, "month": 1, "semester": 6}
_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}
_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}
_ANY_YEAR = 2001
"""A day without its year is moved as in a common one."""


def shift_date(date: Date, amount: Fraction, unit: str) -> Date | None:
    """Return a date moved by an amount of a unit of time; `None` where it is not precise enough to tell, or out of range."""
    months, days = amount * _MONTHS_IN.get(unit, 0), amount * _DAYS_IN.get(unit, 0)
    if unit not in _MONTHS_IN | _DAYS_IN or months.denominator != 1 or days.denominator != 1:
        return None
    years = 0
    if months % 12 == 0 and (unit not in ("month", "semester") or not date.month):
        years, months = int(months / 12), Fraction(0)
    if months and not date.month:
        return None
    yearless = not date.year and not years
    try:
        made = add_to_date(replace(date, year=_ANY_YEAR) if yearless else date, years=years, months=int(months), days=int(days))
    except QuantityInvalid:
        return None
    return replace(made, year=0 if yearless else made.year, season=date.season)


def change_number(value: Quantity, change: QuantityChange, amount: Fraction) -> Quantity | None:
    """Return a number, or both ends of a range, after a change; `None` where it does not fit, or leaves fewer than none."""
    low = _changed_end(value, value.value, change, amount)
    if low is None or low < 0 <= value.value:
        return None
    high = None if value.upper is None else _changed_end(value, value.upper, change, amount)
    return replace(value, value=low, upper=high)


def _changed_end(value: Quantity, end: Fraction, change: QuantityChange, amount: Fraction) -> Fraction | None:
    if change.how is ChangeKind.TIMES:
        return end * amount
    if change.how is ChangeKind.PLACES:
        return end + amount
    step = convert_amount(value, amount, change.unit, MONEY_PATTERN.search(change.text) is not None)
    if step is None:
        return None
    if value.scale > 2 and abs(step) * 1000 < abs(value.value) and not change.unit and not is_large_amount(change.text):
        step *= 10**value.scale  # "increased by 1" of "3.5 million"
    return end + step


def convert_amount(like: Quantity, amount: Fraction, unit: str, money: bool) -> Fraction | None:
    """Return an amount of a unit as a number of the unit of another quantity; `None` where the two do not measure the same.

    A noun that is no unit ("episodes") agrees with every number that has neither currency nor unit of measure.
    """
    if like.sort is Sort.MONEY:
        return amount if money or not unit else None
    source = unit_of(unit.split()[0]) if unit else None
    target = unit_of(like.unit) if like.unit else None
    if money:
        fits = False
    elif source is None:
        fits = not unit or (target is None and (like.sort is not Sort.PERCENT or "percent" in unit))
    elif target is None:
        fits = not like.unit
    else:
        return amount * source.factor / target.factor if source.measures == target.measures else None
    return amount if fits else None


def date_text(date: Date, answer_type: AnswerType) -> str | None:
    """Return what a date tells of what is sought ("1960s", "May", "March 9, 2012"); `None` where it does not tell it."""
    era = " BC" if date.year < 0 else ""
    year = abs(date.year)
    if answer_type is AnswerType.WEEKDAY:
        return weekday(date) if date.day and date.year else None
    if answer_type is AnswerType.MONTH:
        return MONTHS[date.month - 1] if date.month else None
    if answer_type is AnswerType.DATE and date.season and date.season != "decade" and not date.month and date.text:
        return date.text
    if answer_type is AnswerType.DATE and date.month:
        day = f" {date.day}" if date.day else ""
        comma = ", " if date.day else " "
        return f"{MONTHS[date.month - 1]}{day}{comma}{year}{era}" if year else f"{MONTHS[date.month - 1]}{day}"
    if not year:
        return None
    if answer_type is AnswerType.CENTURY:
        return f"{ordinal_digits((year - 1) // 100 + 1)}{era}"
    if answer_type is AnswerType.DECADE or date.season == "decade":
        return f"{year - year % 10}s{era}" if answer_type in (AnswerType.DECADE, AnswerType.DATE) else None
    return f"{year}{era}"


def number_text(
    value: Fraction, like: Quantity, answer_type: AnswerType = AnswerType.NUMBER, numbered: bool = False
) -> str | None:
    """Return a number in the form of another one ("3.5 million", "7,600", "fourth"); `None` where it cannot be one of its sort.

    An amount of things or people, a rank, and money are never negative; a rank is a whole number above 0, said as one where a
    rank is sought, and in digits alone where it is `numbered` ("issue number 231").
    """
    if like.sort is Sort.ORDINAL or answer_type is AnswerType.RANK:
        if value.denominator != 1 or value <= 0:
            return None
        if like.sort is not Sort.ORDINAL or answer_type is not AnswerType.RANK or numbered:
            return plain_number_text(value)
        return ordinal_words(int(value)) if like.spelt else ordinal_digits(int(value))
    if value < 0 <= like.value:
        return None
    if like.spelt and value.denominator != 1 and like.value.denominator == 1 and not like.unit:
        return None
    scale = like.scale if like.scale > 2 else 0
    while scale and abs(value) >= 10 ** (scale + 3) and scale + 3 in _SCALES:
        scale += 3
    digits = plain_number_text(value / 10**scale)
    if like.sort is Sort.PERCENT:
        return f"{digits}%"
    return f"{digits} {_SCALES[scale]}" if scale else digits


def plain_number_text(value: Fraction) -> str:
    """Return a number in digits: with commas from a thousand on, and at most four places behind the point."""
    if value.denominator == 1:
        return f"{int(value):,}"
    places = next((places for places in range(1, 4) if (value * 10**places).denominator == 1), 2)
    return f"{float(value):,.{places}f}"


def signed_amount_text(amount: Fraction, unit: str) -> str:
    """Return an amount with its sign and unit: "+2 year", "−300 m"."""
    number = f"{amount}" if amount.denominator == 1 else f"{float(amount):g}"
    return f"{'+' if amount > 0 else ''}{number}{f' {unit}' if unit else ''}".replace("-", "−")
