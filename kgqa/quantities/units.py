"""Units of measure: their dimension, their factor, conversion, and the parser of the unit at a place of a text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from kgqa.errors import QuantityInvalid
from kgqa.quantities.numbers import NumberTokens
from kgqa.quantities.quantity import Quantity, Sort

# What is measured | factor to its first unit | the names of the unit. A name with capitals or signs is a symbol, spelt just so.
_TABLE = """
length | 1 | m metre metres meter meters
length | 1000 | km kilometre kilometres kilometer kilometers
length | .01 | cm centimetre centimetres centimeter centimeters
length | .001 | mm millimetre millimetres millimeter millimeters
length | .0254 | inch inches
length | .3048 | ft foot feet
length | .9144 | yd yard yards
length | 1609.344 | mi mile miles
length | 1852 | nmi nautical_mile nautical_miles
length | 9460730472580800 | light_year light_years light-year light-years
area | 1 | m² m2 square_metre square_metres square_meter square_meters sq_m
area | 1000000 | km² km2 square_kilometre square_kilometres square_kilometer square_kilometers sq_km
area | .09290304 | ft² square_foot square_feet sq_ft
area | 2589988.110336 | mi² square_mile square_miles sq_mi
area | 10000 | ha hectare hectares
area | 4046.8564224 | acre acres
volume | 1 | l L litre litres liter liters
volume | .001 | ml mL millilitre millilitres milliliter milliliters
volume | 1000 | m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters
volume | 3.785411784 | gallon gallons
volume | 158.987294928 | barrel barrels
mass | 1 | g gram grams gramme grammes
mass | 1000 | kg kilogram kilograms kilogramme kilogrammes kilos kilo
mass | .001 | mg milligram milligrams
mass | 1000000 | t tonne tonnes metric_ton metric_tons
mass | 907184.74 | ton tons short_ton short_tons
mass | 453.59237 | lb lbs pound pounds
mass | 28.349523125 | oz ounce ounces
time | 1 | s sec secs seconds
time | 60 | min mins minute minutes
time | 3600 | h hr hrs hour hours
time | 86400 | day days
time | 604800 | week weeks
time | 1209600 | fortnight fortnights
months | 1 | month months
months | 12 | year years yr yrs
months | 120 | decade decades
months | 1200 | century centuries
months | 12000 | millennium millennia
speed | 1 | m/s metres_per_second meters_per_second
speed | 5/18 | km/h kph kmh kilometres_per_hour kilometers_per_hour
speed | .44704 | mph miles_per_hour
speed | 463/900 | kn knot knots
power | 1 | W watt watts
power | 1000 | kW kilowatt kilowatts
power | 1000000 | MW megawatt megawatts
power | 1000000000 | GW gigawatt gigawatts
energy | 1 | J joule joules
energy | 1000 | kJ kilojoule kilojoules
frequency | 1 | Hz hertz
frequency | 1000 | kHz kilohertz
frequency | 1000000 | MHz megahertz
frequency | 1000000000 | GHz gigahertz
data | 1 | KB kB kilobyte kilobytes
data | 1000 | MB megabyte megabytes
data | 1000000 | GB gigabyte gigabytes
celsius | 1 | °C degrees_celsius degrees_centigrade
fahrenheit | 1 | °F degrees_fahrenheit
kelvin | 1 | K kelvin kelvins
degrees | 1 | ° degree degrees
"""
CURRENCY_SIGNS = frozenset({"$", "£", "€", "¥", "₹", "₩", "₽"})
"""The signs that stand before an amount of money."""
CURRENCY_PREFIXES = frozenset({"us", "a", "c", "au", "ca", "hk", "nz", "s"})
"""The letters that may stand before a dollar sign: "US$", "A$"."""
CURRENCY_CODES = frozenset({"USD", "EUR", "GBP", "RMB", "CNY", "JPY", "INR", "Rs", "RM", "CHF", "DM", "NT$"})
"""The letters that stand before or behind an amount of money."""
CURRENCY_NAMES = frozenset(
    (
        "dollar dollars cent cents euro euros sterling yen yuan renminbi rupee rupees rouble roubles ruble rubles franc francs "
        "peso pesos lira lire crown crowns krona kronor krone kroner shilling shillings florin florins guilder guilders "
        "deutschmarks deutschmark ducat ducats drachma reais riyal riyals dirham dirhams won baht ringgit"
    ).split()
)
"""The words behind an amount of money."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it measures, and how many of the first unit of that it is."""

    measures: str
    factor: Fraction


@cache
def unit_table() -> dict[str, Unit]:
    """Return the units by their names: words in lower case with single spaces, symbols just as they are spelt."""
    units: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        measures, factor, names = (part.strip() for part in line.split("|"))
        units |= {name.replace("_", " "): Unit(measures, Fraction(factor)) for name in names.split()}
    return units


def unit_of(name: str) -> Unit | None:
    """Return the unit of a name ("km", "Square miles"), or `None` where it is none of the table."""
    spaced = " ".join(name.split())
    return unit_table().get(spaced) or unit_table().get(spaced.lower() if len(spaced) > 2 else spaced)


def convert_unit(quantity: Quantity, name: str) -> Quantity:
    """Return the same quantity in another unit, exactly; raises `QuantityInvalid` where they do not measure the same.

    A quantity without unit takes the unit as it is. Temperatures are converted as differences are not: with their zero.
    """
    if not quantity.unit or quantity.unit == name:
        return replace(quantity, unit=name)
    source, target = unit_of(quantity.unit), unit_of(name)
    if source is None or target is None:
        raise QuantityInvalid(f"'{quantity.unit}' cannot be told in '{name}'")
    if source.measures == target.measures:
        ratio = source.factor / target.factor
        return replace(
            quantity, value=quantity.value * ratio, upper=None if quantity.upper is None else quantity.upper * ratio, unit=name
        )
    degrees = _DEGREES.get((source.measures, target.measures))
    if degrees is None or quantity.upper is not None:
        raise QuantityInvalid(f"'{quantity.unit}' cannot be told in '{name}'")
    ratio, added = degrees
    return replace(quantity, value=quantity.value * ratio + added, unit=name)


_DEGREES = {
    ("fahrenheit", "celsius"): (Fraction(5, 9), Fraction(-160, 9)),
    ("celsius", "fahrenheit"): (Fraction(9, 5), Fraction(32)),
    ("celsius", "kelvin"): (Fraction(1), Fraction(27315, 100)),
    ("kelvin", "celsius"): (Fraction(1), Fraction(-27315, 100)),
}

_PERCENT = {"%": 1, "percent": 1, "pct": 1}


def unit_at(tokens: NumberTokens, at: int) -> tuple[str, Sort, int]:
    """Return the unit that starts at a token, what it makes of the number, and the place after it."""
    lower, words = tokens.lower, tokens.words
    start = at + (lower[at] == "-" and tokens.touches(at) and tokens.touches(at + 1))
    word = lower[start]
    if word in _PERCENT or (word == "per" and lower[start + 1] == "cent"):
        end = start + (2 if word == "per" else 1)
        return tokens.text[tokens.starts[start] : tokens.ends[end - 1]], Sort.PERCENT, end
    if word == "percentage" and lower[start + 1] in ("point", "points"):
        return tokens.text[tokens.starts[start] : tokens.ends[start + 1]], Sort.PERCENT, start + 2
    if word in CURRENCY_NAMES or words[start] in CURRENCY_CODES or words[start] in CURRENCY_SIGNS:
        return words[start], Sort.MONEY, start + 1
    if word in ("us", "american", "canadian", "australian", "pounds") and lower[start + 1] in CURRENCY_NAMES:
        return tokens.text[tokens.starts[start] : tokens.ends[start + 1]], Sort.MONEY, start + 2
    if word not in _load_first_words() and words[start] not in _load_first_words():
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


_unit_first_words: set[str] = set()


def _load_first_words() -> set[str]:
    """Return the first tokens of the names of units."""
    if not _unit_first_words:
        _unit_first_words.update(NumberTokens(name).words[0] for name in unit_table())
    return _unit_first_words
