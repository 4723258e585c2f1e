"""What the main clause of a question asks for: a year, a date, a number of something, a place in an order, or a name."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import starmap
from typing import NamedTuple


class AnswerType(StrEnum):
    """What sort of thing answers a question."""

    CENTURY = "century"
    DECADE = "decade"
    YEAR = "year"
    MONTH = "month"
    WEEKDAY = "weekday"
    DATE = "date"
    TIME = "time"
    MONEY = "money"
    PERCENT = "percent"
    RANK = "rank"
    NUMBER = "number"
    AGE = "age"
    DIFFERENCE = "difference"
    NAME = "name"
    WHETHER = "whether"


DATE_TYPES = frozenset(
    {AnswerType.CENTURY, AnswerType.DECADE, AnswerType.YEAR, AnswerType.MONTH, AnswerType.WEEKDAY, AnswerType.DATE}
)
NUMBER_TYPES = frozenset({AnswerType.NUMBER, AnswerType.MONEY, AnswerType.PERCENT, AnswerType.RANK, AnswerType.AGE})


class AnswerTypePattern(NamedTuple):
    """A form of main clause, what it asks for, and an example."""

    answer_type: AnswerType
    example: str
    pattern: str


_WH = r"(?:what|which)"
_WHAT_WOULD = r"what would (?:have been |be )?"
_PLACES = (
    r"(?:number|position|place|rank|ranking|spot|round|pick|seed|season|series|episode|issue|volume|edition|grade|generation)"
)
_PLACE_OF = r"(?:position|rank|ranking|place|finish|spot|(?:episode|issue|channel|season|atomic|jersey) number)"
_COMPARED = r"(?:more|fewer|less|\w+ (?:taller|shorter|longer|more|fewer))"
_RANKS = r"(?:rank|ranked|place|placed|finish|finished|chart|charted|peaked)"
_MONEY = (
    r"(?:how much (?:money|would)|cost|price|dollars?|euros?|pounds?(?! of)|budget|revenue|salary|fee|earned|paid|donat\w+|worth|"
    r"gross\w*|sum|prize|profit|fine|debt)"
)
_MEASURES = (
    r"(?:number|count|total|tally|score|amount|length|height|width|depth|weight|mass|size|area|capacity|population|distance|"
    r"duration|diameter|speed|altitude|elevation|attendance|quantity|rate|horsepower|measure(?:ment)?|strength|radius|limit|"
    r"age|temperature|margin|record|wins|period|term|span|figure|volume|audience|share|density|visitors?|ratio)"
)
_YEAR = rf"\b{_WHAT_WOULD}(?:\S+ ){{1,9}}?(?<!that )(?<!same )year\b(?! length)|\bbirth year\b|\bthe year of\b|\byear would\b"
_EARLIER = r"(?:earlier|later|sooner|fewer|older|younger)"
_HOW_MEASURED = r"\bhow (?:long|far|tall|high|wide|deep|heavy|big|large|fast|thick)\b"
_ROWS = (
    (AnswerType.WEEKDAY, "on which day of the week would it have fallen", rf"\b{_WH} (?:day of the week|weekday)\b"),
    (AnswerType.DECADE, "in which decade would it have appeared", rf"\b(?:{_WH}|the) (?:\w+ )?decade\b"),
    (AnswerType.CENTURY, "in which century would it have been built", rf"\b(?:{_WH}|the) (?:\w+ )?century\b"),
    (AnswerType.DIFFERENCE, "what would be the gap between the ends", r"\b(?:difference|gap|distance in time) between\b"),
    (AnswerType.DIFFERENCE, "how many years later would it have been", rf"\bhow (?:many|much) (?:\w+ )?{_EARLIER}\b"),
    (AnswerType.DIFFERENCE, "how many more votes than B would A get", rf"\bhow (?:many|much) {_COMPARED}\b.*\bthan\b"),
    (AnswerType.RANK, "which season would mark her debut", rf"\b{_WH} (?:\w+ )?{_PLACES}\b(?! of)"),
    (AnswerType.RANK, "what would be its peak position", rf"\b{_WHAT_WOULD}(?:\S+ ){{1,6}}?{_PLACE_OF}\b"),
    (AnswerType.RANK, "where would it have ranked", rf"\b(?:where|how high|how)\b.*\b{_RANKS}\b"),
    (AnswerType.YEAR, "in which year would it have opened", rf"\b{_WH} (?:\w+ )?year\b|{_YEAR}"),
    (AnswerType.MONTH, "in which month would it have been released", rf"\b{_WH} (?:\w+ )?month\b|\bmonth would\b"),
    (
        AnswerType.DATE,
        "what would have been its new release date",
        rf"\b{_WH} (?:exact |specific )?(?:date|day)\b|\b{_WHAT_WOULD}(?:\S+ ){{1,9}}?(?:date|day)\b|\bdate\b",
    ),
    (
        AnswerType.TIME,
        "at what time would it have started",
        rf"\b{_WH} (?:\w+ )?(?:time|hour)\b(?! zone| period| frame| difference| span)",
    ),
    (AnswerType.AGE, "how old would she have been", r"\bhow old\b|\b(?:what|the|their|his|her|its) (?:\w+ ){0,2}age\b"),
    (AnswerType.NUMBER, "how long would it have lasted", _HOW_MEASURED),
    (AnswerType.PERCENT, "what would the new percentage be", r"\b(?:percent|percentage)\b"),
    (AnswerType.MONEY, "what would have been the total cost", rf"\b{_MONEY}\b"),
    (AnswerType.NUMBER, "how many countries would there have been", r"\bhow (?:many|much)\b"),
    (AnswerType.DATE, "when would it have opened", r"\b(?:when|until when|since when)\b"),
    (
        AnswerType.NUMBER,
        "what would be its number of members",
        rf"\b(?:what|the|its|their|his|her) (?:\S+ ){{0,5}}?{_MEASURES}\b",
    ),
    (AnswerType.NAME, "who would have won", r"\b(?:who|whom|whose|what|which|where)\b"),
    (AnswerType.WHETHER, "would it still have opened", r"^(?:would|could|will|should|is|are|was|were|did|does|do|can)\b"),
)
ANSWER_TYPE_PATTERNS = tuple(starmap(AnswerTypePattern, _ROWS))
"""Forms of main clause, the first that fits tells."""


_AUXILIARY = r"(?:would|could|will|is|was|were|are|did|does|do|has|had|might|should)"
_NOUN = re.compile(rf"(?i)^(?:\w+ ){{0,2}}?(?:what|which)\s+(?P<noun>(?!{_AUXILIARY}\b)\S.*?)\s+{_AUXILIARY}\b")
_PERSON = re.compile(r"(?i)^(?:\w+ ){0,2}?(?:who|whom|whose)\b")
_MEASURE = re.compile(r"(?i)\bhow (?:many|much|long|far|old|tall)\b")


def answer_type_of(main: str) -> AnswerType:
    """Return what a main clause asks for: the first form of the table that fits.

    "Which NOUN" asks for what the noun says, whatever comes behind; "who" for a name.
    """
    if _PERSON.search(main):
        return AnswerType.NAME
    noun = _NOUN.search(main)
    text = main
    if noun is not None and not _MEASURE.search(main):
        text = f"what {noun['noun']} would"
        head = noun["noun"].split()
        if "of" in head[1:] and head[-1] != "week":
            text = f"what {' '.join(head[: head.index('of', 1)])} would"
    for row in ANSWER_TYPE_PATTERNS:
        if re.search(row.pattern, text, re.IGNORECASE):
            return row.answer_type
    return AnswerType.NAME
