"""Dates: their parser (days, months, seasons, periods between two dates), the test for a bare year, shifts, and differences."""

from __future__ import annotations

import datetime
from calendar import isleap
from dataclasses import replace

from kgqa.errors import QuantityInvalid
from kgqa.quantities.numbers import Number, NumberTokens, number_at
from kgqa.quantities.quantity import Date, Period

MONTHS = "January February March April May June July August September October November December".split()
"""The months, in order."""
_MONTHS_OF = {name: place for place, month in enumerate(MONTHS, 1) for name in (month, month[:3])} | {"Sept": 9}
MONTH_NAMES = frozenset(name.lower() for name in _MONTHS_OF)
"""What a month can be called, short or long; in lower case."""
SEASONS = frozenset({"spring", "summer", "autumn", "fall", "winter", "early", "mid", "late"})
"""The words that stand before a year and name a part of it."""
ERAS = {"bc": -1, "bce": -1, "ad": 1, "ce": 1}
"""The letters behind a year, with its sign."""
DASHES = frozenset({"-", "–", "—"})
"""The signs between the ends of a range."""
_RANGE_SIGNS = DASHES | {"to", "until", "till", "through"}
_DATE_PREPOSITIONS = frozenset(
    "in since until till by from during of last next early late mid before after to between and the".split()
)
_YEARLY_BEFORE = frozenset(
    "in since until till by from during before after around circa early late mid of and to between through year "
    "season spring summer autumn fall winter as ( / - –".split()
)
_NO_PLURALS = frozenset("was is as has his its this thus does us pass across perhaps always towards unless versus".split())
_COUNTED_NOUNS = frozenset({"people", "men", "women", "children", "troops", "feet", "persons", "dollars"})
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
"""The days of the week, Monday first."""
_LENGTHS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LONGEST_SHIFT = 400_000_000
_CYCLE_YEARS, _CYCLE_DAYS = 400, 146_097
"""The period of the calendar: dates outside the years of `datetime` are moved by a number of cycles."""


def days_in(year: int, month: int) -> int:
    """Return how many days a month has, the most of any year where the year is unknown (0); the year 1 BC is -1, and leap."""
    return 29 if month == 2 and (year == 0 or isleap(_astronomical_year(year))) else _LENGTHS[month]


def day_number(date: Date) -> int:
    """Return the number of a day among all, 1 for January 1 of the year 1; raises `QuantityInvalid` where the day is unknown."""
    _require_part(date, "day")
    cycles, year = divmod(_astronomical_year(date.year), _CYCLE_YEARS)
    first = datetime.date(year + _CYCLE_YEARS, date.month, 1).toordinal()
    return first + date.day - 1 + (cycles - 1) * _CYCLE_DAYS


def _date_of_number(number: int) -> Date:
    cycles, rest = divmod(number, _CYCLE_DAYS)
    day = datetime.date.fromordinal(rest + _CYCLE_DAYS)
    return Date(_calendar_year(day.year + (cycles - 1) * _CYCLE_YEARS), day.month, day.day)


def weekday(date: Date) -> str:
    """Return the day of the week of a date ("Friday"); raises `QuantityInvalid` where the day is unknown."""
    return WEEKDAYS[(day_number(date) - 1) % 7]


def add_to_date(date: Date, *, years: int = 0, months: int = 0, days: int = 0) -> Date:
    """Return a date as much later, as precise as it was; a negative number is earlier, a month is shortened at its end.

    January 31 a month later is February 28 or 29. Raises `QuantityInvalid` where a date is shifted by a unit that it lacks:
    "March 1999" by days, "4 May" without a year across the end of a year.
    """
    if abs(years) + abs(months) + abs(days) > _LONGEST_SHIFT:
        raise QuantityInvalid("a date cannot be moved that far")
    if months or days:
        _require_part(date, "day" if days else "month")
    if not date.year and (years or days):
        raise QuantityInvalid(f"'{_date_text(date)}' has no year, and cannot be moved by days or years")
    whole, month = divmod(date.month - 1 + months, 12) if date.month else (0, -1)
    if not date.year and whole:
        raise QuantityInvalid(f"'{_date_text(date)}' has no year, and {months} months lead into another one")
    year = _calendar_year(_astronomical_year(date.year) + years + whole) if date.year else 0
    day = min(date.day, days_in(year, month + 1)) if date.day else 0
    shifted = Date(year, month + 1, day, date.season if not (months or days) else "")
    return _date_of_number(day_number(shifted) + days) if days else shifted


def days_between(first: Date, last: Date) -> int:
    """Return the days from a date to another one, negative where it is earlier; both need a day."""
    return day_number(last) - day_number(first)


def months_between(first: Date, last: Date) -> int:
    """Return the whole months from a date to another one; where a day is unknown, months are counted by name.

    Raises `QuantityInvalid` where a month or a year is unknown.
    """
    for date in (first, last):
        _require_part(date, "month")
    if bool(first.year) != bool(last.year):
        raise QuantityInvalid(f"'{_date_text(first if last.year else last)}' does not tell the year")
    months = 12 * (_astronomical_year(last.year) - _astronomical_year(first.year)) + last.month - first.month
    if not (first.day and last.day):
        return months
    short = last.day < first.day and last.day < days_in(last.year, last.month)
    long = last.day > first.day and first.day < days_in(first.year, first.month)
    return months - (months > 0 and short) + (months < 0 and long)


def years_between(first: Date, last: Date, *, whole: bool = False) -> int:
    """Return the years from a date to another one: the difference of their numbers, or the `whole` ones, as of an age.

    There is no year 0 between 1 BC and 1 AD. Raises `QuantityInvalid` where a year is unknown.
    """
    for date in (first, last):
        _require_part(date, "year")
    if whole and first.month and last.month:
        months = months_between(first, last)
        return months // 12 if months >= 0 else -(-months // 12)
    return _astronomical_year(last.year) - _astronomical_year(first.year)


def compare_dates(first: Date, last: Date) -> int | None:
    """Return -1, 0 or 1 as a date is before, like or behind another one; `None` where their parts do not decide it.

    "1999" and "March 1999" are not decided; without years, months and days of one year are compared.
    """
    if bool(first.year) != bool(last.year):
        return None
    for first_part, last_part in ((first.year, last.year), (first.month, last.month), (first.day, last.day)):
        if first_part != last_part:
            return None if not (first_part and last_part) else (-1 if first_part < last_part else 1)
    return 0


def _astronomical_year(year: int) -> int:
    """Return the year as a number among all: 1 BC is 0."""
    return year if year > 0 else year + 1


def _calendar_year(counted: int) -> int:
    return counted if counted > 0 else counted - 1


def _require_part(date: Date, what: str) -> None:
    missing = {"year": not date.year, "month": not date.month, "day": not (date.year and date.month and date.day)}[what]
    if missing:
        raise QuantityInvalid(f"'{_date_text(date)}' does not tell the {what}")


def _date_text(date: Date) -> str:
    return date.text or "-".join(str(part) for part in (date.year, date.month, date.day) if part)


def date_at(tokens: NumberTokens, place: int) -> tuple[Date | Period, int] | None:
    """Return the date or the period that starts at a token, and the place after it; `None` where none does.

    A year alone is read as a quantity, not here. "24–26 July 2020", "24 July–9 August 2020" and "March–May 1999" are periods.
    """
    first = _iso_date(tokens, place) or _day_range(tokens, place) or _date(tokens, place)
    if first is None:
        return None
    date, end = first
    between = place > 0 and tokens.lower[place - 1] == "between" and tokens.lower[end] == "and"
    if isinstance(date, Period) or not date.month or (tokens.lower[end] not in _RANGE_SIGNS and not between):
        return first
    second = _day_range(tokens, end + 1) or _date(tokens, end + 1)
    if second is None or isinstance(second[0], Period):
        last_day = _day(tokens, end + 1) if date.day and tokens.lower[end] in DASHES else None
        return (last_day and _close_period(tokens, date, *last_day)) or first
    last = second[0]
    if bool(last.day) != bool(date.day):
        return first
    opened = date if date.year or not last.year else replace(date, year=last.year)
    closing = last if last.year or not opened.year else replace(last, year=opened.year)
    if opened.year > closing.year or (opened.year == closing.year and opened > closing):
        return first
    return _period(tokens, opened, closing), second[1]


def _close_period(tokens: NumberTokens, date: Date, day: int, end: int) -> tuple[Period, int] | None:
    """Read the end of "July 24–26, 2020", whose year stands behind the last day."""
    year, after = (date.year, end) if date.year else _year(tokens, end)
    if day <= date.day or day > days_in(year, date.month):
        return None
    last = _make_date(tokens, (year, date.month, day), end - 1, after)
    return _period(tokens, replace(date, year=year), last), after


def _period(tokens: NumberTokens, first: Date, last: Date) -> Period:
    return Period(first, last, tokens.text[first.start : last.end], first.start, last.end)


def _make_date(tokens: NumberTokens, parts: tuple[int, int, int], start: int, end: int, season: str = "") -> Date:
    begin, stop = tokens.starts[start], tokens.ends[end - 1]
    return Date(*parts, season=season, text=tokens.text[begin:stop], start=begin, end=stop)


def _month(tokens: NumberTokens, place: int) -> tuple[int, int] | None:
    word = tokens.words[place]
    month = _MONTHS_OF.get(word) or (_MONTHS_OF.get(word.capitalize()) if word.isupper() else None)
    if month is None:
        return None
    is_short = word.capitalize() not in MONTHS
    return month, place + 1 + (is_short and tokens.words[place + 1] == ".")


def _day(tokens: NumberTokens, place: int) -> tuple[int, int] | None:
    """Read a day of a month: "4", "4th", "fourth"."""
    word, behind = tokens.words[place], tokens.lower[place + 1]
    if tokens.digits[place]:
        touching = tokens.touches(place + 1)
        if len(word) > 2 or not 1 <= int(word) <= 31 or (behind == ":" and touching):
            return None
        return int(word), place + 1 + (behind in ("st", "nd", "rd", "th") and touching)
    number = number_at(tokens, place)
    return (int(number.value), number.end) if number and number.ordinal and 1 <= number.value <= 31 else None


def _year(tokens: NumberTokens, place: int, bare: bool = False) -> tuple[int, int]:
    """Read a year behind a month or a day, 0 where there is none: "2018", ", 2018", "44 BC"; with `bare`, without a comma."""
    at = place + (tokens.words[place] == "," and not bare)
    at += tokens.lower[at] == "of" and at == place
    if not (tokens.digits[at] and tokens.words[at].isdecimal() and len(tokens.words[at]) <= 4):
        return 0, place
    year = int(tokens.words[at])
    era = ERAS.get(tokens.lower[at + 1], 0)
    if era:
        return (era * year, at + 2) if year else (0, place)
    return (year, at + 1) if 1000 <= year < 3000 and not (tokens.touches(at + 1) and tokens.words[at + 1] == "%") else (0, place)


def _iso_date(tokens: NumberTokens, place: int) -> tuple[Date, int] | None:
    words = tokens.words
    if not (tokens.digits[place] and len(words[place]) == 4 and words[place + 1] == "-" and words[place + 3] == "-"):
        return None
    parts = words[place], words[place + 2], words[place + 4]
    if not all(map(str.isdecimal, parts)) or [len(part) for part in parts] != [4, 2, 2]:
        return None
    year, month, day = map(int, parts)
    if not (year and 1 <= month <= 12 and 1 <= day <= days_in(year, month)):
        return None
    return _make_date(tokens, (year, month, day), place, place + 5), place + 5


def _day_range(tokens: NumberTokens, place: int) -> tuple[Period, int] | None:
    """Read "24–26 July 2020"."""
    day = _day(tokens, place)
    if day is None or tokens.lower[day[1]] not in _RANGE_SIGNS or _day(tokens, day[1] + 1) is None:
        return None
    last = _date(tokens, day[1] + 1)
    if last is None or day[0] >= last[0].day:
        return None
    first = _make_date(tokens, (last[0].year, last[0].month, day[0]), place, day[1])
    return _period(tokens, first, last[0]), last[1]


def _date(tokens: NumberTokens, place: int) -> tuple[Date, int] | None:
    if tokens.lower[place] in SEASONS:
        return _season(tokens, place)
    month = _month(tokens, place)
    return _day_first(tokens, place) if month is None else _month_first(tokens, place, *month)


def _month_first(tokens: NumberTokens, place: int, month: int, at: int) -> tuple[Date, int] | None:
    """Read "May 4, 2018", "May 4", "March 1999", "in May"."""
    day = _day(tokens, at + (tokens.lower[at] == "the"))
    if day is not None and not (tokens.digits[at] and tokens.lower[day[1]] in ("%", "percent", "million", "billion")):
        year, end = _year(tokens, day[1])
        if day[0] <= days_in(year, month):
            return _make_date(tokens, (year, month, day[0]), place, end), end
    year, end = _year(tokens, at)
    opens = tokens.words[at] in DASHES and _month(tokens, at + 1) is not None
    if year or opens or (place and tokens.lower[place - 1] in _DATE_PREPOSITIONS and tokens.words[place][0].isupper()):
        return _make_date(tokens, (year, month, 0), place, end), end
    return None


def _day_first(tokens: NumberTokens, place: int) -> tuple[Date, int] | None:
    """Read "4 May 2018", "4th of May", "4 May"."""
    day = _day(tokens, place)
    month = _month(tokens, day[1] + (tokens.lower[day[1]] == "of")) if day else None
    if day is None or month is None:
        return None
    year, end = _year(tokens, month[1])
    return (_make_date(tokens, (year, month[0], day[0]), place, end), end) if day[0] <= days_in(year, month[0]) else None


def _season(tokens: NumberTokens, place: int) -> tuple[Date, int] | None:
    """Read "summer of 1995", "late 1995", "mid-1995", "early May 1995"; not "late 1990s"."""
    at = place + 1 + (tokens.words[place + 1] in ("-", ",") or tokens.lower[place + 1] == "of")
    month = _month(tokens, at)
    number, end = _year(tokens, month[1] if month else at, bare=not month)
    if not number or (tokens.touches(end) and tokens.lower[end] in ("s", "-")):
        return None
    season = tokens.words[place] if month is None else ""
    return _make_date(tokens, (number, month[0] if month else 0, 0), place if season else at, end, season), end


def is_year(tokens: NumberTokens, place: int, number: Number, end: int) -> bool:
    """Return whether a number without a unit, from the token at `place` to that before `end`, is taken for a year."""
    if number.yearly or (place and tokens.words[place - 1] in ("AD", "CE") and number.whole and number.value < 10000):
        return True
    if not (number.whole and tokens.ends[number.end - 1] - tokens.starts[place] == 4 and 1000 <= number.value <= 2100):
        return False
    before, behind = tokens.lower[place - 1] if place else "", tokens.lower[end]
    plural = len(behind) > 2 and behind.isalpha() and behind.endswith("s") and not behind.endswith(("us", "ss", "is"))
    if behind in _COUNTED_NOUNS or (plural and behind not in _NO_PLURALS and tokens.words[end].islower()):
        return not tokens.touches(end) and before in _YEARLY_BEFORE
    return before not in ("no", "number", "#")
