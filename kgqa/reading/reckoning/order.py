"""When things of a passage happened: the years between two of them, and which was first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.errors import QuantityInvalid
from kgqa.quantities.calendars import compare_dates, days_between, months_between, years_between
from kgqa.quantities.model import Date, Period, Quantity, Sort
from kgqa.quantities.reading import dates_in, parse_quantities
from kgqa.quantities.units import convert_unit, unit_of
from kgqa.quantities.writing import format_date, format_digits
from kgqa.reading.reckoning.asked import NumericQuestion
from kgqa.reading.reckoning.lifetimes import lifetime_bound, lifetime_dates
from kgqa.reading.reckoning.operands import PassageNumbers, operand_stems, passage_words

DatedAnswer = tuple[str, float, tuple[str, ...], int | None, int | None]
"""A text, how well it fits, the steps, and where it stands."""

_WEAK_DATE_FIT = 0.15
_STATED_FIT = 0.6
"""How well a date fits that the passage tells of the beginning or the end of a thing."""


@dataclass(frozen=True, slots=True)
class PassageDate:
    """A date of a passage, with the year that was told before where it has none; `last` is the end of a period."""

    date: Date
    last: Date | None = None


def passage_dates(text: str) -> list[PassageDate]:
    """Return the dates of a passage in their order; a day or month without a year is of the year that was told last."""
    dated: list[PassageDate] = []
    year = 0
    for item in parse_quantities(text):
        if isinstance(item, Period):
            dated.append(PassageDate(_with_year(item.first, year), _with_year(item.last, year)))
            year = item.last.year or year
        elif isinstance(item, Date):
            dated.append(PassageDate(_with_year(item, year)))
            year = item.year or year
        elif item.sort is Sort.YEAR:
            first = Date(int(item.value), text=item.text, start=item.start, end=item.end)
            dated.append(PassageDate(first, None if item.upper is None else replace(first, year=int(item.upper))))
            year = int(item.value)
    return dated


def elapsed_answer(question: NumericQuestion, text: str) -> DatedAnswer | None:
    """Return the time between two things, or how long one went on, in the unit that is asked for, else in that of the passage."""
    dated = passage_dates(text)
    if question.second:
        return _elapsed_between_events(question, text, dated)
    stated = _stated_duration(question, text)
    if stated is not None:
        return stated
    bounds = lifetime_dates(f"{question.first[0]} {question.noun}", text, [spot.date for spot in dated if spot.date.year])
    if bounds is not None:
        return _elapsed_between_dates(*bounds, question.unit, _STATED_FIT)
    periods = [spot for spot in dated if spot.last is not None]
    chosen = _nearest_date(text, periods, question.first[0])
    if chosen is not None and chosen[0].last is not None:
        return _elapsed_between_dates(chosen[0].date, chosen[0].last, question.unit, chosen[1])
    years = [spot for spot in dated if spot.date.year]
    if len(years) == 2:
        return _elapsed_between_dates(years[0].date, years[1].date, question.unit, 0.2)
    return None


def earlier_answer(question: NumericQuestion, text: str) -> DatedAnswer | None:
    """Return which of two things was first or last: by their dates, else by the order in which they are told."""
    first, second = question.first[0], question.second[0]
    dated = [spot for spot in passage_dates(text) if spot.date.year]
    first_date, second_date = _nearest_date(text, dated, first), _nearest_date(text, dated, second)
    sign: int | None = None
    steps: tuple[str, ...] = ()
    fit = 0.3
    if (
        first_date is not None
        and second_date is not None
        and first_date[0].date.start != second_date[0].date.start
        and min(first_date[1], second_date[1]) > _WEAK_DATE_FIT
    ):
        sign = compare_dates(first_date[0].date, second_date[0].date)
        steps = (f"{first}: {format_date(first_date[0].date)}; {second}: {format_date(second_date[0].date)}",)
        fit = (first_date[1] + second_date[1]) / 2
    if not sign:
        places = _mention_start(text, first), _mention_start(text, second)
        if places[0] is None or places[1] is None or places[0] == places[1]:
            return None
        sign = -1 if places[0] < places[1] else 1
        steps = (f"told in this order: {', '.join((first, second) if sign < 0 else (second, first))}",)
        fit = 0.25
    chosen = first if (sign < 0) == question.least else second
    place = text.lower().find(chosen.lower())
    if place < 0:
        return chosen, fit, steps, None, None
    return text[place : place + len(chosen)], fit, steps, place, place + len(chosen)


def _elapsed_between_events(question: NumericQuestion, text: str, dated: list[PassageDate]) -> DatedAnswer | None:
    first, second = question.first[0], question.second[0]
    first_date = _bound_date(text, dated, first, second) or _date_of_phrase(text, dated, first)
    second_date = _bound_date(text, dated, second, first) or _date_of_phrase(text, dated, second)
    if first_date is None or second_date is None:
        return None
    if first_date[0].date == second_date[0].date:
        options = [spot for spot in dated if spot.date != first_date[0].date]
        again = _nearest_date(text, options, question.second[0]), _nearest_date(text, options, question.first[0])
        if again[0] is not None and (again[1] is None or again[0][1] >= again[1][1]):
            second_date = again[0]
        elif again[1] is not None:
            first_date = again[1]
        else:
            return None
    return _elapsed_between_dates(first_date[0].date, second_date[0].date, question.unit, (first_date[1] + second_date[1]) / 2)


def _bound_date(text: str, dated: list[PassageDate], phrase: str, other_phrase: str) -> tuple[PassageDate, float] | None:
    if dates_in(phrase):
        return None
    date = lifetime_bound(phrase, other_phrase, text, [spot.date for spot in dated if spot.date.year])
    return None if date is None else (PassageDate(date), _STATED_FIT)


def _elapsed_between_dates(first: Date, last: Date, unit: str, fit: float) -> DatedAnswer | None:
    """Return the time between two dates in a unit; where none is asked for, in years, days or months, and with its unit."""
    if compare_dates(first, last) == 1:
        first, last = last, first
    for measure in (unit,) if unit else ("years", "days", "months"):
        try:
            value = _time_in_unit(first, last, measure)
        except QuantityInvalid:
            continue
        if value > 0:
            duration = f"{format_digits(value)} {measure[:-1] if value == 1 and not unit else measure}"
            step = f"{format_date(last)} - {format_date(first)} = {duration}"
            return format_digits(value) if unit else duration, fit, (step,), first.start, first.end
    return None


def _time_in_unit(first: Date, last: Date, unit: str) -> Fraction:
    if unit.startswith(("day", "week", "hour")):
        value = Fraction(days_between(first, last), 7 if unit.startswith("week") else 1)
        return value * 24 if unit.startswith("hour") else value
    if unit.startswith("month"):
        return Fraction(months_between(replace(first, day=0), replace(last, day=0)))
    return Fraction(years_between(first, last), 10 if unit.startswith("decade") else 1)


def _stated_duration(question: NumericQuestion, text: str) -> DatedAnswer | None:
    """Return a duration that the passage tells by itself ("lasted five days") near the thing."""
    numbers = PassageNumbers(text)
    durations = [quantity for quantity in numbers.quantities if quantity.sort is Sort.DURATION]
    best = numbers.best(question.first[0], durations)[:1]
    if not best or best[0].fit < 0.3 or best[0].quantity.unit[:1].isupper():  # "the Thirteen Years' War" is a name.
        return None
    chosen = best[0].quantity
    if not question.unit:
        return chosen.text, best[0].fit * 0.8, (f"found: {chosen.text}",), chosen.start, chosen.end
    asks, has = unit_of(question.unit), unit_of(chosen.unit)
    if asks is None or has is None or asks.measures != has.measures:
        return None
    value = convert_unit(chosen, question.unit).value
    return format_digits(value), best[0].fit * 0.8, (f"found: {chosen.text}",), chosen.start, chosen.end


def _date_of_phrase(text: str, dated: list[PassageDate], phrase: str) -> tuple[PassageDate, float] | None:
    """Return the date of a thing: the one that its phrase tells, else the nearest; of a period its end for "the end of"."""
    phrase_dates = dates_in(phrase)
    if phrase_dates and phrase_dates[0].year:
        same = next(
            (spot for spot in dated if spot.date.year == phrase_dates[0].year),
            PassageDate(replace(phrase_dates[0], start=0, end=0)),
        )
        return same, 0.6
    nearest = _nearest_date(text, dated, phrase)
    if nearest is not None and nearest[0].last is not None and _END_WORDS & set(phrase.lower().split()):
        return PassageDate(nearest[0].last), nearest[1]
    return nearest


_END_WORDS = frozenset({"end", "ended", "ending", "finished", "concluded", "over", "dissolved"})


def _nearest_date(text: str, dated: list[PassageDate], phrase: str) -> tuple[PassageDate, float] | None:
    """Return the date that stands nearest to the words of a phrase, and how well it fits."""
    if not dated:
        return None
    marks = [
        Quantity(Fraction(place), Sort.YEAR, text=spot.date.text, start=spot.date.start, end=spot.date.end)
        for place, spot in enumerate(dated)
    ]
    best = PassageNumbers(text, marks).best(phrase, marks)[:1]
    return (dated[int(best[0].quantity.value)], best[0].fit) if best else None


def _mention_start(text: str, phrase: str) -> int | None:
    """Return the place of the passage where most words of a phrase stand close together."""
    wanted = set(operand_stems(phrase))
    hits = [word for word in passage_words(text) if word.stem in wanted]
    best, place = 0, None
    for at, hit in enumerate(hits):
        near = {neighbour.stem for neighbour in hits[at : at + 12] if neighbour.start - hit.start < 80}
        if len(near) > best:
            best, place = len(near), hit.start
    return place if wanted and 2 * best >= len(wanted) else None


def _with_year(date: Date, year: int) -> Date:
    return date if date.year or not year else replace(date, year=year)
