"""What a quantity cannot be: the checks that an answer passes before it is given."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kgqa.quantities.model import Quantity, Sort
from kgqa.quantities.units import unit_of

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
