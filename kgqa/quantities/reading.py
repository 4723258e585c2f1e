"""The quantities and dates of a text, each with its place."""

from __future__ import annotations

from fractions import Fraction

from kgqa.quantities.dates import MONTH_NAMES, SEASONS, date_at
from kgqa.quantities.measures import COUNTED_NOUNS, NO_PLURALS, QUANTITY_STARTERS, quantity_at
from kgqa.quantities.model import Date, Period, Quantity, Sort
from kgqa.quantities.tokens import NumberTokens
from kgqa.quantities.units import CURRENCY_CODES

_FUNCTION_WORDS = frozenset(
    (
        "of in on at by to from for with and or but than the a an as is was were are be been had has have that which "
        "who when while where if not more less later earlier ago before after per each every out into over under about "
        "because since until during against between through he she it they his her its their this these those there "
        "then also would could will did do does"
    ).split()
)

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
