"""What the main clause of a question asks for: a year, a date, a number of something, a place in an order, or a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class AnswerTypePattern:
    """A form of main clause, what it asks for, and an example."""

    answer_type: AnswerType
    pattern: str
    example: str


_WH = r"(?:what|which)"
ANSWER_TYPE_PATTERNS = (
    AnswerTypePattern(
        AnswerType.WEEKDAY, rf"\b{_WH} (?:day of the week|weekday)\b", "on which day of the week would it have fallen"
    ),
    AnswerTypePattern(AnswerType.DECADE, rf"\b(?:{_WH}|the) (?:\w+ )?decade\b", "in which decade would it have appeared"),
    AnswerTypePattern(AnswerType.CENTURY, rf"\b(?:{_WH}|the) (?:\w+ )?century\b", "in which century would it have been built"),
    AnswerTypePattern(
        AnswerType.DIFFERENCE,
        r"\b(?:difference|gap|distance in time) between\b",
        "what would be the difference between the two ends",
    ),
    AnswerTypePattern(
        AnswerType.DIFFERENCE,
        r"\bhow (?:many|much) (?:\w+ )?(?:earlier|later|sooner|fewer|older|younger)\b",
        "how many years later would it have been",
    ),
    AnswerTypePattern(
        AnswerType.DIFFERENCE,
        r"\bhow (?:many|much) (?:more|fewer|less|\w+ (?:taller|shorter|longer|more|fewer))\b.*\bthan\b",
        "how many more votes than B would A have got",
    ),
    AnswerTypePattern(
        AnswerType.RANK,
        rf"\b{_WH} (?:\w+ )?(?:number|position|place|rank|ranking|spot|round|pick|seed|season|series|"
        rf"episode|issue|volume|edition|grade|generation)\b(?! of)",
        "which season would mark her debut",
    ),
    AnswerTypePattern(
        AnswerType.RANK,
        r"\bwhat would (?:have been |be )?(?:\S+ ){1,6}?(?:position|rank|ranking|place|finish|spot|"
        r"(?:episode|issue|channel|season|atomic|jersey) number)\b",
        "what would be its peak position",
    ),
    AnswerTypePattern(
        AnswerType.RANK,
        r"\b(?:where|how high|how)\b.*\b(?:rank|ranked|place|placed|finish|finished|chart|charted|peaked)\b",
        "where would it have ranked",
    ),
    AnswerTypePattern(
        AnswerType.YEAR,
        rf"\b{_WH} (?:\w+ )?year\b|\bwhat would (?:have been |be )?(?:\S+ ){{1,9}}?(?<!that )(?<!same )year\b(?! length)|"
        rf"\bbirth year\b|\bthe year of\b|\byear would\b",
        "in which year would it have opened",
    ),
    AnswerTypePattern(
        AnswerType.MONTH, rf"\b{_WH} (?:\w+ )?month\b|\bmonth would\b", "in which month would it have been released"
    ),
    AnswerTypePattern(
        AnswerType.DATE,
        rf"\b{_WH} (?:exact |specific )?(?:date|day)\b|\bwhat would (?:have been |be )?(?:\S+ ){{1,9}}?(?:date|day)\b|\bdate\b",
        "what would have been its new release date",
    ),
    AnswerTypePattern(
        AnswerType.TIME,
        rf"\b{_WH} (?:\w+ )?(?:time|hour)\b(?! zone| period| frame| difference| span)",
        "at what time would it have started",
    ),
    AnswerTypePattern(
        AnswerType.AGE, r"\bhow old\b|\b(?:what|the|their|his|her|its) (?:\w+ ){0,2}age\b", "how old would she have been"
    ),
    AnswerTypePattern(
        AnswerType.NUMBER, r"\bhow (?:long|far|tall|high|wide|deep|heavy|big|large|fast|thick)\b", "how long would it have lasted"
    ),
    AnswerTypePattern(AnswerType.PERCENT, r"\b(?:percent|percentage)\b", "what would the new percentage be"),
    AnswerTypePattern(
        AnswerType.MONEY,
        r"\b(?:how much (?:money|would)|cost|price|dollars?|euros?|pounds?(?! of)|budget|revenue|"
        r"salary|fee|earned|paid|donat\w+|worth|gross\w*|sum|prize|profit|fine|debt)\b",
        "what would have been the total cost",
    ),
    AnswerTypePattern(AnswerType.NUMBER, r"\bhow (?:many|much)\b", "how many countries would there have been"),
    AnswerTypePattern(AnswerType.DATE, r"\b(?:when|until when|since when)\b", "when would it have opened"),
    AnswerTypePattern(
        AnswerType.NUMBER,
        r"\b(?:what|the|its|their|his|her) (?:\S+ ){0,5}?(?:number|count|total|tally|score|amount|"
        r"length|height|width|depth|weight|mass|size|area|capacity|population|distance|duration|diameter|"
        r"speed|altitude|elevation|attendance|quantity|rate|horsepower|measure(?:ment)?|strength|radius|limit|"
        r"age|temperature|margin|record|wins|period|term|span|figure|volume|audience|share|density|visitors?|"
        r"ratio)\b",
        "what would have been the total number of members",
    ),
    AnswerTypePattern(AnswerType.NAME, r"\b(?:who|whom|whose|what|which|where)\b", "who would have won"),
    AnswerTypePattern(
        AnswerType.WHETHER, r"^(?:would|could|will|should|is|are|was|were|did|does|do|can)\b", "would it still have opened"
    ),
)
"""Forms of main clause, the first that fits tells."""

_COMPILED_ANSWER_TYPES = tuple((row.answer_type, re.compile(row.pattern, re.IGNORECASE)) for row in ANSWER_TYPE_PATTERNS)
_NOUN = re.compile(
    r"^(?:\w+ ){0,2}?(?:what|which)\s+(?P<noun>(?!would\b|could\b|will\b|is\b|was\b|were\b|are\b|"
    r"did\b|does\b|do\b|has\b|had\b|might\b|should\b)\S.*?)"
    r"\s+(?:would|could|will|is|was|were|are|did|does|do|has|had|might|should)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(r"^(?:\w+ ){0,2}?(?:who|whom|whose)\b", re.IGNORECASE)
_MEASURE = re.compile(r"\bhow (?:many|much|long|far|old|tall)\b", re.IGNORECASE)


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
    return next((answer_type for answer_type, pattern in _COMPILED_ANSWER_TYPES if pattern.search(text)), AnswerType.NAME)
