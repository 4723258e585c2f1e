"""Edited values: the result of a change of a date, a number or a rank, its text, and the steps of a script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, FactEdit
from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import MONTHS, add_to_date, weekday
from kgqa.quantities.numbers import ordinal_digits, ordinal_words
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_changes import MONEY_PATTERN, TIME_UNITS, ChangeKind, QuantityChange, is_large_amount
from kgqa.quantities.units import unit_of

_YEARS = {"year": 1, "season": 1, "decade": 10, "century": 100, "millennium": 1000}
_MONTHS_IN = {"month": 1, "semester": 6}
_ANY_YEAR = 2001
"""A day that is told without its year is moved as in a common one."""
_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}


def shift_date_by_unit(date: Date, amount: Fraction, unit: str) -> Date | None:
    """Return a date moved by an amount of a unit of time; `None` where it is not precise enough to tell, or out of range."""
    years, months, days = Fraction(0), Fraction(0), Fraction(0)
    if unit in _YEARS:
        years = amount * _YEARS[unit]
    elif unit in _MONTHS_IN:
        months = amount * _MONTHS_IN[unit]
    elif unit in _DAYS_IN:
        days = amount * _DAYS_IN[unit]
    else:
        return None
    if years.denominator != 1:
        years, months = Fraction(0), years * 12
    if months.denominator != 1 or days.denominator != 1:
        return None
    if months and not date.month:
        if months % 12:
            return None
        years, months = months / 12, Fraction(0)
    yearless = not date.year and not years
    try:
        made = add_to_date(
            replace(date, year=_ANY_YEAR) if yearless else date, years=int(years), months=int(months), days=int(days)
        )
    except QuantityInvalid:
        return None
    return replace(made, year=0 if yearless else made.year, season=date.season)


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


_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def convert_amount(like: Quantity, amount: Fraction, unit: str, money: bool) -> Fraction | None:
    """Return an amount of a unit as a number of the unit of another quantity; `None` where the two do not measure the same.

    A noun that is no unit ("episodes") agrees with every number that has neither currency nor unit of measure.
    """
    source = unit_of(unit.split()[0]) if unit else None
    target = unit_of(like.unit) if like.unit and like.sort is not Sort.MONEY else None
    if money or like.sort is Sort.MONEY:
        return amount if (money and like.sort is Sort.MONEY) or (like.sort is Sort.MONEY and not unit) else None
    if source is None:
        return (
            amount if (target is None or not unit) and (like.sort is not Sort.PERCENT or "percent" in unit or not unit) else None
        )
    if target is None:
        return amount if not like.unit else None
    if source.measures == target.measures:
        return amount * source.factor / target.factor
    return None


def range_text(low: Fraction, high: Fraction, like: Quantity) -> str | None:
    """Return both ends of a range in the form of another one: "1-3"."""
    ends = number_text(low, like), number_text(high, like)
    return None if None in ends else f"{ends[0]}-{ends[1]}"


def plain_number_text(value: Fraction) -> str:
    """Return a number in digits: with commas from a thousand on, and at most four places behind the point."""
    if value.denominator == 1:
        return f"{int(value):,}"
    places = next((places for places in range(1, 4) if (value * 10**places).denominator == 1), 2)
    return f"{float(value):,.{places}f}"


FactValue = Quantity | Date


@dataclass(frozen=True, slots=True)
class EditStep:
    """One edit of a value: `apply` gives the value in the edited world, `None` where the fact does not bear it."""

    operation: EditOperation
    apply: Callable[[FactValue], FactValue | None]
    value: str = ""
    amount: Fraction = Fraction(0)
    unit: str = ""

    def edit(self, target: str, former: str) -> FactEdit:
        """Return the edit of a fact that stood as `former`."""
        return FactEdit(self.operation, target, self.value, former, self.amount, self.unit)


def shift_date_step(amount: Fraction, unit: str) -> EditStep:
    """Return the step that moves a date by an amount of a unit of time."""

    def apply(value: FactValue) -> FactValue | None:
        return shift_date_by_unit(value, amount, unit) if isinstance(value, Date) else None

    return EditStep(EditOperation.SHIFT, apply, signed_amount_text(amount, unit), amount, unit)


def change_number_step(change: QuantityChange, amount: Fraction) -> EditStep:
    """Return the step that changes a number, or both ends of a range; one that leaves fewer than none has no result."""
    money = MONEY_PATTERN.search(change.text) is not None

    def apply(value: FactValue) -> FactValue | None:
        if not isinstance(value, Quantity):
            return None
        low = _changed_number(change, amount, value.value, value, money)
        if low is None or low < 0 <= value.value:
            return None
        high = None if value.upper is None else _changed_number(change, amount, value.upper, value, money)
        return replace(value, value=low, upper=high)

    amount_text = f"×{float(amount):g}" if change.how is ChangeKind.TIMES else signed_amount_text(amount, change.unit)
    return EditStep(_operation_of_change(change, amount, money), apply, amount_text, amount, change.unit)


def revert_step(answer: str = "") -> EditStep:
    """Return the step that goes back to a value as it was first told."""
    return EditStep(EditOperation.REVERT, lambda value: value, answer)


def signed_amount_text(amount: Fraction, unit: str) -> str:
    """Return an amount with its sign and unit: "+2 year", "−300 m"."""
    number = f"{amount}" if amount.denominator == 1 else f"{float(amount):g}"
    sign = "+" if amount > 0 else ""
    return f"{sign}{number}{f' {unit}' if unit else ''}".replace("-", "−")


def _operation_of_change(change: QuantityChange, amount: Fraction, money: bool) -> EditOperation:
    """Return what a change does: members and other things are added or removed, measures shifted or scaled, places ranked."""
    if change.how is ChangeKind.TIMES:
        return EditOperation.SCALE
    if change.how is ChangeKind.PLACES:
        return EditOperation.RANK
    noun = change.unit.lower().split()[0].rstrip("s") if change.unit else ""
    if change.how is ChangeKind.LATER or money or not noun or noun in TIME_UNITS or unit_of(noun) is not None:
        return EditOperation.SHIFT
    return EditOperation.ADD if amount > 0 else EditOperation.REMOVE


def _changed_number(change: QuantityChange, amount: Fraction, number: Fraction, value: Quantity, money: bool) -> Fraction | None:
    """Return a number under a change, in the unit of the quantity that it is an end of."""
    if change.how is ChangeKind.TIMES:
        return number * amount
    if change.how is ChangeKind.PLACES:
        return number + amount
    step = convert_amount(value, amount, change.unit, money)
    if step is None:
        return None
    if value.scale > 2 and abs(step) * 1000 < abs(value.value) and not change.unit and not is_large_amount(change.text):
        step *= 10**value.scale  # "increased by 1" of "3.5 million"
    return number + step
