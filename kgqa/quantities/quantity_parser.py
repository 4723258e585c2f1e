"""The parser of quantities and dates: each number with its unit, its range, its hedge, and its offsets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from kgqa.quantities.dates import DASHES, ERAS, MONTH_NAMES, SEASONS, date_at, is_year
from kgqa.quantities.numbers import NUMBER_STARTERS, Number, NumberTokens, number_at
from kgqa.quantities.quantity import Date, Period, Quantity, Sort
from kgqa.quantities.units import CURRENCY_CODES, CURRENCY_PREFIXES, CURRENCY_SIGNS, unit_at

_HEDGES = frozenset(
    "about around approximately roughly nearly almost over above under below some circa ca c approx exceeding estimated only "
    "exactly barely".split()
)
_HEDGING_PAIRS = frozenset(
    {"more than", "less than", "fewer than", "at least", "at most", "up to", "close to", "just over", "just under", "well over"}
    | {"as many", "no more", "no fewer", "an estimated"}
)
_LETTERS = {"k": 3, "m": 6, "mn": 6, "mil": 6, "b": 9, "bn": 9, "tn": 12}
_PREFIXES = frozenset({"mid", "post", "pre", "early", "late", "non", "sub", "circa", "the", "to"})
_NAMED_TIMES = {"noon": 720, "midnight": 0}
_STARTERS = NUMBER_STARTERS | CURRENCY_SIGNS | CURRENCY_PREFIXES | frozenset(_NAMED_TIMES) | MONTH_NAMES | SEASONS
"""What a quantity or date can start with, besides numerals and the codes of currencies; in lower case."""


def quantity_at(tokens: NumberTokens, place: int, ranges: bool = True) -> tuple[Quantity, int] | None:
    """Return the quantity that starts at a token, as long as it goes, and the place after it; `None` where none does.

    With `ranges`, "five to seven" is one quantity, else "five" is.
    """
    lower = tokens.lower
    if lower[place] in _NAMED_TIMES:
        minutes = Fraction(_NAMED_TIMES[lower[place]])
        return _placed(tokens, place, place + 1, Quantity(minutes, Sort.TIME, spelt=True))
    money = _sign_before(tokens, place)
    if money is not None:
        return _money(tokens, place, *money, ranges=ranges)
    if (tokens.digits[place] or tokens.words[place].istitle()) and _is_in_name(tokens, place):
        return None
    time = _time_of_day(tokens, place)
    number = None if time else number_at(tokens, place)
    if number is None:
        return time
    if number.ordinal:
        return _rank(tokens, place, number)
    if tokens.touches(number.end) and lower[number.end] == "s" and number.whole:
        return _decade(tokens, place, number)
    # A minus sign touches the numeral, and nothing before.
    minus = tokens.digits[place] and tokens.touches(place) and lower[place - 1] in ("-", "−") and not tokens.touches(place - 1)
    if minus:
        number = replace(number, value=-number.value)
    return _with_range_and_unit(tokens, place - minus, number, ranges)


def _is_in_name(tokens: NumberTokens, place: int) -> bool:
    """Return whether a numeral is part of a name: "B52", "COVID-19", "7-Eleven"."""
    if tokens.touches(place + 1) and tokens.words[place + 1] == "-" and tokens.touches(place + 2):
        behind = tokens.words[place + 2]
        if behind.istitle() and behind.lower() not in MONTH_NAMES:
            return True
    if not tokens.touches(place):
        return False
    before = tokens.lower[place - 1]
    if not tokens.digits[place]:
        return before == "-" and tokens.digits[place - 2] and tokens.touches(place - 1)
    if before.isalpha():
        return True
    if before not in ("-", "_", "–") or not tokens.touches(place - 1):
        return False
    word = tokens.lower[place - 2]
    return word.isalpha() and word not in _PREFIXES and word not in MONTH_NAMES and word not in NUMBER_STARTERS


def _sign_before(tokens: NumberTokens, place: int) -> tuple[str, int] | None:
    """Return the sign of a currency that starts at a token, and the place of the number behind it."""
    at = place + 1 if tokens.lower[place] in CURRENCY_PREFIXES and tokens.touches(place + 1) else place
    if tokens.words[at] in CURRENCY_SIGNS:
        sign, behind = tokens.text[tokens.starts[place] : tokens.ends[at]], at + 1
    elif tokens.words[place] in CURRENCY_CODES:
        sign, behind = tokens.words[place], place + 1 + (tokens.words[place + 1] == ".")
    else:
        return None
    return (sign, behind) if tokens.digits[behind] or tokens.lower[behind] in NUMBER_STARTERS else None


def _money(tokens: NumberTokens, place: int, sign: str, at: int, *, ranges: bool) -> tuple[Quantity, int] | None:
    number = number_at(tokens, at)
    if number is None or number.ordinal:
        return None
    number = _with_letter_scale(tokens, number)
    upper, end, scale = None, number.end, number.scale
    if ranges and (tokens.lower[end] in DASHES or tokens.lower[end] == "to"):
        again = _sign_before(tokens, end + 1)
        second = number_at(tokens, again[1] if again else end + 1)
        if second is not None and not second.ordinal:
            second = _with_letter_scale(tokens, second)
            low = number.value * 10 ** (0 if scale else second.scale)
            if low < second.value:
                number, upper, end, scale = replace(number, value=low), second.value, second.end, second.scale
    return _placed(tokens, place, end, Quantity(number.value, Sort.MONEY, sign, scale, upper, spelt=number.spelt))


def _with_letter_scale(tokens: NumberTokens, number: Number) -> Number:
    """Take in the letter behind an amount: "$5m", "£2bn"."""
    power = _LETTERS.get(tokens.lower[number.end], 0) if tokens.touches(number.end) and not number.scale else 0
    return replace(number, value=number.value * 10**power, end=number.end + 1, scale=power) if power else number


def _time_of_day(tokens: NumberTokens, place: int) -> tuple[Quantity, int] | None:
    """Read a time of day: "18:30", "6:00 p.m.", "6 pm"."""
    words, lower = tokens.words, tokens.lower
    hours = words[place]
    if not (tokens.digits[place] and len(hours) <= 2):
        return None
    minutes, at = "0", place + 1
    clock = (
        words[at] == ":" and tokens.digits[at + 1] and len(words[at + 1]) == 2 and tokens.touches(at) and tokens.touches(at + 1)
    )
    if clock:
        minutes, at = words[at + 1], at + 2
        if words[at] == ":" and tokens.digits[at + 1]:
            return None
    half = lower[at][:1] if lower[at] in ("am", "pm") else ""
    if half:
        at += 1
    elif lower[at] in ("a", "p") and words[at + 1] == "." and lower[at + 2] == "m" and tokens.touches(at + 1):
        half = lower[at]
        at += 3 + (words[at + 3] == "." and tokens.touches(at + 3))
    hour, minute = int(hours), int(minutes)
    if not (clock or half) or minute > 59 or hour > (12 if half else 24) or (half and not hour) or (hour == 24 and minute):
        return None
    if half:
        hour = hour % 12 + 12 * (half == "p")
    return _placed(tokens, place, at, Quantity(Fraction(60 * hour + minute), Sort.TIME))


def _rank(tokens: NumberTokens, place: int, number: Number) -> tuple[Quantity, int]:
    at = number.end + (tokens.lower[number.end] == "-")
    if tokens.lower[at] not in ("century", "centuries"):
        return _placed(tokens, place, number.end, Quantity(number.value, Sort.ORDINAL, spelt=number.spelt))
    era = ERAS.get(tokens.lower[at + 1])
    century = Quantity(number.value * (era or 1), Sort.CENTURY, "century", spelt=number.spelt)
    return _placed(tokens, place, at + 1 + bool(era), century)


def _decade(tokens: NumberTokens, place: int, number: Number) -> tuple[Quantity, int] | None:
    """Read "1970s" and "1600s"; of a century only that of this one is a decade."""
    year = int(number.value)
    if len(tokens.words[place]) != 4 or year % 10:
        return None
    is_decade = year % 100 or year >= 2000
    decade = Quantity(number.value, Sort.DECADE, upper=number.value + 9)
    return _placed(tokens, place, number.end + 1, decade if is_decade else Quantity(Fraction(year // 100 + 1), Sort.CENTURY))


def _with_range_and_unit(tokens: NumberTokens, place: int, number: Number, ranges: bool) -> tuple[Quantity, int]:
    """Read what stands behind a number: the other end of a range, and the unit."""
    unit, sort, end = unit_at(tokens, number.end)
    upper, scale, value = None, number.scale, number.value
    between = bool(place) and tokens.lower[place - 1] == "between"
    second = _range_end(tokens, number, end, between=between) if ranges else None
    if second is not None:
        second_unit = unit_at(tokens, second.end)
        low = value * 10**second.scale if not scale and second.scale and not unit else value
        if (not unit or second_unit[0] == unit) and low < second.value:
            value, upper, scale = low, second.value, second.scale
            unit, sort, end = second_unit
    if not unit and (upper is not None or number.end == end):
        era = ERAS.get(tokens.lower[end], 0) if tokens.words[end].isupper() else 0
        if era and value.denominator == 1 and number.scale == 0:
            return _placed(tokens, place, end + 1, Quantity(value * era, Sort.YEAR))
        if is_year(tokens, place, number, end):
            sort = Sort.YEAR
            if upper is not None and upper < 100:
                upper += value - value % 100
    elif number.yearly:
        sort = Sort.CARDINAL
    return _placed(tokens, place, end, Quantity(value, sort, unit, scale, upper, spelt=number.spelt))


def _range_end(tokens: NumberTokens, number: Number, end: int, *, between: bool) -> Number | None:
    """Return the number behind "–", "to", or "and" after "between", where it can be the upper end of a range."""
    word = tokens.lower[end]
    joins = word == "to" or (word in ("until", "till", "through") and number.whole) or (between and word == "and")
    if not joins and (word not in DASHES or tokens.touches(end) != tokens.touches(end + 1)):
        return None
    second = number_at(tokens, end + 1)
    if second is None or second.ordinal or second.spelt is not number.spelt:
        return None
    if tokens.touches(second.end) and tokens.lower[second.end] in ("s", ":"):
        return None
    years = number.whole and second.whole and 1000 <= number.value <= 2100 and word in DASHES
    if years and number.value % 100 < second.value < 100:
        return replace(second, value=number.value - number.value % 100 + second.value)
    return second


def _hedge(tokens: NumberTokens, place: int) -> str:
    if not place:
        return ""
    pair = f"{tokens.lower[place - 2]} {tokens.lower[place - 1]}" if place > 1 else ""
    if pair in _HEDGING_PAIRS:
        return pair
    if pair in ("many as", "more than", "fewer than"):
        return f"{tokens.lower[place - 3]} {pair}" if place > 2 else pair
    return tokens.lower[place - 1] if tokens.lower[place - 1] in _HEDGES else ""


def _placed(tokens: NumberTokens, place: int, end: int, quantity: Quantity) -> tuple[Quantity, int]:
    """Return a quantity with its hedge, text and span, from the token at `place` to that before `end`, and `end`."""
    start, stop = tokens.starts[place], tokens.ends[end - 1]
    return replace(quantity, about=_hedge(tokens, place), text=tokens.text[start:stop], start=start, end=stop), end


QuantityOrDate = Quantity | Date | Period
"""What stands at one place: a date with more than a year is a `Date` or a `Period`, everything else a `Quantity`."""


def parse_quantities(text: str, *, ranges: bool = True) -> tuple[QuantityOrDate, ...]:
    """Return the quantities, dates and periods of a text in their order; none overlaps another, and every text has some or none.

    With `ranges`, "five to seven" is one quantity, else two. A year alone is a quantity of the sort `YEAR`.
    """
    tokens = NumberTokens(text)
    items: list[QuantityOrDate] = []
    place = 0
    while place < tokens.count:
        starts = tokens.digits[place] or tokens.lower[place] in _STARTERS or tokens.words[place] in CURRENCY_CODES
        entry = (date_at(tokens, place) or quantity_at(tokens, place, ranges)) if starts else None
        if entry is None:
            place += 1
        else:
            items.append(entry[0])
            place = entry[1]
    return tuple(items)


def quantities_in(text: str, *, ranges: bool = True) -> tuple[Quantity, ...]:
    """Return the quantities of a text in their order, years among them, the parts of dates not."""
    return tuple(item for item in parse_quantities(text, ranges=ranges) if isinstance(item, Quantity))


def dates_in(text: str) -> tuple[Date, ...]:
    """Return the days, months and years of a text in their order; of a period both ends."""
    result: list[Date] = []
    for item in parse_quantities(text):
        if isinstance(item, Date):
            result.append(item)
        elif isinstance(item, Period):
            result += [item.first, item.last]
        elif item.sort is Sort.YEAR:
            years = [item.value] if item.upper is None else [item.value, item.upper]
            result += [Date(int(year), text=item.text, start=item.start, end=item.end) for year in years]
    return tuple(result)
