"""Units of measure: their dimension, their factor, conversion, and the parser of the unit at a place of a text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from kgqa.errors import QuantityInvalid
from kgqa.quantities.numbers import NumberTokens
from kgqa.quantities.quantity import Quantity, Sort

CURRENCY_SIGNS = frozenset({"$", "£", "€", "¥", "₹", "₩", "₽"})
"""The signs that stand before an amount of money."""
CURRENCY_PREFIXES = frozenset({"us", "a", "c", "au", "ca", "hk", "nz", "s"})
"""The letters that may stand before a dollar sign: "US$", "A$"."""
CURRENCY_CODES = frozenset({"USD", "EUR", "GBP", "RMB", "CNY", "JPY", "INR", "Rs", "RM", "CHF", "DM", "NT$"})
"""The letters that stand before or behind an amount of money."""
CURRENCY_NAMES = frozenset(
    "dollar dollars cent cents euro euros sterling yen yuan renminbi rupee rupees rouble roubles ruble rubles franc francs "
    "peso pesos lira lire crown crowns krona kronor krone kroner shilling shillings florin florins guilder guilders "
    "deutschmarks deutschmark ducat ducats drachma reais riyal riyals dirham dirhams won baht ringgit".split()
)
"""The words behind an amount of money."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, and how many of the first unit of that it is."""

    measures: str
    factor: Fraction

    @property
    def dimension(self) -> str:
        """What it measures, months and years as other times."""
        return "time" if self.measures == "months" else self.measures


@cache
def unit_table() -> dict[str, Unit]:
    """Return the units of data/units.txt by their names: words in lower case with single spaces, symbols as they are spelt."""
    units: dict[str, Unit] = {}
    for line in Path(__file__).with_name("data").joinpath("units.txt").read_text(encoding="utf-8").splitlines()[1:]:
        measures, factor, names = line.split(" | ")
        units |= {name.replace("_", " "): Unit(measures, Fraction(factor)) for name in names.split()}
    return units


def unit_of(name: str) -> Unit | None:
    """Return the unit of a name ("km", "Square miles"), or `None` where it is none of the table."""
    spaced = " ".join(name.split())
    return unit_table().get(spaced) or unit_table().get(spaced.lower() if len(spaced) > 2 else spaced)


def convert_unit(quantity: Quantity, name: str) -> Quantity:
    """Return the same quantity in another unit, exactly; raises `QuantityInvalid` where they do not measure the same.

    A quantity without unit takes the unit as it is. Temperatures are converted with their zero, and not as ranges.
    """
    if not quantity.unit or quantity.unit == name:
        return replace(quantity, unit=name)
    source, target = unit_of(quantity.unit), unit_of(name)
    scale = None
    if source and target and source.measures == target.measures:
        scale = source.factor / target.factor, Fraction(0)
    elif source and target and quantity.upper is None:
        scale = _DEGREES.get((source.measures, target.measures))
    if scale is None:
        raise QuantityInvalid(f"'{quantity.unit}' cannot be told in '{name}'")
    factor, zero = scale
    upper = None if quantity.upper is None else quantity.upper * factor
    return replace(quantity, value=quantity.value * factor + zero, upper=upper, unit=name)


_DEGREES = {
    ("fahrenheit", "celsius"): (Fraction(5, 9), Fraction(-160, 9)),
    ("celsius", "fahrenheit"): (Fraction(9, 5), Fraction(32)),
    ("celsius", "kelvin"): (Fraction(1), Fraction(27315, 100)),
    ("kelvin", "celsius"): (Fraction(1), Fraction(-27315, 100)),
}


def unit_at(tokens: NumberTokens, at: int) -> tuple[str, Sort, int]:
    """Return the unit that starts at a token, what it makes of the number, and the place after it."""
    lower, words = tokens.lower, tokens.words
    start = at + (lower[at] == "-" and tokens.touches(at) and tokens.touches(at + 1))
    word, behind = lower[start], lower[start + 1]
    pair = tokens.text[tokens.starts[start] : tokens.ends[start + 1]]
    if word in ("%", "percent", "pct"):
        return words[start], Sort.PERCENT, start + 1
    if (word == "per" and behind == "cent") or (word == "percentage" and behind in ("point", "points")):
        return pair, Sort.PERCENT, start + 2
    if word in CURRENCY_NAMES or words[start] in CURRENCY_CODES or words[start] in CURRENCY_SIGNS:
        return words[start], Sort.MONEY, start + 1
    if word in ("us", "american", "canadian", "australian", "pounds") and behind in CURRENCY_NAMES:
        return pair, Sort.MONEY, start + 2
    if word not in _first_words() and words[start] not in _first_words():
        return "", Sort.CARDINAL, at
    for length in (4, 3, 2, 1):
        last = start + length - 1
        if last >= tokens.count:
            continue
        name = tokens.text[tokens.starts[start] : tokens.ends[last]] if length > 1 else words[start]
        unit = unit_of(name)
        if unit is not None and not (
            len(name) == 1 and name.isalpha() and tokens.touches(last + 1) and words[last + 1] in "'’.-"
        ):
            return name, Sort.DURATION if unit.measures in ("time", "months") else Sort.CARDINAL, last + 1
    return "", Sort.CARDINAL, at


@cache
def _first_words() -> frozenset[str]:
    return frozenset(NumberTokens(name).words[0] for name in unit_table())
