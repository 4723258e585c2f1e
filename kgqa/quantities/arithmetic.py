"""Reckoning with quantities: exact, in the unit of the first, and refused where units do not agree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from kgqa.errors import QuantityInvalid
from kgqa.quantities.model import Quantity, Sort
from kgqa.quantities.units import CURRENCY_NAMES, CURRENCY_SIGNS, converted, unit_of

_DAY = 24 * 60
_SIGNS = {"$": "dollar", "£": "pound", "€": "euro", "¥": "yen", "₹": "rupee"}


def plus(first: Quantity, second: Quantity) -> Quantity:
    """Return the sum in the unit and the form of the first: 8,848 m + 500 ft is 9,000.4 m, 1996 + 5 years is 2001.

    A number without a unit counts what the other counts. Raises `QuantityInvalid` where the two cannot be added: metres and
    kilograms, dollars and euros, a per cent and a number that is none, two years, two times of day.
    """
    return _moved(first, second, 1)


def minus(first: Quantity, second: Quantity) -> Quantity:
    """Return the first less the second, as `plus` adds them; of two years the years between, of two times the minutes."""
    if first.sort is second.sort and first.sort in (Sort.YEAR, Sort.TIME):
        _single(first, second)
        unit = "years" if first.sort is Sort.YEAR else "minutes"
        gap = _counted(first) - _counted(second)
        return Quantity(gap, Sort.DURATION, unit, spelt=False)
    return _moved(first, second, -1)


def times(quantity: Quantity, factor: Fraction) -> Quantity:
    """Return a quantity scaled by a factor; raises `QuantityInvalid` for years, ranks, centuries and times of day."""
    if quantity.sort in (Sort.YEAR, Sort.DECADE, Sort.CENTURY, Sort.ORDINAL, Sort.TIME):
        raise QuantityInvalid(f"'{_shown(quantity)}' is a {quantity.sort}, and cannot be multiplied")
    upper = None if quantity.upper is None else quantity.upper * factor
    return _bare(quantity, quantity.value * factor, upper)


def over(first: Quantity, second: Quantity) -> Fraction:
    """Return how many times the second the first is; raises `QuantityInvalid` by zero, and where units do not agree."""
    _single(first, second)
    _agree(first, second)
    below = _alike(first, second).value
    if not below:
        raise QuantityInvalid(f"'{_shown(first)}' cannot be divided by '{_shown(second)}': it is zero")
    return first.value / below


def complement(percent: Quantity) -> Quantity:
    """Return what is missing to 100 per cent; raises `QuantityInvalid` for what is no per cent of a whole."""
    if percent.sort is not Sort.PERCENT or percent.upper is not None or not 0 <= percent.value <= 100:
        raise QuantityInvalid(f"'{_shown(percent)}' is no share of a whole")
    return _bare(percent, 100 - percent.value)


def compared(first: Quantity, second: Quantity) -> int:
    """Return -1, 0 or 1 as the first is less, as much or more than the second; raises `QuantityInvalid` as `minus` does."""
    _agree(first, second)
    other = _alike(first, second).value
    return (first.value > other) - (first.value < other)


def _moved(first: Quantity, second: Quantity, sign: int) -> Quantity:
    if second.upper is not None:
        raise QuantityInvalid(f"'{_shown(second)}' is a range, and not one number to reckon with")
    if first.sort in (Sort.YEAR, Sort.DECADE, Sort.CENTURY, Sort.TIME):
        return _dated(first, second, sign)
    _agree(first, second)
    other = _alike(first, second).value * sign
    moved = _bare(first, first.value + other, None if first.upper is None else first.upper + other)
    if not first.unit and second.unit and second.sort is not Sort.ORDINAL:
        return replace(moved, unit=second.unit, sort=second.sort)
    return moved


def _dated(first: Quantity, second: Quantity, sign: int) -> Quantity:
    """Move a year, a decade, a century or a time of day by a duration; a number without unit is of its own kind."""
    step = {Sort.TIME: "minutes", Sort.CENTURY: "centuries"}.get(first.sort, "years")
    if second.sort is Sort.DURATION:
        by = converted(second, step).value
    elif second.sort is Sort.CARDINAL and not second.unit:
        by = second.value
    else:
        raise QuantityInvalid(f"'{_shown(second)}' cannot be added to '{_shown(first)}', a {first.sort}")
    if first.sort is Sort.TIME:
        return _bare(first, (first.value + sign * by) % _DAY)
    value = _counted(first) + sign * by
    if value.denominator != 1:
        raise QuantityInvalid(
            f"'{_shown(first)}' cannot be moved by '{_shown(second)}': a part of a year needs a month to start from"
        )
    upper = None if first.upper is None else first.upper + sign * by
    return _bare(first, value if value > 0 else value - 1, upper)


def _counted(quantity: Quantity) -> Fraction:
    """Return a year among all years: there was no year 0."""
    return quantity.value if quantity.value > 0 or quantity.sort is Sort.TIME else quantity.value + 1


def _agree(first: Quantity, second: Quantity) -> None:
    """Raise `QuantityInvalid` unless the two can be added or compared."""
    kinds = {first.sort, second.sort}
    if len(kinds) == 1:
        return
    plain = [one for one in (first, second) if one.sort is Sort.CARDINAL and not one.unit]
    if plain and kinds <= {Sort.CARDINAL, Sort.MONEY, Sort.DURATION, Sort.ORDINAL}:
        return
    if plain and second in plain and kinds == {Sort.CARDINAL, Sort.PERCENT}:
        return
    raise QuantityInvalid(f"'{_shown(first)}' and '{_shown(second)}' do not agree: {first.sort} and {second.sort}")


def _alike(first: Quantity, second: Quantity) -> Quantity:
    """Return the second in the unit of the first."""
    if Sort.MONEY in (first.sort, second.sort):
        if first.unit and second.unit and currency(first.unit) != currency(second.unit):
            raise QuantityInvalid(f"'{_shown(first)}' and '{_shown(second)}' are not of one currency")
        return second
    if first.sort is Sort.PERCENT or not first.unit or not second.unit:
        return second
    if unit_of(first.unit) is None and first.unit == second.unit:
        return second
    return converted(second, first.unit)


def currency(unit: str) -> str:
    """Return one name for a currency however it is written: "$", "dollars" and "US$" are "dollar"."""
    sign = unit[-1:] if unit[-1:] in CURRENCY_SIGNS else ""
    if sign:
        return f"{unit[:-1].lower().replace('us', '')} {_SIGNS.get(sign, sign)}".strip()
    name = unit.lower().removeprefix("us ").removeprefix("american ")
    if name in ("usd", "gbp", "eur", "jpy", "inr"):
        return {"usd": "dollar", "gbp": "pound", "eur": "euro", "jpy": "yen", "inr": "rupee"}[name]
    if name in ("rmb", "cny", "renminbi"):
        return "yuan"
    return name.removesuffix("s") if name in CURRENCY_NAMES else name


def _single(*quantities: Quantity) -> None:
    for quantity in quantities:
        if quantity.upper is not None and quantity.sort is not Sort.DECADE:
            raise QuantityInvalid(f"'{_shown(quantity)}' is a range, and not one number to reckon with")


def _bare(quantity: Quantity, value: Fraction, upper: Fraction | None = None) -> Quantity:
    """Return a quantity of the same form that stands in no text."""
    return replace(quantity, value=value, upper=upper, text="", start=0, end=0)


def _shown(quantity: Quantity) -> str:
    return quantity.text or f"{float(quantity.value):g} {quantity.unit}".strip()
