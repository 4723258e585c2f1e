"""The quantities and dates of a text, each with its place."""

from __future__ import annotations

from fractions import Fraction

from kgqa.quantities.dates import MONTH_NAMES, SEASONS, date_at
from kgqa.quantities.measures import NO_NOUNS, PEOPLE, STARTERS, quantity_at
from kgqa.quantities.model import Date, Period, Quantity, Sort
from kgqa.quantities.tokens import Tokens
from kgqa.quantities.units import CURRENCY_CODES

_FUNCTION = frozenset(
    (
        "of in on at by to from for with and or but than the a an as is was were are be been had has have that which "
        "who when while where if not more less later earlier ago before after per each every out into over under about "
        "because since until during against between through he she it they his her its their this these those there "
        "then also would could will did do does"
    ).split()
)

Item = Quantity | Date | Period
"""What stands at one place: a date with more than a year is a `Date` or a `Period`, everything else a `Quantity`."""


def read(text: str, *, ranges: bool = True) -> tuple[Item, ...]:
    """Return the quantities, dates and periods of a text in their order; none overlaps another, and every text has some or none.

    With `ranges`, "five to seven" is one quantity, else two. A year alone is a quantity of the sort `YEAR`.
    """
    tokens = Tokens(text)
    items: list[Item] = []
    place, lower, digits, count = 0, tokens.lower, tokens.digits, tokens.count
    while place < count:
        if not digits[place] and lower[place] not in _STARTERS and tokens.words[place] not in CURRENCY_CODES:
            place += 1
            continue
        found = date_at(tokens, place) or quantity_at(tokens, place, ranges)
        if found is None:
            place += 1
        else:
            items.append(found[0])
            place = found[1]
    return tuple(items)


def quantities(text: str, *, ranges: bool = True) -> tuple[Quantity, ...]:
    """Return the quantities of a text in their order, years among them, the parts of dates not."""
    return tuple(item for item in read(text, ranges=ranges) if isinstance(item, Quantity))


def dates(text: str) -> tuple[Date, ...]:
    """Return the days, months and years of a text in their order; of a period both ends."""
    found: list[Date] = []
    for item in read(text):
        if isinstance(item, Date):
            found.append(item)
        elif isinstance(item, Period):
            found += [item.first, item.last]
        elif item.sort is Sort.YEAR:
            found.append(_year_of(item, item.value))
            if item.upper is not None:
                found.append(_year_of(item, item.upper))
    return tuple(found)


def periods(text: str) -> tuple[Period, ...]:
    """Return the periods of a text, those of years ("1996–2003") among them."""
    found: list[Period] = []
    for item in read(text):
        if isinstance(item, Period):
            found.append(item)
        elif isinstance(item, Quantity) and item.sort is Sort.YEAR and item.upper is not None:
            found.append(Period(_year_of(item, item.value), _year_of(item, item.upper), item.text, item.start, item.end))
    return tuple(found)


def counted(text: str, quantity: Quantity, most: int = 4) -> str:
    """Return what a number counts, as it stands behind it: "geographical time zones"; empty where no plural follows soon."""
    tokens = Tokens(text[quantity.end : quantity.end + 120], most + 1)
    for place in range(min(most, tokens.count)):
        word = tokens.lower[place]
        if not word.isalpha() or word in _FUNCTION:
            break
        if word in PEOPLE or (word.endswith("s") and not word.endswith("ss") and word not in NO_NOUNS):
            at = place + 1
            further = (
                at < min(most, tokens.count) and tokens.lower[at].endswith("s") and tokens.lower[at] not in _FUNCTION | NO_NOUNS
            )
            start, end = quantity.end + tokens.starts[0], quantity.end + tokens.ends[at if further else place]
            return text[start:end]
    return ""


_STARTERS = STARTERS | MONTH_NAMES | SEASONS


def _year_of(item: Quantity, year: Fraction) -> Date:
    return Date(int(year), text=item.text, start=item.start, end=item.end)
