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
_SIGN_CURRENCIES = {"$": "dollar", "£": "pound", "€": "euro", "¥": "yen", "₹": "rupee"}


def add_quantities(first: Quantity, second: Quantity) -> Quantity:
    """Return the sum in the unit and the form of the first: 8,848 m + 500 ft is 9,000.4 m, 1996 + 5 years is 2001.

    A number without a unit counts what the other counts. Raises `QuantityInvalid` where the two cannot be added: metres and
    kilograms, dollars and euros, a per cent and a number that is none, two years, two times of day.
    """
    return _sum_of(first, second, 1)


def subtract_quantities(first: Quantity, second: Quantity) -> Quantity:
    """Return the first less the second, as `plus` adds them; of two years the years between, of two times the minutes."""
    if first.sort is second.sort and first.sort in (Sort.YEAR, Sort.TIME):
        _require_single(first, second)
        unit = "years" if first.sort is Sort.YEAR else "minutes"
        gap = _year_ordinal(first) - _year_ordinal(second)
        return Quantity(gap, Sort.DURATION, unit, spelt=False)
    return _sum_of(first, second, -1)


def scale_quantity(quantity: Quantity, factor: Fraction) -> Quantity:
    """Return a quantity scaled by a factor; raises `QuantityInvalid` for years, ranks, centuries and times of day."""
    if quantity.sort in (Sort.YEAR, Sort.DECADE, Sort.CENTURY, Sort.ORDINAL, Sort.TIME):
        raise QuantityInvalid(f"'{_quantity_text(quantity)}' is a {quantity.sort}, and cannot be multiplied")
    upper = None if quantity.upper is None else quantity.upper * factor
    return _without_text(quantity, quantity.value * factor, upper)


def quantity_ratio(first: Quantity, second: Quantity) -> Fraction:
    """Return how many times the second the first is; raises `QuantityInvalid` by zero, and where units do not agree."""
    _require_single(first, second)
    _require_agreement(first, second)
    below = _in_same_unit(first, second).value
    if not below:
        raise QuantityInvalid(f"'{_quantity_text(first)}' cannot be divided by '{_quantity_text(second)}': it is zero")
    return first.value / below


def complement(percent: Quantity) -> Quantity:
    """Return what is missing to 100 per cent; raises `QuantityInvalid` for what is no per cent of a whole."""
    if percent.sort is not Sort.PERCENT or percent.upper is not None or not 0 <= percent.value <= 100:
        raise QuantityInvalid(f"'{_quantity_text(percent)}' is no share of a whole")
    return _without_text(percent, 100 - percent.value)


def compare_quantities(first: Quantity, second: Quantity) -> int:
    """Return -1, 0 or 1 as the first is less, as much or more than the second; raises `QuantityInvalid` as `minus` does."""
    _require_agreement(first, second)
    second_value = _in_same_unit(first, second).value
    return (first.value > second_value) - (first.value < second_value)


def _sum_of(first: Quantity, second: Quantity, sign: int) -> Quantity:
    if second.upper is not None:
        raise QuantityInvalid(f"'{_quantity_text(second)}' is a range, and not one number to reckon with")
    if first.sort in (Sort.YEAR, Sort.DECADE, Sort.CENTURY, Sort.TIME):
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
        by = convert_unit(second, step).value
    elif second.sort is Sort.CARDINAL and not second.unit:
        by = second.value
    else:
        raise QuantityInvalid(f"'{_quantity_text(second)}' cannot be added to '{_quantity_text(first)}', a {first.sort}")
    if first.sort is Sort.TIME:
        return _without_text(first, (first.value + sign * by) % _MINUTES_A_DAY)
    value = _year_ordinal(first) + sign * by
    if value.denominator != 1:
        raise QuantityInvalid(
            f"'{_quantity_text(first)}' cannot be moved by '{_quantity_text(second)}': "
            "a part of a year needs a month to start from"
        )
    upper = None if first.upper is None else first.upper + sign * by
    return _without_text(first, value if value > 0 else value - 1, upper)


def _year_ordinal(quantity: Quantity) -> Fraction:
    """Return a year among all years: there was no year 0."""
    return quantity.value if quantity.value > 0 or quantity.sort is Sort.TIME else quantity.value + 1


def _require_agreement(first: Quantity, second: Quantity) -> None:
    """Raise `QuantityInvalid` unless the two can be added or compared."""
    kinds = {first.sort, second.sort}
    if len(kinds) == 1:
        return
    plain = [quantity for quantity in (first, second) if quantity.sort is Sort.CARDINAL and not quantity.unit]
    if plain and kinds <= {Sort.CARDINAL, Sort.MONEY, Sort.DURATION, Sort.ORDINAL}:
        return
    if plain and second in plain and kinds == {Sort.CARDINAL, Sort.PERCENT}:
        return
    raise QuantityInvalid(
        f"'{_quantity_text(first)}' and '{_quantity_text(second)}' do not agree: {first.sort} and {second.sort}"
    )


def _in_same_unit(first: Quantity, second: Quantity) -> Quantity:
    """Return the second in the unit of the first."""
    if Sort.MONEY in (first.sort, second.sort):
        if first.unit and second.unit and currency_name(first.unit) != currency_name(second.unit):
            raise QuantityInvalid(f"'{_quantity_text(first)}' and '{_quantity_text(second)}' are not of one currency")
        return second
    if first.sort is Sort.PERCENT or not first.unit or not second.unit:
        return second
    if unit_of(first.unit) is None and first.unit == second.unit:
        return second
    return convert_unit(second, first.unit)


def currency_name(unit: str) -> str:
    """Return one name for a currency however it is written: "$", "dollars" and "US$" are "dollar"."""
    sign = unit[-1:] if unit[-1:] in CURRENCY_SIGNS else ""
    if sign:
        return f"{unit[:-1].lower().replace('us', '')} {_SIGN_CURRENCIES.get(sign, sign)}".strip()
    name = unit.lower().removeprefix("us ").removeprefix("american ")
    if name in ("usd", "gbp", "eur", "jpy", "inr"):
        return {"usd": "dollar", "gbp": "pound", "eur": "euro", "jpy": "yen", "inr": "rupee"}[name]
    if name in ("rmb", "cny", "renminbi"):
        return "yuan"
    return name.removesuffix("s") if name in CURRENCY_NAMES else name


def _require_single(*quantities: Quantity) -> None:
    for quantity in quantities:
        if quantity.upper is not None and quantity.sort is not Sort.DECADE:
            raise QuantityInvalid(f"'{_quantity_text(quantity)}' is a range, and not one number to reckon with")


def _without_text(quantity: Quantity, value: Fraction, upper: Fraction | None = None) -> Quantity:
    """Return a quantity of the same form that stands in no text."""
    return replace(quantity, value=value, upper=upper, text="", start=0, end=0)


def _quantity_text(quantity: Quantity) -> str:
    return quantity.text or f"{float(quantity.value):g} {quantity.unit}".strip()


_OLDEST = 130
_LAST_YEAR = 3000
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
    value, expected = quantity.value, expected or ExpectedQuantity()
    if quantity.upper is not None and quantity.upper < value:
        return f"a range from {_number_text(value)} down to {_number_text(quantity.upper)}"
    of_sort = _problem_of_sort(quantity)
    if of_sort:
        return of_sort
    if expected.age and not 0 <= value <= _OLDEST:
        return f"an age of {_number_text(value)} years"
    if expected.count and (value < 0 or value.denominator != 1):
        return f"a count of {_number_text(value)}"
    if expected.share and not 0 <= value <= 100:
        return f"a share of {_number_text(value)} %"
    return _problem_of_unit(quantity, expected.unit)


def _problem_of_sort(quantity: Quantity) -> str:
    value = quantity.value
    if quantity.sort is Sort.ORDINAL and (value < 1 or value.denominator != 1):
        return f"a rank of {_number_text(value)}"
    if quantity.sort is Sort.CENTURY and (not value or value.denominator != 1 or value > 30):
        return f"a century numbered {_number_text(value)}"
    if quantity.sort in (Sort.YEAR, Sort.DECADE) and (not value or value.denominator != 1 or value > _LAST_YEAR):
        return f"a year numbered {_number_text(value)}"
    if quantity.sort is Sort.TIME and not 0 <= value <= 24 * 60:
        return f"a time {_number_text(value)} minutes after midnight"
    if quantity.sort is Sort.DURATION and value < 0:
        return f"a duration of {_number_text(value)} {quantity.unit}"
    return ""


def _problem_of_unit(quantity: Quantity, wanted: str) -> str:
    unit = unit_of(quantity.unit) if quantity.unit else None
    if unit is not None and quantity.value < 0 and unit.measures not in _BELOW_ZERO:
        return f"{_number_text(quantity.value)} {quantity.unit}"
    wanted_unit = unit_of(wanted) if wanted else None
    if unit is not None and wanted_unit is not None and unit.measures != wanted_unit.measures:
        calendar = {unit.measures, wanted_unit.measures} == {"time", "months"}
        if not calendar:
            return f"{quantity.unit} where {wanted} are asked for"
    return ""


def _number_text(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):g}"
