"""The time between events of a passage: how long something existed, the years between two events, and which came first."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import NamedTuple

from graph.text.segmentation import adjoining_spans
from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import compare_dates, days_between, months_between, years_between
from kgqa.quantities.quantity import Date, Period, Quantity, Sort
from kgqa.quantities.quantity_format import format_date, format_digits
from kgqa.quantities.quantity_parser import dates_in, parse_quantities
from kgqa.quantities.units import convert_unit, unit_of
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES, NumericQuestion
from kgqa.readers.numeric.operands import NumericAnswer, PassageNumbers, answer_from_phrase, operand_stems, passage_words

_WEAK_DATE_FIT = 0.15
_STATED_FIT = 0.6
"""The fit of a date that the passage gives for the beginning or the end of a thing."""
_END_WORDS = frozenset({"end", "ended", "ending", "finished", "concluded", "over", "dissolved"})
_LASTING_VERB = NUMERIC_CUES["lasting verb"]
_LEADING_WORDS = re.compile(r"^(?:(?:of|when|that|the|a|an|time|did|was|were|its|his|her|their)\b\s*)+", re.IGNORECASE)
_PLACE_PREPOSITION = re.compile(r"(?<=\w)\s+(?:of|in|at|on|for|near)\b", re.IGNORECASE)
_OWN_WORDS = re.compile(r"\b(?:it|its|he|his|she|her|they|their|them|him|was|were|did|finally|later)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:(?:In|On|By) [^,]{3,30}, )?(?:it|he|she|they)\b", re.IGNORECASE)


class LifetimeEvent(NamedTuple):
    """A way in which things begin or end: its bound, the words of questions for it, and the words of passages."""

    of: str
    begins: bool
    question_pattern: re.Pattern[str]
    passage_pattern: re.Pattern[str]


class PassageDate(NamedTuple):
    """A date of a passage, with the year of an earlier date where it has none; `last` is the end of a period."""

    date: Date
    last: Date | None = None


@cache
def _lifetime_events() -> tuple[LifetimeEvent, ...]:
    rows = tomllib.loads(resources.files("kgqa.readers.numeric").joinpath("lifetimes.toml").read_text(encoding="utf-8"))["event"]
    events = []
    for row in rows:
        done, does = row["done"], row["does"]
        question_words = "|".join(words for words in (row["nouns"], done, does) if words)
        ways = []
        if done:
            ways.append(rf"\b(?:was|were|been|being)\s+(?:\w+ly\s+|first\s+|finally\s+)?(?:{done})\b")
            ways.append(rf"(?:^|\band\s+|,\s*)(?:{done})(?=\s+(?:in|on|by|at|from|during|after|as)\b|[,.;]|$)")
        if does:
            ways.append(rf"\b(?<!to )(?:{does})\b")
        question_pattern = re.compile(rf"\b(?:{question_words})\b", re.IGNORECASE)
        events.append(
            LifetimeEvent(row["of"], row["side"] == "begin", question_pattern, re.compile("|".join(ways), re.IGNORECASE))
        )
    return tuple(events)


def _lifetime_dates(phrase: str, text: str, dated: Sequence[Date]) -> tuple[Date, Date] | None:
    """Return when the thing of "the tower stand" began and ended; `None` where the passage does not have one date of each."""
    verb = _LASTING_VERB.search(phrase)
    if verb is None:
        return None
    thing = _thing_stems(f"{phrase[: verb.start()]} {phrase[verb.end() :]}")
    events = [event for event in _lifetime_events() if event.of == verb.lastgroup]
    first = _event_date([event for event in events if event.begins], thing, text, dated)
    last = _event_date([event for event in events if not event.begins], thing, text, dated)
    return (first, last) if first is not None and last is not None else None


def _lifetime_bound(phrase: str, other_phrase: str, text: str, dated: Sequence[Date]) -> Date | None:
    """Return when what a phrase names began or ended ("the fall of the tower"); "its fall" is that of the thing of `other`."""
    meant = [event for event in _lifetime_events() if event.question_pattern.search(phrase)]
    if len({event.begins for event in meant}) != 1:
        return None
    thing = _thing_stems(phrase, meant) or _thing_stems(
        other_phrase, [event for event in _lifetime_events() if event.question_pattern.search(other_phrase)]
    )
    return _event_date(meant, thing, text, dated)


def _thing_stems(phrase: str, meant: Sequence[LifetimeEvent] = ()) -> tuple[str, ...]:
    """Return the words of the thing that a phrase is about, without what happens to it, and without where it is."""
    for event in meant:
        phrase = event.question_pattern.sub(" ", phrase)
    phrase = _PLACE_PREPOSITION.split(_LEADING_WORDS.sub("", phrase.strip()))[0]
    return tuple(operand_stems(_OWN_WORDS.sub(" ", phrase)))


def _event_date(meant: Sequence[LifetimeEvent], thing: tuple[str, ...], text: str, dated: Sequence[Date]) -> Date | None:
    """Return the date of events of a thing, the most precise one; `None` where the passage has none or several years.

    An event is in a sentence about the thing, or in one about "it" that follows such a sentence.
    """
    if not thing:
        return None
    event_dates: list[Date] = []
    about = False
    for begin, end in adjoining_spans(text, "names"):
        sentence = text[begin:end]
        first = next((word.start for word in passage_words(sentence) if word.stem == thing[-1]), None)
        pronoun = _PRONOUN.match(sentence) is not None
        about = first is not None or (about and pronoun)
        if not about:
            continue
        starts = sorted(match.start() for event in _lifetime_events() for match in event.passage_pattern.finditer(sentence))
        for match in (match for event in meant for match in event.passage_pattern.finditer(sentence)):
            if first is not None and 0 < match.start() < first and not pronoun:
                continue
            # The next date behind the event that is no other event's, else the only one before it.
            until = next((start for start in starts if start > match.end()), len(sentence))
            behind = [date for date in dated if begin + match.end() <= date.start < begin + until]
            before = [date for date in dated if begin <= date.start < begin + match.start()]
            event_dates += behind[:1] or (before if len(before) == 1 else [])
    if len({date.year for date in event_dates}) != 1:
        return None
    return max(event_dates, key=lambda date: (date.month > 0, date.day > 0))


def _passage_dates(text: str) -> list[PassageDate]:
    """Return the dates of a passage in their order; a day or month without a year has the year of the date before."""
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


def _with_year(date: Date, year: int) -> Date:
    return date if date.year or not year else replace(date, year=year)


def elapsed_answer(question: NumericQuestion, text: str) -> NumericAnswer | None:
    """Return the time between two things, or how long one went on, in the unit that is asked for, else in that of the passage."""
    dated = _passage_dates(text)
    if question.second:
        return _elapsed_between_events(question, text, dated)
    stated = _stated_duration(question, text)
    if stated is not None:
        return stated
    years = [spot.date for spot in dated if spot.date.year]
    bounds = _lifetime_dates(f"{question.first[0]} {question.noun}", text, years)
    if bounds is not None:
        return time_between(*bounds, question.unit, _STATED_FIT)
    chosen = _nearest_date(text, [spot for spot in dated if spot.last is not None], question.first[0])
    if chosen is not None and chosen[0].last is not None:
        return time_between(chosen[0].date, chosen[0].last, question.unit, chosen[1])
    return time_between(years[0], years[1], question.unit, 0.2) if len(years) == 2 else None


def earlier_answer(question: NumericQuestion, text: str) -> NumericAnswer | None:
    """Return which of two things was first or last: by their dates, else by the order in which they stand."""
    first, second = question.first[0], question.second[0]
    dated = [spot for spot in _passage_dates(text) if spot.date.year]
    first_date, second_date = _nearest_date(text, dated, first), _nearest_date(text, dated, second)
    sign: int | None = None
    if (
        first_date is not None
        and second_date is not None
        and first_date[0].date.start != second_date[0].date.start
        and min(first_date[1], second_date[1]) > _WEAK_DATE_FIT
    ):
        sign = compare_dates(first_date[0].date, second_date[0].date)
        step = f"{first}: {format_date(first_date[0].date)}; {second}: {format_date(second_date[0].date)}"
        fit = (first_date[1] + second_date[1]) / 2
    if not sign:
        places = _mention_start(text, first), _mention_start(text, second)
        if places[0] is None or places[1] is None or places[0] == places[1]:
            return None
        sign = -1 if places[0] < places[1] else 1
        step = f"told in this order: {', '.join((first, second) if sign < 0 else (second, first))}"
        fit = 0.25
    return answer_from_phrase(first if (sign < 0) == question.least else second, text, fit, (step,))


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


def _elapsed_between_events(question: NumericQuestion, text: str, dated: list[PassageDate]) -> NumericAnswer | None:
    first, second = question.first[0], question.second[0]
    first_date, second_date = _event_or_phrase_date(text, dated, first, second), _event_or_phrase_date(text, dated, second, first)
    if first_date is None or second_date is None:
        return None
    if first_date[0].date == second_date[0].date:
        options = [spot for spot in dated if spot.date != first_date[0].date]
        again = _nearest_date(text, options, second), _nearest_date(text, options, first)
        if again[0] is not None and (again[1] is None or again[0][1] >= again[1][1]):
            second_date = again[0]
        elif again[1] is not None:
            first_date = again[1]
        else:
            return None
    return time_between(first_date[0].date, second_date[0].date, question.unit, (first_date[1] + second_date[1]) / 2)


def _event_or_phrase_date(
    text: str, dated: list[PassageDate], phrase: str, other_phrase: str
) -> tuple[PassageDate, float] | None:
    """Return the date of a thing and how well it fits: that of its beginning or end, the one in its phrase, else the nearest.

    Of a period it is the end for "the end of".
    """
    years = [spot.date for spot in dated if spot.date.year]
    phrase_dates = dates_in(phrase)
    if not phrase_dates and (bound := _lifetime_bound(phrase, other_phrase, text, years)) is not None:
        return PassageDate(bound), _STATED_FIT
    if phrase_dates and phrase_dates[0].year:
        stated = PassageDate(replace(phrase_dates[0], start=0, end=0))
        return next((spot for spot in dated if spot.date.year == phrase_dates[0].year), stated), 0.6
    nearest = _nearest_date(text, dated, phrase)
    if nearest is not None and nearest[0].last is not None and _END_WORDS & set(phrase.lower().split()):
        return PassageDate(nearest[0].last), nearest[1]
    return nearest


def _nearest_date(text: str, dated: list[PassageDate], phrase: str) -> tuple[PassageDate, float] | None:
    marks = [
        Quantity(Fraction(place), Sort.YEAR, text=spot.date.text, start=spot.date.start, end=spot.date.end)
        for place, spot in enumerate(dated)
    ]
    best = PassageNumbers(text, marks).best(phrase, marks)[:1]
    return (dated[int(best[0].quantity.value)], best[0].fit) if best else None


def time_between(first: Date, last: Date, unit: str, fit: float) -> NumericAnswer | None:
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
            return NumericAnswer(format_digits(value) if unit else duration, fit, (step,), first.start, first.end)
    return None


def _time_in_unit(first: Date, last: Date, unit: str) -> Fraction:
    if unit.startswith(("day", "week", "hour")):
        value = Fraction(days_between(first, last), 7 if unit.startswith("week") else 1)
        return value * 24 if unit.startswith("hour") else value
    if unit.startswith("month"):
        return Fraction(months_between(replace(first, day=0), replace(last, day=0)))
    return Fraction(years_between(first, last), 10 if unit.startswith("decade") else 1)


def _stated_duration(question: NumericQuestion, text: str) -> NumericAnswer | None:
    """Return a duration that the passage states ("lasted five days") near the thing."""
    numbers = PassageNumbers(text)
    durations = [quantity for quantity in numbers.quantities if quantity.sort is Sort.DURATION]
    best = numbers.best(question.first[0], durations)[:1]
    if not best or best[0].fit < 0.3 or best[0].quantity.unit[:1].isupper():  # "the Thirteen Years' War" is a name.
        return None
    chosen = best[0].quantity
    duration = chosen.text
    if question.unit:
        asks, has = unit_of(question.unit), unit_of(chosen.unit)
        if asks is None or has is None or asks.measures != has.measures:
            return None
        duration = format_digits(convert_unit(chosen, question.unit).value)
    return NumericAnswer(duration, best[0].fit * 0.8, (f"found: {chosen.text}",), chosen.start, chosen.end)
