"""Arithmetic with quantities: exact, in the unit of the first operand, and refused where units differ in kind.

Also the checks of an answer's plausibility: values that a quantity cannot have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.errors import QuantityInvalid
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.units import CURRENCY_NAMES, CURRENCY_SIGNS, convert_unit, unit_of

_MINUTES_A_DAY = 24 * 60
_YEARLY_SORTS = (Sort.YEAR, Sort.DECADE, Sort.CENTURY)
_SIGN_CURRENCIES = {"$": "dollar", "£": "pound", "€": "euro", "¥": "yen", "₹": "rupee"}
_CODE_CURRENCIES = {
    "usd": "dollar",
    "gbp": "pound",
    "eur": "euro",
    "jpy": "yen",
    "inr": "rupee",
    **dict.fromkeys(("rmb", "cny", "renminbi"), "yuan"),
}


def add_quantities(first: Quantity, second: Quantity) -> Quantity:
    """Return the sum in the unit and the form of the first: 8,848 m + 500 ft is 9,000.4 m, 1996 + 5 years is 2001.

    A number without a unit counts what the other counts. Raises `QuantityInvalid` where the two cannot be added: metres and
    kilograms, dollars and euros, a per cent and a number that is none, two years, two times of day.
    """
    return _sum_of(first, second, 1)


def subtract_quantities(first: Quantity, second: Quantity) -> Quantity:
    """Return the first less the second, as `add_quantities` does; of two years the years between, of two times the minutes."""
    if first.sort is not second.sort or first.sort not in (Sort.YEAR, Sort.TIME):
        return _sum_of(first, second, -1)
    for quantity in (first, second):
        if quantity.upper is not None:
            raise _range_error(quantity)
    unit = "years" if first.sort is Sort.YEAR else "minutes"
    return Quantity(_year_ordinal(first) - _year_ordinal(second), Sort.DURATION, unit)


def complement(percent: Quantity) -> Quantity:
    """Return what is missing to 100 per cent; raises `QuantityInvalid` for what is no per cent of a whole."""
    if percent.sort is not Sort.PERCENT or percent.upper is not None or not 0 <= percent.value <= 100:
        raise QuantityInvalid(f"'{_quantity_text(percent)}' is no share of a whole")
    return _without_text(percent, 100 - percent.value)


def compare_quantities(first: Quantity, second: Quantity) -> int:
    """Return -1, 0 or 1 as the first is less, as much or more than the second; raises `QuantityInvalid` where units differ."""
    _require_agreement(first, second)
    second_value = _in_same_unit(first, second).value
    return (first.value > second_value) - (first.value < second_value)


def _sum_of(first: Quantity, second: Quantity, sign: int) -> Quantity:
    if second.upper is not None:
        raise _range_error(second)
    if first.sort in (*_YEARLY_SORTS, Sort.TIME):
        return _shift_calendar_quantity(first, second, sign)
    _require_agreement(first, second)
    addend = _in_same_unit(first, second).value * sign
    moved = _without_text(first, first.value + addend, None if first.upper is None else first.upper + addend)
    if not first.unit and second.unit and second.sort is not Sort.ORDINAL:
        return replace(moved, unit=second.unit, sort=second.sort)
    return moved


def _shift_calendar_quantity(first: Quantity, second: Quantity, sign: int) -> Quantity:
    """Move a year, a decade, a century or a time of day by a duration; a number without unit is of its own kind."""
    step = {Sort.TIME: "minutes", Sort.CENTURY: "centuries"}.get(first.sort, "years")
    if second.sort is Sort.DURATION:
        by = sign * convert_unit(second, step).value
    elif second.sort is Sort.CARDINAL and not second.unit:
        by = sign * second.value
    else:
        raise QuantityInvalid(f"'{_quantity_text(second)}' cannot be added to '{_quantity_text(first)}', a {first.sort}")
    if first.sort is Sort.TIME:
        return _without_text(first, (first.value + by) % _MINUTES_A_DAY)
    value = _year_ordinal(first) + by
    if value.denominator != 1:
        raise QuantityInvalid(
            f"'{_quantity_text(first)}' cannot be moved by '{_quantity_text(second)}': "
            "a part of a year needs a month to start from"
        )
    return _without_text(first, value if value > 0 else value - 1, None if first.upper is None else first.upper + by)


def _year_ordinal(quantity: Quantity) -> Fraction:
    """Return a year among all years: there was no year 0."""
    return quantity.value if quantity.value > 0 or quantity.sort is Sort.TIME else quantity.value + 1


def _require_agreement(first: Quantity, second: Quantity) -> None:
    """Raise `QuantityInvalid` unless the two can be added or compared."""
    kinds = {first.sort, second.sort}
    first_plain, second_plain = (quantity.sort is Sort.CARDINAL and not quantity.unit for quantity in (first, second))
    if (
        len(kinds) == 1
        or ((first_plain or second_plain) and kinds <= {Sort.CARDINAL, Sort.MONEY, Sort.DURATION, Sort.ORDINAL})
        or (second_plain and kinds == {Sort.CARDINAL, Sort.PERCENT})
    ):
        return
    texts = f"'{_quantity_text(first)}' and '{_quantity_text(second)}'"
    raise QuantityInvalid(f"{texts} do not agree: {first.sort} and {second.sort}")


def _in_same_unit(first: Quantity, second: Quantity) -> Quantity:
    if Sort.MONEY in (first.sort, second.sort):
        if first.unit and second.unit and _currency_name(first.unit) != _currency_name(second.unit):
            raise QuantityInvalid(f"'{_quantity_text(first)}' and '{_quantity_text(second)}' are not of one currency")
        return second
    if first.sort is Sort.PERCENT or not first.unit or not second.unit or first.unit == second.unit:
        return second
    return convert_unit(second, first.unit)


def _currency_name(unit: str) -> str:
    """Return one name for a currency however it is written: "$", "dollars" and "US$" are "dollar"."""
    sign = unit[-1:]
    if sign in CURRENCY_SIGNS:
        return f"{unit[:-1].lower().replace('us', '')} {_SIGN_CURRENCIES.get(sign, sign)}".strip()
    name = unit.lower().removeprefix("us ").removeprefix("american ")
    return _CODE_CURRENCIES.get(name) or (name.removesuffix("s") if name in CURRENCY_NAMES else name)


def _range_error(quantity: Quantity) -> QuantityInvalid:
    return QuantityInvalid(f"'{_quantity_text(quantity)}' is a range, and not one number to reckon with")


def _without_text(quantity: Quantity, value: Fraction, upper: Fraction | None = None) -> Quantity:
    """Return a quantity of the same form that stands in no text."""
    return replace(quantity, value=value, upper=upper, text="", start=0, end=0)


def _quantity_text(quantity: Quantity) -> str:
    return quantity.text or f"{float(quantity.value):g} {quantity.unit}".strip()


_OLDEST = 130
_LAST_YEAR = 3000
_LAST_CENTURY = 30
_BELOW_ZERO = {"celsius", "fahrenheit", "degrees", "length"}
"""What is measured may be below zero: a temperature, and a height above the sea; a mass, an area, a speed may not."""


@dataclass(frozen=True, slots=True)
class ExpectedQuantity:
    """What a question asks for: a `count` of things (whole, never negative), an `age`, a `share` of a whole; and its unit."""

    count: bool = False
    age: bool = False
    share: bool = False
    unit: str = ""


def quantity_problem(quantity: Quantity, expected: ExpectedQuantity | None = None) -> str:
    """Return in a few words why a quantity cannot be, or an empty text: "a count of -3", "an age of 4,000 years"."""
    value, sort, expected = quantity.value, quantity.sort, expected or ExpectedQuantity()
    number, whole = _number_text(value), value.denominator == 1
    last = _LAST_CENTURY if sort is Sort.CENTURY else _LAST_YEAR
    problems = (
        (
            quantity.upper is not None and quantity.upper < value,
            f"a range from {number} down to {_number_text(quantity.upper or Fraction())}",
        ),
        (sort is Sort.ORDINAL and (value < 1 or not whole), f"a rank of {number}"),
        (
            sort in _YEARLY_SORTS and (not value or not whole or value > last),
            f"a {'century' if sort is Sort.CENTURY else 'year'} numbered {number}",
        ),
        (sort is Sort.TIME and not 0 <= value <= _MINUTES_A_DAY, f"a time {number} minutes after midnight"),
        (sort is Sort.DURATION and value < 0, f"a duration of {number} {quantity.unit}"),
        (expected.age and not 0 <= value <= _OLDEST, f"an age of {number} years"),
        (expected.count and (value < 0 or not whole), f"a count of {number}"),
        (expected.share and not 0 <= value <= 100, f"a share of {number} %"),
    )
    return next((problem for holds, problem in problems if holds), "") or _unit_problem(quantity, expected.unit)


def _unit_problem(quantity: Quantity, wanted: str) -> str:
    unit, wanted_unit = unit_of(quantity.unit), unit_of(wanted)
    if unit and quantity.value < 0 and unit.measures not in _BELOW_ZERO:
        return f"{_number_text(quantity.value)} {quantity.unit}"
    measures = {unit.measures, wanted_unit.measures} if unit and wanted_unit else set()
    return f"{quantity.unit} where {wanted} are asked for" if len(measures) == 2 and measures != {"time", "months"} else ""


def _number_text(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):g}"
