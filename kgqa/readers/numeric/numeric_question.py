"""The parser of numeric questions: the operation, and the phrases that name its operands."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from graph.text.pattern_tables import read_pattern_table
from kgqa.quantities.units import unit_of

LONGEST_QUESTION = 400
"""A question of more characters is not looked at."""


class NumericOperation(StrEnum):
    """What is done with the numbers of a passage."""

    COMPLEMENT = "complement"
    DIFFERENCE = "difference"
    SUM = "sum"
    ELAPSED = "elapsed"
    CHOICE = "choice"
    ORDER = "order"
    EXTREME = "extreme"
    FILTER = "filter"
    COUNT = "count"
    CHANGE = "change"
    COMPARED = "compared"
    AGE = "age"
    DATE = "date"
    HOLDER = "holder"


@dataclass(frozen=True, slots=True)
class NumericQuestion:
    """An operation with its phrases: `first` and `second` are the two sides, each one phrase or several that are added up.

    `unit` is the unit or the noun that is asked for ("percent", "years", "yards"); `least` asks for the smaller, the earlier,
    or what is below; `rank` is 2 for the second largest; `bound` is a number or a superlative as the question has it; `noun` is
    what kind of thing is wanted.
    """

    operation: NumericOperation
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    unit: str = ""
    least: bool = False
    rank: int = 1
    bound: str = ""
    noun: str = ""


class NumericForm(NamedTuple):
    """A form of question: its operation, its pattern, and a question that has it."""

    operation: NumericOperation
    pattern: re.Pattern[str]
    example: str


_LESS_WORDS = frozenset(
    "fewer less lower smaller shorter younger least fewest smallest lowest shortest first earlier earliest under below".split()
)
_RANKS = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}
NUMERIC_CUES = {name: re.compile(pattern) for name, pattern, _ in read_pattern_table(Path(__file__).with_name("cues.tsv"))}
"""The longer patterns of numeric questions and of passages, by their names in cues.tsv, each with an example there."""
_UNIT = NUMERIC_CUES["unit"]
_CONJUNCTION = NUMERIC_CUES["conjunction"]
"""What joins phrases; "between 18 and 24" and "65 and older" are one."""
_ADDITION = re.compile(r"\b(?:combined|together|and)\b", re.IGNORECASE)
_COMBINATION = re.compile(r"\b(?:combined|together|total)\b", re.IGNORECASE)
_TRAILING = re.compile(r"\b(?:combined|together|altogether|in all|in total|either|both)\b", re.IGNORECASE)
_LEADING = NUMERIC_CUES["leading words"]
"""What stands before an option and is none of it."""
_CLOSING = re.compile(r"(?:,? \(?years? olds?\)?| year-olds)$", re.IGNORECASE)
_COUNTED_PEOPLE = re.compile(
    r"^(?:of )?(?:the )?(?:people|residents)\b ?(?=\d|under|over|between|aged)|^of (?=\d)", re.IGNORECASE
)
_PLACED = re.compile(r" (?:people |living )?in (?:[A-Z]|the |\d{4}).*$")
"""What stands behind the last option and says of both where or when."""
_INSIDE = re.compile(r".*\b(?:in|of|from|at) (.+)$", re.IGNORECASE)
"""What stands behind the last "in" or "of" of an option."""
_OPENING = NUMERIC_CUES["opening"]
_LEADING_PREPOSITION = re.compile(r"^(?:for|over|during|about|within) (?=how\b)", re.IGNORECASE)
_ASKED_UNIT = re.compile(r"(?:by )?how (?:many|much) (\w+)|.*?\bin (\w+)$", re.IGNORECASE)
_TAIL = NUMERIC_CUES["tail"]
"""What stands behind the phrases of a sum, and is of none."""


@cache
def numeric_forms() -> tuple[NumericForm, ...]:
    """Return the forms of numeric questions, in the order in which they are tried."""
    text = resources.files("kgqa.readers.numeric").joinpath("forms.toml").read_text(encoding="utf-8")
    return tuple(
        NumericForm(NumericOperation(row["operation"]), re.compile(f"{''.join(row['pattern'])}$", re.IGNORECASE), row["example"])
        for row in tomllib.loads(text)["form"]
    )


def parse_numeric_question(question: str) -> NumericQuestion | None:
    """Return the parse of a numeric question, or `None` for any other question."""
    if len(question) > LONGEST_QUESTION:
        return None
    text = _LEADING_PREPOSITION.sub("", " ".join(question.split()).rstrip(" ?."))
    for form in numeric_forms():
        if match := form.pattern.match(text):
            groups = {name: (value or "").strip(" ,:") for name, value in match.groupdict().items()}
            if parsed := _build_question(form.operation, groups, text):
                return parsed
    return None


def _build_question(operation: NumericOperation, groups: dict[str, str], text: str) -> NumericQuestion | None:
    word, first, second = groups.get("word", "").lower(), groups.get("first", ""), groups.get("second", "")
    unit = groups.get("unit", "").lower() or _named_unit(text)
    asks_less, noun = word.split(" ")[0] in _LESS_WORDS or word == "at most", groups.get("noun", "").lower()
    phrase = f"{groups.get('head', '')} {first}"
    left = phrase.strip()
    if operation in (NumericOperation.AGE, NumericOperation.DATE, NumericOperation.HOLDER):
        return NumericQuestion(operation, (first,), tuple(filter(None, (second,))), groups.get("unit", "").lower())
    if operation is NumericOperation.COMPLEMENT:
        return NumericQuestion(operation, _split_phrases(first), unit="percent") if first else None
    if operation is NumericOperation.DIFFERENCE:
        left_side = _side_phrases(left) if _COMBINATION.search(left) else (left,)
        return NumericQuestion(operation, left_side, _side_phrases(second), unit, asks_less, noun=word)
    if operation in (NumericOperation.CHOICE, NumericOperation.ORDER):
        if operation is NumericOperation.CHOICE:
            options = _options(first, second)
        else:
            asks_less = word in ("first", "earlier", "earliest")
            options = _LEADING.sub("", first).strip(" /,"), _LEADING.sub("", second).strip(" /,")
        noun = f"{noun} {word} {groups.get('tail', '')}".lower().strip()
        return NumericQuestion(operation, options[:1], options[1:], unit, asks_less, noun=noun) if all(options) else None
    if operation is NumericOperation.EXTREME:
        rank = _RANKS.get(groups.get("rank", "").lower(), 1)
        phrase = " ".join(f"{groups.get('head', '')} {word} {first}".split())
        return NumericQuestion(operation, (phrase,), (), unit, asks_less, rank, word, noun)
    if operation is NumericOperation.FILTER:
        return NumericQuestion(operation, (text,), (), unit, asks_less, bound=groups["bound"], noun=f"{noun} {word}")
    if operation is NumericOperation.SUM:
        return _sum_question(groups, unit)
    if operation is NumericOperation.CHANGE:
        since, until = (tuple(filter(None, (groups.get(name),))) for name in ("since", "until"))
        return NumericQuestion(operation, since, until, unit, noun=f"{first} {groups['head']} {groups['tail']}")
    measure = unit_of(unit) if unit else None
    if operation is NumericOperation.ELAPSED and measure is not None and measure.measures == "length":
        return NumericQuestion(NumericOperation.COMPARED, (first,), (), unit)
    if operation is NumericOperation.ELAPSED:
        return NumericQuestion(operation, (left,), (second,) if second else (), groups.get("unit", "").lower(), noun=word)
    return NumericQuestion(operation, (first,), (), unit)


def _named_unit(text: str) -> str:
    """Return the unit that a question names, empty where it names none."""
    if match := _UNIT.search(text):
        return "percent" if match[0].lower() in ("percentage", "%") else match[0].lower()
    match = _ASKED_UNIT.match(text)
    unit = (match[1] or match[2]).lower() if match else ""
    return unit if unit_of(unit) else ""


def _sum_question(groups: dict[str, str], unit: str) -> NumericQuestion | None:
    """Return a sum of the numbers of several phrases, or of as many as a phrase counts; `None` where there is one phrase."""
    phrase = f"{groups.get('head', '')} {groups['first']}"
    if groups.get("count"):
        return NumericQuestion(NumericOperation.SUM, (groups["first"],), (), unit, bound=groups["count"].lower())
    phrases = _split_phrases(_TAIL.sub("", phrase))
    if len(phrases) < 2 and groups.get("word"):
        phrases = _split_phrases(_OPENING.sub("", phrase))
    inside = _INSIDE.match(phrases[0]) if len(phrases) > 1 and len(phrases[1].split()) < 4 else None
    if inside is not None:
        phrases = (inside[1], *phrases[1:])
    return NumericQuestion(NumericOperation.SUM, phrases, (), unit) if len(phrases) > 1 else None


def _split_phrases(phrase: str) -> tuple[str, ...]:
    pieces = (piece.strip(" ,") for piece in _CONJUNCTION.split(_TRAILING.sub("", phrase)))
    return tuple(piece for piece in pieces if piece)


def _side_phrases(phrase: str) -> tuple[str, ...]:
    """Return the phrases of one side of a difference: several where they are added up."""
    several = _split_phrases(phrase) if _ADDITION.search(phrase) else ()
    return several if len(several) > 1 else (phrase,)


def _options(first: str, second: str) -> tuple[str, str]:
    """Return the two things that a question puts beside one another, without what belongs to both: "men in 1990 or 1995"."""
    for _ in range(3):
        first, second = _LEADING.sub("", first), _LEADING.sub("", second)
    inside = _INSIDE.match(first)
    if inside is not None and not inside[1][:1].isdigit() and not _INSIDE.match(second):
        first = _LEADING.sub("", inside[1])
    first, second = (_COUNTED_PEOPLE.sub("", _CLOSING.sub("", option).strip(" /,")) for option in (first, second))
    return first, second if _PLACED.search(first) else _PLACED.sub("", second)
