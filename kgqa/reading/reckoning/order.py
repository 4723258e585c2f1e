"""When things of a passage happened: the years between two of them, and which was first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.errors import QuantityInvalid
from kgqa.quantities.calendars import compared, days_between, months_between, years_between
from kgqa.quantities.model import Date, Period, Quantity, Sort
from kgqa.quantities.reading import dates, read
from kgqa.quantities.units import converted, unit_of
from kgqa.quantities.writing import digits, written_date
from kgqa.reading.reckoning.asked import Asked
from kgqa.reading.reckoning.lifetimes import bound, lifetime
from kgqa.reading.reckoning.operands import Numbers, stems, words

Answer = tuple[str, float, tuple[str, ...], int | None, int | None]
"""A text, how well it fits, the steps, and where it stands."""

_WEAK = 0.15
_TOLD = 0.6
"""How well a date fits that the passage tells of the beginning or the end of a thing."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A date of a passage, with the year that was told before where it has none; `last` is the end of a period."""

    date: Date
    last: Date | None = None


def spots(text: str) -> list[Spot]:
    """Return the dates of a passage in their order; a day or month without a year is of the year that was told last."""
    found: list[Spot] = []
    year = 0
    for item in read(text):
        if isinstance(item, Period):
            found.append(Spot(_within(item.first, year), _within(item.last, year)))
            year = item.last.year or year
        elif isinstance(item, Date):
            found.append(Spot(_within(item, year)))
            year = item.year or year
        elif item.sort is Sort.YEAR:
            first = Date(int(item.value), text=item.text, start=item.start, end=item.end)
            found.append(Spot(first, None if item.upper is None else replace(first, year=int(item.upper))))
            year = int(item.value)
    return found


def elapsed(asked: Asked, text: str) -> Answer | None:
    """Return the time between two things, or how long one went on, in the unit that is asked for, else in that of the passage."""
    dated = spots(text)
    if asked.second:
        return _between(asked, text, dated)
    told = _told(asked, text)
    if told is not None:
        return told
    bounds = lifetime(f"{asked.first[0]} {asked.noun}", text, [spot.date for spot in dated if spot.date.year])
    if bounds is not None:
        return _gap(*bounds, asked.unit, _TOLD)
    periods = [spot for spot in dated if spot.last is not None]
    chosen = _nearest(text, periods, asked.first[0])
    if chosen is not None and chosen[0].last is not None:
        return _gap(chosen[0].date, chosen[0].last, asked.unit, chosen[1])
    years = [spot for spot in dated if spot.date.year]
    if len(years) == 2:
        return _gap(years[0].date, years[1].date, asked.unit, 0.2)
    return None


def earlier(asked: Asked, text: str) -> Answer | None:
    """Return which of two things was first or last: by their dates, else by the order in which they are told."""
    first, second = asked.first[0], asked.second[0]
    dated = [spot for spot in spots(text) if spot.date.year]
    one, other = _nearest(text, dated, first), _nearest(text, dated, second)
    sign: int | None = None
    steps: tuple[str, ...] = ()
    fit = 0.3
    if one is not None and other is not None and one[0].date.start != other[0].date.start and min(one[1], other[1]) > _WEAK:
        sign = compared(one[0].date, other[0].date)
        steps = (f"{first}: {written_date(one[0].date)}; {second}: {written_date(other[0].date)}",)
        fit = (one[1] + other[1]) / 2
    if not sign:
        places = _mentioned(text, first), _mentioned(text, second)
        if places[0] is None or places[1] is None or places[0] == places[1]:
            return None
        sign = -1 if places[0] < places[1] else 1
        steps = (f"told in this order: {', '.join((first, second) if sign < 0 else (second, first))}",)
        fit = 0.25
    chosen = first if (sign < 0) == asked.least else second
    place = text.lower().find(chosen.lower())
    if place < 0:
        return chosen, fit, steps, None, None
    return text[place : place + len(chosen)], fit, steps, place, place + len(chosen)


def _between(asked: Asked, text: str, dated: list[Spot]) -> Answer | None:
    first, second = asked.first[0], asked.second[0]
    one = _bound(text, dated, first, second) or _meant(text, dated, first)
    other = _bound(text, dated, second, first) or _meant(text, dated, second)
    if one is None or other is None:
        return None
    if one[0].date == other[0].date:
        options = [spot for spot in dated if spot.date != one[0].date]
        again = _nearest(text, options, asked.second[0]), _nearest(text, options, asked.first[0])
        if again[0] is not None and (again[1] is None or again[0][1] >= again[1][1]):
            other = again[0]
        elif again[1] is not None:
            one = again[1]
        else:
            return None
    return _gap(one[0].date, other[0].date, asked.unit, (one[1] + other[1]) / 2)


def _bound(text: str, dated: list[Spot], phrase: str, other: str) -> tuple[Spot, float] | None:
    if dates(phrase):
        return None
    found = bound(phrase, other, text, [spot.date for spot in dated if spot.date.year])
    return None if found is None else (Spot(found), _TOLD)


def _gap(first: Date, last: Date, unit: str, fit: float) -> Answer | None:
    """Return the time between two dates in a unit; where none is asked for, in years, days or months, and with its unit."""
    if compared(first, last) == 1:
        first, last = last, first
    for measure in (unit,) if unit else ("years", "days", "months"):
        try:
            value = _time_between(first, last, measure)
        except QuantityInvalid:
            continue
        if value > 0:
            named = f"{digits(value)} {measure[:-1] if value == 1 and not unit else measure}"
            shown = f"{written_date(last)} - {written_date(first)} = {named}"
            return digits(value) if unit else named, fit, (shown,), first.start, first.end
    return None


def _time_between(first: Date, last: Date, unit: str) -> Fraction:
    if unit.startswith(("day", "week", "hour")):
        value = Fraction(days_between(first, last), 7 if unit.startswith("week") else 1)
        return value * 24 if unit.startswith("hour") else value
    if unit.startswith("month"):
        return Fraction(months_between(replace(first, day=0), replace(last, day=0)))
    return Fraction(years_between(first, last), 10 if unit.startswith("decade") else 1)


def _told(asked: Asked, text: str) -> Answer | None:
    """Return a duration that the passage tells by itself ("lasted five days") near the thing."""
    numbers = Numbers(text)
    durations = [one for one in numbers.quantities if one.sort is Sort.DURATION]
    best = numbers.best(asked.first[0], durations)[:1]
    if not best or best[0].fit < 0.3 or best[0].quantity.unit[:1].isupper():  # "the Thirteen Years' War" is a name.
        return None
    chosen = best[0].quantity
    if not asked.unit:
        return chosen.text, best[0].fit * 0.8, (f"found: {chosen.text}",), chosen.start, chosen.end
    asks, has = unit_of(asked.unit), unit_of(chosen.unit)
    if asks is None or has is None or asks.measures != has.measures:
        return None
    value = converted(chosen, asked.unit).value
    return digits(value), best[0].fit * 0.8, (f"found: {chosen.text}",), chosen.start, chosen.end


def _meant(text: str, dated: list[Spot], phrase: str) -> tuple[Spot, float] | None:
    """Return the date of a thing: the one that its phrase tells, else the nearest; of a period its end for "the end of"."""
    told = dates(phrase)
    if told and told[0].year:
        same = next((spot for spot in dated if spot.date.year == told[0].year), Spot(replace(told[0], start=0, end=0)))
        return same, 0.6
    found = _nearest(text, dated, phrase)
    if found is not None and found[0].last is not None and _END_WORDS & set(phrase.lower().split()):
        return Spot(found[0].last), found[1]
    return found


_END_WORDS = frozenset({"end", "ended", "ending", "finished", "concluded", "over", "dissolved"})


def _nearest(text: str, dated: list[Spot], phrase: str) -> tuple[Spot, float] | None:
    """Return the date that stands nearest to the words of a phrase, and how well it fits."""
    if not dated:
        return None
    marks = [
        Quantity(Fraction(place), Sort.YEAR, text=spot.date.text, start=spot.date.start, end=spot.date.end)
        for place, spot in enumerate(dated)
    ]
    best = Numbers(text, marks).best(phrase, marks)[:1]
    return (dated[int(best[0].quantity.value)], best[0].fit) if best else None


def _mentioned(text: str, phrase: str) -> int | None:
    """Return the place of the passage where most words of a phrase stand close together."""
    wanted = set(stems(phrase))
    hits = [word for word in words(text) if word.stem in wanted]
    best, place = 0, None
    for at, hit in enumerate(hits):
        near = {other.stem for other in hits[at : at + 12] if other.start - hit.start < 80}
        if len(near) > best:
            best, place = len(near), hit.start
    return place if wanted and 2 * best >= len(wanted) else None


def _within(date: Date, year: int) -> Date:
    return date if date.year or not year else replace(date, year=year)
