"""Carrying out what a question asks of the numbers of a passage: sums, differences, shares, choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from kgqa.errors import QuantityInvalid
from kgqa.quantities.arithmetic import compared, complement, minus, plus
from kgqa.quantities.model import Quantity, Sort
from kgqa.quantities.sanity import Expected, problem
from kgqa.quantities.units import unit_of
from kgqa.quantities.writing import digits, written
from kgqa.reading.reckoning.asked import Asked, Operation
from kgqa.reading.reckoning.named import bare, names, standing, together
from kgqa.reading.reckoning.operands import Numbers, stems
from kgqa.reading.reckoning.order import earlier, elapsed
from kgqa.reading.reckoning.result import Reckoned, spoken
from kgqa.reading.reckoning.singled import choice_of_events, count, extreme, filtered

WEAK = 0.12
"""Below this mean fit, a number is not held to be meant by a phrase."""
TOLD = 0.25
"""So much do numbers go before others that one sentence tells of both names in the same manner."""


def carried(asked: Asked, text: str) -> Reckoned | None:
    """Return what the operation gives on the numbers of a passage; `None` where they cannot be told or give what cannot be."""
    if asked.operation in (Operation.ELAPSED, Operation.ORDER):
        found = (elapsed if asked.operation is Operation.ELAPSED else earlier)(asked, text)
        return None if found is None else Reckoned(*found)
    numbers = Numbers(text)
    if not numbers.quantities:
        return None
    try:
        return _CARRY[asked.operation](asked, numbers)
    except QuantityInvalid:
        return None


def classes(asked: Asked, numbers: Numbers) -> Iterator[list[Quantity]]:
    """Yield the numbers that can be reckoned with one another, one class after the other: those of the unit that is asked for."""
    groups: dict[tuple[Sort, str], list[Quantity]] = {}
    for quantity in numbers.quantities:
        if quantity.sort in (Sort.CARDINAL, Sort.PERCENT, Sort.MONEY, Sort.DURATION):
            unit = unit_of(quantity.unit) if quantity.unit else None
            groups.setdefault((quantity.sort, unit.measures if unit else ""), []).append(quantity)
    wanted = unit_of(asked.unit)
    money = asked.unit in ("£", "$", "€", "dollars") and any(sort is Sort.MONEY for sort, _ in groups)
    for (sort, measures), members in groups.items():
        if money and sort is not Sort.MONEY:
            continue
        if asked.unit == "percent" and (Sort.PERCENT, "") in groups and sort is not Sort.PERCENT:
            continue
        if wanted is not None and any(key[1] == wanted.measures for key in groups) and measures != wanted.measures:
            continue
        yield members


def _together(
    asked: Asked, numbers: Numbers, phrases: Sequence[str], shared: str = ""
) -> tuple[tuple[Quantity, ...], float] | None:
    """Return the numbers of all phrases out of one class, that which fits best."""
    named = names(phrases, numbers) if asked.operation is Operation.DIFFERENCE else None
    if named:
        phrases, shared = bare(phrases, named, shared)
    found = []
    for members in classes(asked, numbers):
        *told, anywhere = standing(named, members, numbers) if named else [()]
        found += [(TOLD, one) for way in told if (one := numbers.assigned(phrases, members, shared, way)) is not None]
        one = numbers.assigned(phrases, members, shared, anywhere)
        if one is not None:
            found.append((TOLD / 2 if named and together(one[0], numbers.text) else 0.0, one))
    best = max(found, key=lambda ranked: ranked[0] + ranked[1][1], default=(0.0, None))[1]
    return best if best is not None and best[1] >= WEAK else None


def _complement(asked: Asked, numbers: Numbers) -> Reckoned | None:
    phrases: tuple[str, ...] = asked.first
    if len(phrases) == 2 and _one_group(numbers.text, phrases):
        phrases = (" ".join(phrases),)
    found = _together(asked, numbers, phrases)
    if found is None or any(quantity.sort is not Sort.PERCENT for quantity in found[0]):
        return None
    told = _total(found[0])
    rest = complement(told)
    step = f"100 - {_sum_shown(found[0])} = {digits(rest.value)}"
    return _checked(rest, found[1], (_found_line(found[0]), step), Expected(share=True), found[0][0])


def _one_group(text: str, phrases: Sequence[str]) -> bool:
    """Tell whether a passage gives two things one number: "Hispanic or Latino of any race were 25%"."""
    first, second = (re.escape(phrase.split()[0].lower()) for phrase in phrases)
    return re.search(rf"{first}[^,;%]{{0,40}}? or {second}", text.lower()) is not None


def _difference(asked: Asked, numbers: Numbers) -> Reckoned | None:
    first_side, second_side, common = _apart(asked)
    phrases = [*first_side, *second_side]
    found = _together(asked, numbers, phrases, common)
    if found is None:
        return None
    cut = len(asked.first)
    first, second = _total(found[0][:cut]), _total(found[0][cut:])
    gap = minus(first, second)
    turned = (gap.value < 0) != asked.least
    shown = (found[0][cut:], found[0][:cut]) if gap.value < 0 else (found[0][:cut], found[0][cut:])
    gap = replace(gap, value=abs(gap.value))
    if not gap.value:
        return None
    step = f"{_sum_shown(shown[0])} - {_sum_shown(shown[1])} = {_figure(gap.value, shown[0])}"
    fit = found[1] * (0.8 if turned and gap.value else 1.0)
    expected = Expected(unit=asked.unit if unit_of(asked.unit) else "")
    millions = {"million": 6, "millions": 6, "billion": 9}.get(asked.unit, 0)
    if millions and gap.value >= 10**millions:
        gap = replace(gap, value=gap.value / 10**millions, scale=0)
    return _checked(gap, fit, (_found_line(found[0]), step), expected, shown[0][0])


def _apart(asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the phrases of both sides without what they have in common, and that.

    A year that one side alone has is common: "walked in 2016 than cycled"; so are the words that name what is counted.
    """
    years = [
        [stem for stem in stems(" ".join(side)) if len(stem) == 4 and stem.isdigit()] for side in (asked.first, asked.second)
    ]
    common = ""
    if bool(years[0]) != bool(years[1]) and len(set(stems(" ".join(asked.second)))) > len(years[1]):
        common = " ".join(years[0] or years[1])
    drop = set(common.split())
    sides = [
        tuple(" ".join(word for word in phrase.split() if word.strip(",.") not in drop) for phrase in side)
        for side in (asked.first, asked.second)
    ]
    return sides[0], sides[1], f"{common} {' '.join(asked.first)}"


def _sum(asked: Asked, numbers: Numbers) -> Reckoned | None:
    found = _together(asked, numbers, asked.first)
    if found is None:
        return None
    total = _total(found[0])
    step = f"{_sum_shown(found[0])} = {_figure(total.value, found[0])}"
    return _checked(total, found[1], (_found_line(found[0]), step), Expected(share=total.sort is Sort.PERCENT), found[0][0])


def _choice(asked: Asked, numbers: Numbers) -> Reckoned | None:
    of_events = choice_of_events(asked, numbers)
    if of_events is not None:
        return of_events
    found = _together(asked, numbers, [*asked.first, *asked.second], asked.noun)
    if found is None:
        return None
    (first, second), fit = found[0][:2], found[1]
    sign = compared(first, second)
    if not sign:
        return None
    chosen = asked.first[0] if (sign > 0) != asked.least else asked.second[0]
    relation = "<" if sign < 0 else ">"
    step = f"{written(first)} {relation} {written(second)}: {chosen}"
    return spoken(chosen, numbers.text, fit, (_found_line(found[0]), step))


_CARRY: dict[Operation, Callable[[Asked, Numbers], Reckoned | None]] = {
    Operation.COMPLEMENT: _complement,
    Operation.DIFFERENCE: _difference,
    Operation.SUM: _sum,
    Operation.CHOICE: _choice,
    Operation.FILTER: filtered,
    Operation.EXTREME: extreme,
    Operation.COUNT: count,
}


def _total(quantities: Sequence[Quantity]) -> Quantity:
    total = quantities[0]
    for quantity in quantities[1:]:
        total = plus(total, quantity)
    return total


def _checked(result: Quantity, fit: float, trace: tuple[str, ...], expected: Expected, pattern: Quantity) -> Reckoned | None:
    """Return the result in the form of the passage, unless it cannot be."""
    if problem(result, expected):
        return None
    return Reckoned(_figure(result.value, (pattern,)), fit, trace, pattern.start, pattern.end)


def _figure(value: Fraction, patterns: Sequence[Quantity]) -> str:
    """Return a number in digits: with commas where the passage has them and it is whole."""
    return digits(value, commas=value.denominator == 1 and any("," in pattern.text for pattern in patterns))


def _sum_shown(quantities: Sequence[Quantity]) -> str:
    shown = " + ".join(_figure(quantity.value, (quantity,)) for quantity in quantities)
    return f"({shown})" if len(quantities) > 1 else shown


def _found_line(quantities: Sequence[Quantity]) -> str:
    return f"found: {'; '.join(quantity.text for quantity in quantities)}"
