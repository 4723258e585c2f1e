"""What the main clause of a question asks for: a year, a date, a number of something, a place in an order, or a name."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from graph.text.pattern_tables import read_pattern_table


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
    pattern: str
    example: str


ANSWER_TYPE_PATTERNS = tuple(
    AnswerTypePattern(AnswerType(name), pattern, example)
    for name, pattern, example in read_pattern_table(Path(__file__).with_name("data") / "answer_types.tsv")
)
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
