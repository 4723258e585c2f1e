"""Formatting of quantities and dates in the form of the passage, and the equivalent forms of an answer."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from kgqa.quantities.date_parser import MONTHS
from kgqa.quantities.number_words import SPELLING_LIMIT, cardinal_words, ordinal_digits, ordinal_words
from kgqa.quantities.quantity import Date, Period, Quantity, Sort
from kgqa.quantities.units import CURRENCY_CODES, CURRENCY_SIGNS, unit_of

_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion", 15: "quadrillion", 18: "quintillion"}
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
        number = f"{number}{_range_sign(pattern)}{_format_number(quantity, quantity.upper, pattern)}"
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


def format_period(period: Period) -> str:
    """Return both ends of a period, each as `written_date` writes it."""
    return f"{format_date(period.first)} – {format_date(period.last)}"


def answer_aliases(answer: Quantity | Date | Period) -> tuple[str, ...]:
    """Return the texts that an exact match may take for an answer, the likeliest first and none twice.

    Numbers in digits and in words, with the unit of the passage and without (IfQA, section 3.1.3); ranks as "4th" and "fourth";
    dates as "Month Day, Year" and as they stand.
    """
    if isinstance(answer, Period):
        return _distinct([format_period(answer), answer.text])
    if isinstance(answer, Date):
        return _distinct([format_date(answer), answer.text, format_date(answer, like="1")])
    forms = [format_quantity(answer), format_quantity(answer, unit=False), answer.text]
    if answer.sort in (Sort.YEAR, Sort.DECADE, Sort.TIME) or answer.upper is not None:
        return _distinct(forms)
    forms += [format_digits(answer.value, commas=True), *_spelt_forms(answer)]
    return _distinct(forms)


def _spelt_forms(answer: Quantity) -> list[str]:
    whole = answer.value.denominator == 1
    if answer.sort in (Sort.ORDINAL, Sort.CENTURY):
        if not whole or answer.value < 1 or answer.value >= SPELLING_LIMIT:
            return []
        rank = int(answer.value)
        behind = " century" if answer.sort is Sort.CENTURY else ""
        return [f"{ordinal_digits(rank)}{behind}", f"{ordinal_words(rank)}{behind}", ordinal_digits(rank), ordinal_words(rank)]
    if not whole or abs(answer.value) >= _SPELT_BELOW:
        return []
    words = cardinal_words(int(answer.value))
    has_unit = answer.unit and answer.sort is not Sort.MONEY and answer.unit not in _TIGHT
    return [words, f"{words} {answer.unit}"] if has_unit else [words]


def _format_number(quantity: Quantity, value: Fraction, pattern: Quantity) -> str:
    whole = value.denominator == 1
    if quantity.sort in (Sort.ORDINAL, Sort.CENTURY) and whole and 0 < abs(value) < SPELLING_LIMIT:
        return _format_rank(quantity, int(value), pattern)
    if quantity.sort is Sort.DECADE:
        return f"{format_digits(value)}s"
    if quantity.sort is Sort.YEAR:
        return format_digits(value) if value > 0 else f"{format_digits(-value)} BC"
    scale = pattern.scale if pattern.scale in _SCALES else 0
    if scale and value:
        scale = _fitting_scale(value, scale)
    scaled = value / 10**scale if scale else value
    name = f" {_SCALES[scale]}" if scale else ""
    if pattern.spelt:
        words = _format_words(scaled, pattern)
        if words:
            return f"{words}{name}"
    return f"{format_digits(scaled, commas=_wants_commas(pattern))}{name}"


def _fitting_scale(value: Fraction, scale: int) -> int:
    """Return the power to write a number in: that of the passage, a smaller one where it would be less than one; 0 for none."""
    while scale and abs(value) < 10**scale:
        scale -= 3
    return scale if scale and (value / 10**scale * 10_000).denominator == 1 else 0


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


def _wants_commas(pattern: Quantity) -> bool:
    return "," in pattern.text or not _four_bare_digits().search(pattern.text)


@cache
def _four_bare_digits() -> re.Pattern[str]:
    return re.compile(r"[0-9]{4}")


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
    is_single = abs(value) == 1 and upper is None
    if is_single:
        single = _SINGULAR.get(unit) or (unit[:-1] if unit.endswith("s") else unit)
        return single if single == unit or unit_of(single) or _is_currency_word(single) else unit
    many = _IRREGULAR.get(unit) or (unit if unit.endswith("s") or unit in _SINGULAR else f"{unit}s")
    return many if many == unit or unit_of(many) or _is_currency_word(many) else unit


def _is_currency_word(name: str) -> bool:
    return name in ("dollar", "dollars", "euro", "euros", "cent", "cents")


def _range_sign(pattern: Quantity) -> str:
    return next((sign for sign in ("–", "—", " to ", " and ", "-") if sign in pattern.text), "–")


def _format_time(value: Fraction, text: str) -> str:
    hour, minute = divmod(int(value), 60)
    if not ("m" in text.lower() or "noon" in text.lower()):
        return f"{hour}:{minute:02d}"
    half = re.sub(r"[^apm.]", "", text.lower()[-5:])
    dotted = "." in half
    suffix = f"{'p' if hour >= 12 else 'a'}{'.' if dotted else ''}m{'.' if dotted else ''}"
    clock = f"{(hour - 1) % 12 + 1}" + (f":{minute:02d}" if minute or ":" in text else "")
    return f"{clock} {suffix}" if " " in text or dotted else f"{clock}{suffix}"


def _distinct(forms: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for form in forms if form))
