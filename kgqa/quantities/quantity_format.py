"""Formatting of quantities and dates in the form of the passage."""

from __future__ import annotations

import re
from fractions import Fraction

from kgqa.quantities.dates import MONTHS
from kgqa.quantities.numbers import SCALES, SPELLING_LIMIT, cardinal_words, ordinal_digits, ordinal_words
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.units import CURRENCY_CODES, CURRENCY_SIGNS, unit_of

_SCALE_WORDS = {power: word for word, power in SCALES.items() if power > 2}
_TIGHT = {"%", "°", "°C", "°F"}
_PARTS = {2: "half", 3: "third", 4: "quarter"}
_SPELT_BELOW = 1000


def format_quantity(quantity: Quantity, like: Quantity | None = None, *, unit: bool = True) -> str:
    """Return a quantity as text: in words or digits, with or without commas, with the scale of "5 million", as `like` has it.

    Without `like`, its own `text` is the pattern. Without `unit`, only the number is written. Exact up to four decimals.
    """
    pattern = like or quantity
    if quantity.sort is Sort.TIME:
        return _format_time(quantity.value, pattern.text)
    number = _format_number(quantity, quantity.value, pattern)
    if quantity.upper is not None and quantity.sort is not Sort.DECADE:
        sign = next((sign for sign in ("–", "—", " to ", " and ", "-") if sign in pattern.text), "–")
        number = f"{number}{sign}{_format_number(quantity, quantity.upper, pattern)}"
    return _with_unit(number, quantity, pattern) if unit and quantity.unit else number


def format_date(date: Date, *, like: str = "") -> str:
    """Return a date as "Month Day, Year", as far as it has them: "May 4, 2018", "March 1999", "May 4", "44 BC".

    With `like`, the text of another date, its order of day and month is kept: "4 May 2018".
    """
    year = "" if not date.year else str(date.year) if date.year > 0 else f"{-date.year} BC"
    if not date.month:
        joint = " of " if " of " in date.text else " "
        return f"{date.season}{joint}{year}" if date.season and date.season.lower() not in ("early", "mid", "late") else year
    month = MONTHS[date.month - 1]
    if not date.day:
        return f"{month} {year}".rstrip()
    if like and like.strip()[:1].isdigit() and not like.strip()[:4].isdigit():
        return f"{date.day} {month} {year}".rstrip()
    return f"{month} {date.day}, {year}" if year else f"{month} {date.day}"


def _format_number(quantity: Quantity, value: Fraction, pattern: Quantity) -> str:
    whole = value.denominator == 1
    if quantity.sort in (Sort.ORDINAL, Sort.CENTURY) and whole and 0 < abs(value) < SPELLING_LIMIT:
        return _format_rank(quantity, int(value), pattern)
    if quantity.sort is Sort.DECADE:
        return f"{format_digits(value)}s"
    if quantity.sort is Sort.YEAR:
        return format_digits(value) if value > 0 else f"{format_digits(-value)} BC"
    scale = pattern.scale if pattern.scale in _SCALE_WORDS else 0
    while value and scale and abs(value) < 10**scale:
        scale -= 3
    if value and scale and (value / 10**scale * 10_000).denominator != 1:
        scale = 0  # More decimals than are written: in full.
    scaled = value / 10**scale
    name = f" {_SCALE_WORDS[scale]}" if scale else ""
    if pattern.spelt and (words := _format_words(scaled, pattern)):
        return f"{words}{name}"
    commas = "," in pattern.text or not re.search("[0-9]{4}", pattern.text)
    return f"{format_digits(scaled, commas=commas)}{name}"


def _format_words(value: Fraction, pattern: Quantity) -> str:
    joined = " and " in pattern.text
    whole, rest = divmod(abs(value), 1)
    if rest and rest.denominator in _PARTS and rest.numerator == 1:
        part = f"a {_PARTS[rest.denominator]}"
        return f"{cardinal_words(int(whole), joined)} and {part}" if whole else (part if rest.denominator > 2 else "half")
    if rest or whole >= SPELLING_LIMIT:
        return ""
    large = whole >= _SPELT_BELOW and abs(pattern.value) < _SPELT_BELOW
    return "" if large else cardinal_words(int(value), joined)


def _format_rank(quantity: Quantity, rank: int, pattern: Quantity) -> str:
    if quantity.sort is Sort.CENTURY:
        century = f"{ordinal_words(abs(rank)) if pattern.spelt else ordinal_digits(abs(rank))} century"
        if pattern.text.endswith("s") and not quantity.unit and rank > 0:
            return f"{rank - 1}00s"
        return century if rank > 0 else f"{century} BC"
    return ordinal_words(rank) if pattern.spelt and rank > 0 else ordinal_digits(rank)


def format_digits(value: Fraction, *, commas: bool = False) -> str:
    """Return a number in digits, with at most four decimals and no trailing zero: "8,548", "152.4", "-3"."""
    rounded = round(value * 10_000)
    whole, rest = divmod(abs(rounded), 10_000)
    behind = f".{rest:04d}".rstrip("0") if rest else ""
    return f"{'-' if rounded < 0 else ''}{whole:,}{behind}" if commas else f"{'-' if rounded < 0 else ''}{whole}{behind}"


def _with_unit(number: str, quantity: Quantity, pattern: Quantity) -> str:
    unit = quantity.unit
    if quantity.sort is Sort.CENTURY:
        return number
    if unit[-1:] in CURRENCY_SIGNS or (unit in CURRENCY_CODES and not pattern.text.endswith(unit)):
        spaced = " " if unit in CURRENCY_CODES else ""
        return f"-{unit}{spaced}{number[1:]}" if number.startswith("-") else f"{unit}{spaced}{number}"
    if unit in _TIGHT:
        space = " " if f" {unit}" in pattern.text else ""
        return f"{number}{space}{unit}"
    if pattern.text.endswith(f"-{unit}"):
        return f"{number}-{unit}"
    return f"{number} {_inflect_unit(unit, quantity.value, quantity.upper)}"


_IRREGULAR = {"foot": "feet", "inch": "inches", "century": "centuries", "millennium": "millennia", "square foot": "square feet"}
_SINGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}


def _inflect_unit(unit: str, value: Fraction, upper: Fraction | None) -> str:
    """Return the unit's singular for one, its plural for more, where it is a word; a symbol stays as it is."""
    if not unit.islower() or len(unit) < 3 or " per " in unit:
        return unit
    if abs(value) == 1 and upper is None:
        form = _SINGULAR.get(unit) or unit.removesuffix("s")
    else:
        form = _IRREGULAR.get(unit) or (unit if unit.endswith("s") or unit in _SINGULAR else f"{unit}s")
    return form if unit_of(form) or form in ("dollar", "dollars", "euro", "euros", "cent", "cents") else unit


def _format_time(value: Fraction, text: str) -> str:
    hour, minute = divmod(int(value), 60)
    if not ("m" in text.lower() or "noon" in text.lower()):
        return f"{hour}:{minute:02d}"
    half = re.sub(r"[^apm.]", "", text.lower()[-5:])
    dotted = "." in half
    suffix = f"{'p' if hour >= 12 else 'a'}{'.' if dotted else ''}m{'.' if dotted else ''}"
    clock = f"{(hour - 1) % 12 + 1}" + (f":{minute:02d}" if minute or ":" in text else "")
    return f"{clock} {suffix}" if " " in text or dotted else f"{clock}{suffix}"
