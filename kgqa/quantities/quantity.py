"""The types of numbers, quantities with units, and dates, as they stand in a text."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction


class Sort(StrEnum):
    """What a number counts or names."""

    CARDINAL = "cardinal"
    ORDINAL = "ordinal"
    PERCENT = "percent"
    MONEY = "money"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"
    DURATION = "duration"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that stands at `start` to `end` of a text, with its unit: its exact value, and what it is a number of.

    `unit` is as the text has it ("km", "euros", "$", "%", "years"), and within the span where it stands there. `scale` is the
    power of ten that the text writes as a word ("billion": 9); `value` is already multiplied by it. A range ("five to seven",
    "1996–2003", "the 1970s") has its upper end in `upper`. `about` says that the text hedges it ("almost", "about", "over").
    `spelt` says that it stands in words rather than in digits. A year before Christ is negative, a `CENTURY` is its number, a
    `TIME` the minutes since midnight; a rank "fourth" is the `ORDINAL` 4.
    """

    value: Fraction
    sort: Sort = Sort.CARDINAL
    unit: str = ""
    scale: int = 0
    upper: Fraction | None = None
    about: str = ""
    spelt: bool = False
    text: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True, order=True)
class Date:
    """A day, a month or a year in the common calendar, as precise as the text has it; the years before it are negative.

    A part that the text lacks is 0: "4 May" has no year, "1999" no month. `season` is as the text has it ("summer of 1995",
    "late 1995"). Dates are compared by what they say, not by where they stand.
    """

    year: int
    month: int = 0
    day: int = 0
    season: str = field(default="", compare=False)
    text: str = field(default="", compare=False)
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Period:
    """From a first to a last date, as a text has it ("24 July–9 August 2020")."""

    first: Date
    last: Date
    text: str = ""
    start: int = 0
    end: int = 0
