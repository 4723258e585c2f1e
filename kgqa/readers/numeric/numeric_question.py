"""The parser of numeric questions: the operation, and the phrases that name its operands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

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


_LESS_WORDS = frozenset(
    "fewer less lower smaller shorter younger least fewest smallest lowest shortest first earlier earliest under below".split()
)
_UNITS = (
    r"\b(?:percent|percentage|years|months|weeks|days|hours|yards|miles|kilometers|kilometres|km|dollars|points|millions?|billion)\b"
    r"|[%£$€]"
)


def parse_numeric_question(question: str) -> NumericQuestion | None:
    """Return the parse of a numeric question, or `None` for any other question."""
    if len(question) > LONGEST_QUESTION:
        return None
    text = " ".join(question.split()).rstrip(" ?.")
    for form in numeric_forms():
        match = form.pattern.match(text)
        if match is None:
            continue
        groups = {name: (value or "").strip(" ,:") for name, value in match.groupdict().items()}
        made = _build_question(form.operation, groups, text)
        if made is not None:
            return made
    return None


def split_phrases(phrase: str) -> tuple[str, ...]:
    """Return the phrases that a phrase joins by commas, "and" and "or"."""
    cleaned = _trailing().sub("", phrase)
    return tuple(part for part in (piece.strip(" ,") for piece in _conjunctions().split(cleaned)) if part)


def _build_question(operation: NumericOperation, groups: dict[str, str], text: str) -> NumericQuestion | None:
    word, first, second = groups.get("word", "").lower(), groups.get("first", ""), groups.get("second", "")
    unit = groups.get("unit", "").lower() or _unit_of(text)
    asks_less, noun = word.split(" ")[0] in _LESS_WORDS or word == "at most", groups.get("noun", "").lower()
    if operation is NumericOperation.COMPLEMENT:
        return NumericQuestion(operation, split_phrases(first), unit="percent") if first else None
    if operation is NumericOperation.DIFFERENCE:
        left = f"{groups.get('head', '')} {first}".strip()
        return NumericQuestion(
            operation,
            _side_phrases(left, only=_combination().search(left) is not None),
            _side_phrases(second),
            unit,
            asks_less,
            noun=word,
        )
    if operation in (NumericOperation.CHOICE, NumericOperation.ORDER):
        least = asks_less if operation is NumericOperation.CHOICE else word in ("first", "earlier", "earliest")
        first_option, second_option = (
            _options(first, second) if operation is NumericOperation.CHOICE else (_option(first), _option(second))
        )
        return (
            NumericQuestion(
                operation,
                (first_option,),
                (second_option,),
                unit,
                least,
                noun=f"{noun} {word} {groups.get('tail', '')}".lower().strip(),
            )
            if first_option and second_option
            else None
        )
    if operation is NumericOperation.EXTREME:
        rank = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}.get(groups.get("rank", "").lower(), 1)
        return NumericQuestion(operation, (f"{groups.get('head', '')} {first}".strip(),), (), unit, asks_less, rank, word, noun)
    if operation is NumericOperation.FILTER:
        return NumericQuestion(operation, (text,), (), unit, asks_less, bound=groups["bound"], noun=noun)
    if operation is NumericOperation.SUM:
        phrase = f"{groups.get('head', '')} {first}"
        phrases = split_phrases(_tail().sub("", phrase))
        if len(phrases) < 2 and word:
            phrases = split_phrases(_opening().sub("", phrase))
        inside = _inside().match(phrases[0]) if len(phrases) > 1 and len(phrases[1].split()) < 4 else None
        if inside is not None:
            phrases = (inside[1], *phrases[1:])
        return NumericQuestion(operation, phrases, (), unit) if len(phrases) > 1 else None
    if operation is NumericOperation.ELAPSED:
        return NumericQuestion(
            operation,
            (f"{groups.get('head', '')} {first}".strip(),),
            (second,) if second else (),
            groups.get("unit", "").lower(),
            noun=word,
        )
    return NumericQuestion(operation, (first,), (), unit)


def _side_phrases(phrase: str, only: bool = True) -> tuple[str, ...]:
    """Return the phrases of one side of a difference: several where they are added up."""
    several = split_phrases(phrase) if only and _addition().search(phrase) else ()
    return several if len(several) > 1 else (phrase.strip(),)


def _option(phrase: str) -> str:
    return _leading().sub("", phrase.strip()).strip(" /,")


def _options(first: str, second: str) -> tuple[str, str]:
    """Return the two things that a question puts beside one another, without what belongs to both: "men in 1990 or 1995"."""
    first_option, second_option = _leading().sub("", first.strip()), _leading().sub("", second.strip())
    for _ in range(2):
        first_option, second_option = _leading().sub("", first_option), _leading().sub("", second_option)
    inside = _inside().match(first_option)
    if inside is not None and not inside[1][:1].isdigit() and not _inside().match(second_option):
        first_option = _leading().sub("", inside[1])
    return _closing().sub("", first_option).strip(" /,"), _closing().sub("", second_option).strip(" /,")


def _unit_of(text: str) -> str:
    match = _unit_pattern().search(text)
    word = match[0].lower() if match else ""
    return "percent" if word in ("percentage", "%") else word


@dataclass(frozen=True, slots=True)
class NumericForm:
    """A form of question: its operation, its pattern, and a question that has it."""

    operation: NumericOperation
    pattern: re.Pattern[str]
    example: str


@cache
def numeric_forms() -> tuple[NumericForm, ...]:
    """Return the forms of numeric questions, in the order in which they are tried."""
    import tomllib

    text = resources.files("kgqa.readers.numeric").joinpath("forms.toml").read_text(encoding="utf-8")
    return tuple(
        NumericForm(NumericOperation(row["operation"]), re.compile(f"{''.join(row['pattern'])}$", re.IGNORECASE), row["example"])
        for row in tomllib.loads(text)["form"]
    )


@cache
def _unit_pattern() -> re.Pattern[str]:
    return re.compile(_UNITS, re.IGNORECASE)


@cache
def _conjunctions() -> re.Pattern[str]:
    """Find what joins phrases; "between 18 and 24" and "65 and older" are one."""
    return re.compile(
        r"(?<!\b\d\d),? and (?!older|over|under|above|up|younger)|(?<=\d\d) and (?!\d\d\b|older|over|under|above|up|younger)"
        r"|,? or (?!older|over|more|under|above|younger)|, ?(?!\d{3}\b)",
        re.IGNORECASE,
    )


@cache
def _addition() -> re.Pattern[str]:
    return re.compile(r"\b(?:combined|together|and)\b", re.IGNORECASE)


@cache
def _combination() -> re.Pattern[str]:
    return re.compile(r"\b(?:combined|together|total)\b", re.IGNORECASE)


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(r"\b(?:combined|together|altogether|in all|in total|either|both)\b", re.IGNORECASE)


@cache
def _leading() -> re.Pattern[str]:
    """Find what stands before an option and is none of it."""
    return re.compile(
        r"^(?:the ages? of|the|in|from|there|at|on|people|of|by|to|more|between|aged|ages|those|that|an|a|when)"
        r"\s+(?!age\b|\d+ and\b)",
        re.IGNORECASE,
    )


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(r"(?:,? \(?years? olds?\)?| year-olds)$", re.IGNORECASE)


@cache
def _inside() -> re.Pattern[str]:
    """Find what stands behind the last "in" or "of" of an option."""
    return re.compile(r".*\b(?:in|of|from|at) (.+)$", re.IGNORECASE)


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(
        r"^.*?\b(?:are|were|is|was|live in|lived in|reside in|speak|came from|did|do|have|had|has)\b", re.IGNORECASE
    )


@cache
def _tail() -> re.Pattern[str]:
    """Find what stands behind the phrases of a sum, and is of none."""
    return re.compile(
        r"\b(?:are|were|is|was|reside|resided|live|lived|according|reported|there|combined|does|did|do|have|has|had|make|made)\b.*$",
        re.IGNORECASE,
    )
