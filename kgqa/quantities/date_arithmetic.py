"""Arithmetic with dates: shifts by days, months or years, and differences."""

from __future__ import annotations

from kgqa.errors import QuantityInvalid
from kgqa.quantities.quantity import Date

_LENGTHS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FURTHEST = 1_000_000
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
"""The days of the week, in order."""


def is_leap(year: int) -> bool:
    """Tell whether a year has a 29th of February; the year 1 BC is -1, and leap."""
    counted = year if year > 0 else year + 1
    return counted % 4 == 0 and (counted % 100 != 0 or counted % 400 == 0)


def days_in(year: int, month: int) -> int:
    """Return how many days a month has, the most of any year where the year is unknown (0)."""
    return 29 if month == 2 and (year == 0 or is_leap(year)) else _LENGTHS[month]


def day_number(date: Date) -> int:
    """Return the days from the first of March of 1 BC to a day; raises `QuantityInvalid` where the day is unknown.

    The common calendar is carried on before its beginning (Hinnant, "chrono-compatible low-level date algorithms").
    """
    _require_part(date, "day")
    year = _astronomical_year(date.year) - (date.month <= 2)
    era, within = divmod(year, 400)
    of_year = (153 * (date.month + (-3 if date.month > 2 else 9)) + 2) // 5 + date.day - 1
    return era * 146097 + within * 365 + within // 4 - within // 100 + of_year


def weekday(date: Date) -> str:
    """Return the day of the week of a date ("Friday"); raises `QuantityInvalid` where the day is unknown."""
    return WEEKDAYS[(day_number(date) + 2) % 7]


def add_to_date(date: Date, *, years: int = 0, months: int = 0, days: int = 0) -> Date:
    """Return a date as much later, as precise as it was; a negative number is earlier, a month is shortened at its end.

    January 31 a month later is February 28 or 29. Raises `QuantityInvalid` where a date is shifted by a unit that it lacks:
    "March 1999" by days, "4 May" without a year across the end of a year.
    """
    if abs(years) + abs(months) + abs(days) > _FURTHEST * 400:
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


def _date_of_number(number: int) -> Date:
    era, within = divmod(number, 146097)
    year = (within - within // 1460 + within // 36524 - within // 146096) // 365
    of_year = within - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return Date(_calendar_year(year + era * 400 + (month <= 2)), month, of_year - (153 * shifted + 2) // 5 + 1)


def _require_part(date: Date, what: str) -> None:
    missing = not date.year or (what != "year" and not date.month) or (what == "day" and not date.day)
    if what == "month" and date.month and not date.year:
        missing = False
    if missing:
        raise QuantityInvalid(f"'{_date_text(date)}' does not tell the {what}")


def _date_text(date: Date) -> str:
    return date.text or "-".join(str(part) for part in (date.year, date.month, date.day) if part)
