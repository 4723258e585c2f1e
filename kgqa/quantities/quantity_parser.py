"""The parser of quantities and dates: each number with its unit, its range, its hedge, and its offsets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from graph.text.stop_words import STOP_WORDS
from kgqa.quantities.date_parser import MONTH_NAMES, SEASONS, date_at
from kgqa.quantities.numbers import NUMBER_STARTERS as NUMBER_STARTERS
from kgqa.quantities.numbers import Number, NumberTokens, is_negative, number_at
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
_DASHES = frozenset({"-", "–", "—"})
_ERAS = {"bc": -1, "bce": -1, "ad": 1, "ce": 1}
_LETTERS = {"k": 3, "m": 6, "mn": 6, "mil": 6, "b": 9, "bn": 9, "tn": 12}
_YEARLY_BEFORE = frozenset(
    "in since until till by from during before after around circa early late mid of and to between through year "
    "season spring summer autumn fall winter as ( / - –".split()
)
NO_PLURALS = frozenset("was is as has his its this thus does us pass across perhaps always towards unless versus".split())
"""Words that end in "s" and are no plurals."""
COUNTED_NOUNS = frozenset({"people", "men", "women", "children", "troops", "feet", "persons", "dollars"})
"""Words that are counted and do not end as plurals do, and some that mostly are."""
_PREFIXES = frozenset({"mid", "post", "pre", "early", "late", "non", "sub", "circa", "the", "to"})
TIMES = {"noon": 720, "midnight": 0}
"""Times of day that have a name, in minutes since midnight."""

QUANTITY_STARTERS = NUMBER_STARTERS | CURRENCY_SIGNS | CURRENCY_PREFIXES | frozenset(TIMES)
"""What a quantity can start with, besides numerals and the codes of currencies; in lower case."""


def quantity_at(tokens: NumberTokens, place: int, ranges: bool = True) -> tuple[Quantity, int] | None:
    """Return the quantity that starts at a token, as long as it goes, and the place after it; `None` where none does.

    With `ranges`, "five to seven" is one quantity, else "five" is.
    """
    if tokens.lower[place] in TIMES:
        return _make_quantity(tokens, place, place + 1, Fraction(TIMES[tokens.lower[place]]), Sort.TIME, spelt=True), place + 1
    money = _sign_before(tokens, place)
    if money is not None:
        return _money(tokens, place, *money, ranges=ranges)
    if (tokens.digits[place] or tokens.words[place].istitle()) and _is_in_name(tokens, place):
        return None
    time = _time_of_day(tokens, place)
    if time is not None:
        return time
    number = number_at(tokens, place)
    if number is None:
        return None
    if number.ordinal:
        return _rank(tokens, place, number)
    if tokens.touches(number.end) and tokens.lower[number.end] == "s" and number.whole:
        return _decade(tokens, place, number)
    minus = tokens.digits[place] and is_negative(tokens, place)
    if minus:
        number = replace(number, value=-number.value)
    return _with_range_and_unit(tokens, place - minus, number, ranges)


def _is_in_name(tokens: NumberTokens, place: int) -> bool:
    """Tell whether a numeral is part of a name: "B52", "COVID-19", "7-Eleven"."""
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
    if ranges and (tokens.lower[end] in _DASHES or tokens.lower[end] == "to"):
        again = _sign_before(tokens, end + 1)
        second = number_at(tokens, again[1] if again else end + 1)
        if second is not None and not second.ordinal:
            second = _with_letter_scale(tokens, second)
            low = number.value * 10 ** (0 if scale else second.scale)
            if low < second.value:
                number, upper, end, scale = replace(number, value=low), second.value, second.end, second.scale
    quantity = _make_quantity(tokens, place, end, number.value, Sort.MONEY, sign, scale, upper, number.spelt)
    return quantity, end


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
    return _make_quantity(tokens, place, at, Fraction(60 * hour + minute), Sort.TIME), at


def _rank(tokens: NumberTokens, place: int, number: Number) -> tuple[Quantity, int]:
    end = number.end
    at = end + (tokens.lower[end] == "-")
    if tokens.lower[at] in ("century", "centuries"):
        era = _ERAS.get(tokens.lower[at + 1], 0)
        end = at + 1 + bool(era)
        return _make_quantity(tokens, place, end, number.value * (era or 1), Sort.CENTURY, "century", spelt=number.spelt), end
    return _make_quantity(tokens, place, end, number.value, Sort.ORDINAL, spelt=number.spelt), end


def _decade(tokens: NumberTokens, place: int, number: Number) -> tuple[Quantity, int] | None:
    """Read "1970s" and "1600s"; of a century only that of this one is a decade."""
    year, end = int(number.value), number.end + 1
    if len(tokens.words[place]) != 4 or year % 10:
        return None
    if year % 100 or year >= 2000:
        return _make_quantity(tokens, place, end, number.value, Sort.DECADE, upper=number.value + 9), end
    return _make_quantity(tokens, place, end, Fraction(year // 100 + 1), Sort.CENTURY), end


def _with_range_and_unit(tokens: NumberTokens, place: int, number: Number, ranges: bool) -> tuple[Quantity, int]:
    """Read what stands behind a number: the other end of a range, and the unit."""
    unit, sort, end = unit_at(tokens, number.end)
    upper, scale, value = None, number.scale, number.value
    if ranges:
        second = _range_end(tokens, number, end, opened=bool(place) and tokens.lower[place - 1] == "between")
        if second is not None:
            second_unit = unit_at(tokens, second.end)
            low = value * 10**second.scale if not scale and second.scale and not unit else value
            if (not unit or second_unit[0] == unit) and low < second.value:
                value, upper, scale = low, second.value, second.scale
                unit, sort, end = second_unit
    if not unit and (upper is not None or number.end == end):
        era = _ERAS.get(tokens.lower[end], 0) if tokens.words[end].isupper() else 0
        if era and value.denominator == 1 and number.scale == 0:
            return _make_quantity(tokens, place, end + 1, value * era, Sort.YEAR), end + 1
        if _is_year(tokens, place, number, end):
            sort = Sort.YEAR
            if upper is not None and upper < 100:
                upper += value - value % 100
    elif number.yearly:
        sort = Sort.CARDINAL
    quantity = _make_quantity(tokens, place, end, value, sort, unit, scale, upper, number.spelt)
    return quantity, end


def _range_end(tokens: NumberTokens, number: Number, end: int, opened: bool) -> Number | None:
    """Return the number behind "–", "to", or "and" after "between", where it can be the upper end of a range."""
    word = tokens.lower[end]
    joins = word == "to" or (word in ("until", "till", "through") and number.whole) or (opened and word == "and")
    if word not in _DASHES and not joins:
        return None
    if word in _DASHES and tokens.touches(end) != tokens.touches(end + 1):
        return None
    if not (tokens.digits[end + 1] or tokens.lower[end + 1] in NUMBER_STARTERS):
        return None
    second = number_at(tokens, end + 1)
    if (
        second is None
        or second.ordinal
        or second.spelt is not number.spelt
        or (tokens.touches(second.end) and tokens.lower[second.end] in ("s", ":"))
    ):
        return None
    if (
        number.whole
        and second.whole
        and 1000 <= number.value <= 2100
        and number.value % 100 < second.value < 100
        and word in _DASHES
    ):
        return replace(second, value=number.value - number.value % 100 + second.value)
    return second


def _is_year(tokens: NumberTokens, place: int, number: Number, end: int) -> bool:
    if number.yearly:
        return True
    if place and tokens.words[place - 1] in ("AD", "CE") and number.whole and number.value < 10000:
        return True
    if not (number.whole and tokens.ends[number.end - 1] - tokens.starts[place] == 4 and 1000 <= number.value <= 2100):
        return False
    before, behind = tokens.lower[place - 1] if place else "", tokens.lower[end]
    noun = behind in COUNTED_NOUNS or (
        len(behind) > 2
        and behind.isalpha()
        and behind.endswith("s")
        and not behind.endswith(("us", "ss", "is"))
        and behind not in NO_PLURALS
        and tokens.words[end].islower()
    )
    if noun and tokens.touches(end):
        return False
    return before in _YEARLY_BEFORE if noun else before not in ("no", "number", "#")


def _hedge(tokens: NumberTokens, place: int) -> str:
    if not place:
        return ""
    pair = f"{tokens.lower[place - 2]} {tokens.lower[place - 1]}" if place > 1 else ""
    if pair in _HEDGING_PAIRS:
        return pair
    if pair in ("many as", "more than", "fewer than"):
        return f"{tokens.lower[place - 3]} {pair}" if place > 2 else pair
    return tokens.lower[place - 1] if tokens.lower[place - 1] in _HEDGES else ""


def _make_quantity(
    tokens: NumberTokens,
    place: int,
    end: int,
    value: Fraction,
    sort: Sort,
    unit: str = "",
    scale: int = 0,
    upper: Fraction | None = None,
    spelt: bool = False,
) -> Quantity:
    start, stop = tokens.starts[place], tokens.ends[end - 1]
    about = _hedge(tokens, place)
    return Quantity(value, sort, unit, scale, upper, about, spelt, tokens.text[start:stop], start, stop)


_FUNCTION_WORDS = STOP_WORDS["quantities"]

QuantityOrDate = Quantity | Date | Period
"""What stands at one place: a date with more than a year is a `Date` or a `Period`, everything else a `Quantity`."""


def parse_quantities(text: str, *, ranges: bool = True) -> tuple[QuantityOrDate, ...]:
    """Return the quantities, dates and periods of a text in their order; none overlaps another, and every text has some or none.

    With `ranges`, "five to seven" is one quantity, else two. A year alone is a quantity of the sort `YEAR`.
    """
    tokens = NumberTokens(text)
    items: list[QuantityOrDate] = []
    place, lower, digits, count = 0, tokens.lower, tokens.digits, tokens.count
    while place < count:
        if not digits[place] and lower[place] not in _ITEM_STARTERS and tokens.words[place] not in CURRENCY_CODES:
            place += 1
            continue
        entry = date_at(tokens, place) or quantity_at(tokens, place, ranges)
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
            result.append(_year_date(item, item.value))
            if item.upper is not None:
                result.append(_year_date(item, item.upper))
    return tuple(result)


def periods_in(text: str) -> tuple[Period, ...]:
    """Return the periods of a text, those of years ("1996–2003") among them."""
    result: list[Period] = []
    for item in parse_quantities(text):
        if isinstance(item, Period):
            result.append(item)
        elif isinstance(item, Quantity) and item.sort is Sort.YEAR and item.upper is not None:
            result.append(Period(_year_date(item, item.value), _year_date(item, item.upper), item.text, item.start, item.end))
    return tuple(result)


def counted_noun(text: str, quantity: Quantity, most: int = 4) -> str:
    """Return what a number counts, as it stands behind it: "geographical time zones"; empty where no plural follows soon."""
    tokens = NumberTokens(text[quantity.end : quantity.end + 120], most + 1)
    for place in range(min(most, tokens.count)):
        word = tokens.lower[place]
        if not word.isalpha() or word in _FUNCTION_WORDS:
            break
        if word in COUNTED_NOUNS or (word.endswith("s") and not word.endswith("ss") and word not in NO_PLURALS):
            at = place + 1
            further = (
                at < min(most, tokens.count)
                and tokens.lower[at].endswith("s")
                and tokens.lower[at] not in _FUNCTION_WORDS | NO_PLURALS
            )
            start, end = quantity.end + tokens.starts[0], quantity.end + tokens.ends[at if further else place]
            return text[start:end]
    return ""


_ITEM_STARTERS = QUANTITY_STARTERS | MONTH_NAMES | SEASONS


def _year_date(item: Quantity, year: Fraction) -> Date:
    return Date(int(year), text=item.text, start=item.start, end=item.end)
