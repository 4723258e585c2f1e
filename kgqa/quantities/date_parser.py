"""The parser of dates: days, months, seasons, and periods between two dates."""

from __future__ import annotations

from dataclasses import replace

from kgqa.quantities.date_arithmetic import days_in
from kgqa.quantities.numbers import NumberTokens, number_at
from kgqa.quantities.quantity import Date, Period

MONTHS = "January February March April May June July August September October November December".split()
"""The months, in order."""
_SHORT = {name[:3]: place for place, name in enumerate(MONTHS, 1)} | {"Sept": 9}
_MONTHS = {name: place for place, name in enumerate(MONTHS, 1)} | _SHORT
MONTH_NAMES = frozenset(name.lower() for name in _MONTHS)
"""What a month can be called, short or long; in lower case."""
SEASONS = frozenset({"spring", "summer", "autumn", "fall", "winter", "early", "mid", "late"})
"""The words that stand before a year and name a part of it."""
_DASHES = {"-", "–", "—", "to", "until", "till", "through"}
_DATE_PREPOSITIONS = frozenset(
    "in since until till by from during of last next early late mid before after to between and the".split()
)
_ERAS = {"bc": -1, "bce": -1, "ad": 1, "ce": 1}


def date_at(tokens: NumberTokens, place: int) -> tuple[Date | Period, int] | None:
    """Return the date or the period that starts at a token, and the place after it; `None` where none does.

    A year alone is read as a quantity, not here. "24–26 July 2020", "24 July–9 August 2020" and "March–May 1999" are periods.
    """
    first = _iso_date(tokens, place) or _day_range(tokens, place) or _date(tokens, place)
    if first is None:
        return None
    date, end = first
    opened_by = place > 0 and tokens.lower[place - 1] == "between" and tokens.lower[end] == "and"
    if isinstance(date, Period) or not date.month or (tokens.lower[end] not in _DASHES and not opened_by):
        return first
    second = _day_range(tokens, end + 1) or _date(tokens, end + 1)
    if second is None or isinstance(second[0], Period):
        inside = _day(tokens, end + 1) if date.day and tokens.lower[end] in ("-", "–", "—") else None
        return first if inside is None else _close_period(tokens, date, inside) or first
    last = second[0]
    if bool(last.day) != bool(date.day):
        return first
    opened = date if date.year or not last.year else replace(date, year=last.year)
    closing = last if last.year or not opened.year else replace(last, year=opened.year)
    if opened.year > closing.year or (opened.year == closing.year and opened > closing):
        return first
    return _period(tokens, opened, closing), second[1]


def _close_period(tokens: NumberTokens, date: Date, inside: tuple[int, int]) -> tuple[Period, int] | None:
    """Read the end of "July 24–26, 2020", whose year stands behind the last day."""
    day, end = inside
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
    month = _MONTHS.get(tokens.words[place])
    if month is None and tokens.words[place].isupper():
        month = _MONTHS.get(tokens.words[place].capitalize())
    if month is None:
        return None
    dotted = tokens.lower[place] in ("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec")
    return month, place + 1 + (dotted and tokens.words[place + 1] == ".")


def _day(tokens: NumberTokens, place: int) -> tuple[int, int] | None:
    """Read a day of a month: "4", "4th", "fourth"."""
    word = tokens.words[place]
    if tokens.digits[place]:
        if len(word) > 2 or not 1 <= int(word) <= 31 or (tokens.lower[place + 1] == ":" and tokens.touches(place + 1)):
            return None
        return int(word), place + 1 + (tokens.lower[place + 1] in ("st", "nd", "rd", "th") and tokens.touches(place + 1))
    number = number_at(tokens, place)
    if number is None or not number.ordinal or not 1 <= number.value <= 31:
        return None
    return int(number.value), number.end


def _year(tokens: NumberTokens, place: int, bare: bool = False) -> tuple[int, int]:
    """Read a year behind a month or a day, 0 where there is none: "2018", ", 2018", "44 BC"; with `bare`, without a comma."""
    at = place + (tokens.words[place] == "," and not bare)
    at += tokens.lower[at] == "of" and at == place
    if not (tokens.digits[at] and tokens.words[at].isdecimal() and len(tokens.words[at]) <= 4):
        return 0, place
    year = int(tokens.words[at])
    era = _ERAS.get(tokens.lower[at + 1], 0)
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
    first = _day(tokens, place)
    if first is None or tokens.lower[first[1]] not in _DASHES:
        return None
    second = _day(tokens, first[1] + 1)
    if second is None:
        return None
    date = _date(tokens, first[1] + 1)
    if date is None or not date[0].day or first[0] >= date[0].day:
        return None
    opened = _make_date(tokens, (date[0].year, date[0].month, first[0]), place, first[1])
    return _period(tokens, opened, date[0]), date[1]


def _date(tokens: NumberTokens, place: int) -> tuple[Date, int] | None:
    if tokens.lower[place] in SEASONS:
        return _season(tokens, place)
    month = _month(tokens, place)
    return _day_first(tokens, place) if month is None else _month_first(tokens, place, *month)


def _month_first(tokens: NumberTokens, place: int, month: int, at: int) -> tuple[Date, int] | None:
    """Read "May 4, 2018", "May 4", "March 1999", "in May"."""
    the = tokens.lower[at] == "the"
    day = _day(tokens, at + the)
    if day is not None and not (tokens.digits[at] and tokens.lower[day[1]] in ("%", "percent", "million", "billion")):
        year, end = _year(tokens, day[1])
        if day[0] <= days_in(year, month):
            return _make_date(tokens, (year, month, day[0]), place, end), end
    year, end = _year(tokens, at)
    opens = tokens.words[at] in ("-", "–", "—") and _month(tokens, at + 1) is not None
    if year or opens or (place and tokens.lower[place - 1] in _DATE_PREPOSITIONS and tokens.words[place][0].isupper()):
        return _make_date(tokens, (year, month, 0), place, end), end
    return None


def _day_first(tokens: NumberTokens, place: int) -> tuple[Date, int] | None:
    """Read "4 May 2018", "4th of May", "4 May"."""
    day = _day(tokens, place)
    if day is None:
        return None
    at = day[1] + (tokens.lower[day[1]] == "of")
    month = _month(tokens, at)
    if month is None:
        return None
    year, end = _year(tokens, month[1])
    if day[0] > days_in(year, month[0]):
        return None
    return _make_date(tokens, (year, month[0], day[0]), place, end), end


def _season(tokens: NumberTokens, place: int) -> tuple[Date, int] | None:
    """Read "summer of 1995", "late 1995", "mid-1995", "early May 1995"; not "late 1990s"."""
    at = place + 1 + (tokens.words[place + 1] in ("-", ",") or tokens.lower[place + 1] == "of")
    month = _month(tokens, at)
    number, end = _year(tokens, month[1] if month else at, bare=not month)
    if not number or (tokens.touches(end) and tokens.lower[end] in ("s", "-")):
        return None
    season = tokens.words[place] if month is None else ""
    return _make_date(tokens, (number, month[0] if month else 0, 0), place if season else at, end, season), end
