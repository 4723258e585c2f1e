"""What a question wants reckoned: the operation, and the phrases that name what goes into it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

LONGEST = 400
"""A question of more characters is not looked at."""


class Operation(StrEnum):
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
class Asked:
    """An operation with its phrases: `first` and `second` are the two sides, each one phrase or several that are added up.

    `unit` is the unit or the noun that is asked for ("percent", "years", "yards"); `least` asks for the smaller, the earlier,
    or what is below; `rank` is 2 for the second largest; `bound` is a number or a superlative as the question has it; `noun` is
    what kind of thing is wanted.
    """

    operation: Operation
    first: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    unit: str = ""
    least: bool = False
    rank: int = 1
    bound: str = ""
    noun: str = ""


_LESS = frozenset(
    "fewer less lower smaller shorter younger least fewest smallest lowest shortest first earlier earliest under below".split()
)
_UNITS = (
    r"\b(?:percent|percentage|years|months|weeks|days|hours|yards|miles|kilometers|kilometres|km|dollars|points|millions?|billion)\b"
    r"|[%£$€]"
)


def asked(question: str) -> Asked | None:
    """Return what a question wants reckoned, or `None` where it is no question of numbers."""
    if len(question) > LONGEST:
        return None
    text = " ".join(question.split()).rstrip(" ?.")
    for form in forms():
        match = form.pattern.match(text)
        if match is None:
            continue
        found = {name: (value or "").strip(" ,:") for name, value in match.groupdict().items()}
        made = _made(form.operation, found, text)
        if made is not None:
            return made
    return None


def parts(phrase: str) -> tuple[str, ...]:
    """Return the phrases that a phrase joins by commas, "and" and "or"."""
    cleaned = _trailing().sub("", phrase)
    return tuple(part for part in (piece.strip(" ,") for piece in _joints().split(cleaned)) if part)


def _made(operation: Operation, found: dict[str, str], text: str) -> Asked | None:
    word, first, second = found.get("word", "").lower(), found.get("first", ""), found.get("second", "")
    unit = found.get("unit", "").lower() or _unit_of(text)
    asks_less, noun = word.split(" ")[0] in _LESS or word == "at most", found.get("noun", "").lower()
    if operation is Operation.COMPLEMENT:
        return Asked(operation, parts(first), unit="percent") if first else None
    if operation is Operation.DIFFERENCE:
        left = f"{found.get('head', '')} {first}".strip()
        return Asked(
            operation, _side(left, only=_joined_up().search(left) is not None), _side(second), unit, asks_less, noun=word
        )
    if operation in (Operation.CHOICE, Operation.ORDER):
        least = asks_less if operation is Operation.CHOICE else word in ("first", "earlier", "earliest")
        one, other = _options(first, second) if operation is Operation.CHOICE else (_option(first), _option(second))
        return (
            Asked(operation, (one,), (other,), unit, least, noun=f"{noun} {word} {found.get('tail', '')}".lower().strip())
            if one and other
            else None
        )
    if operation is Operation.EXTREME:
        rank = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4}.get(found.get("rank", "").lower(), 1)
        return Asked(operation, (f"{found.get('head', '')} {first}".strip(),), (), unit, asks_less, rank, word, noun)
    if operation is Operation.FILTER:
        return Asked(operation, (text,), (), unit, asks_less, bound=found["bound"], noun=noun)
    if operation is Operation.SUM:
        phrase = f"{found.get('head', '')} {first}"
        phrases = parts(_tail().sub("", phrase))
        if len(phrases) < 2 and word:
            phrases = parts(_opening().sub("", phrase))
        inside = _inside().match(phrases[0]) if len(phrases) > 1 and len(phrases[1].split()) < 4 else None
        if inside is not None:
            phrases = (inside[1], *phrases[1:])
        return Asked(operation, phrases, (), unit) if len(phrases) > 1 else None
    if operation is Operation.ELAPSED:
        return Asked(
            operation,
            (f"{found.get('head', '')} {first}".strip(),),
            (second,) if second else (),
            found.get("unit", "").lower(),
            noun=word,
        )
    return Asked(operation, (first,), (), unit)


def _side(phrase: str, only: bool = True) -> tuple[str, ...]:
    """Return the phrases of one side of a difference: several where they are added up."""
    several = parts(phrase) if only and _added().search(phrase) else ()
    return several if len(several) > 1 else (phrase.strip(),)


def _option(phrase: str) -> str:
    return _leading().sub("", phrase.strip()).strip(" /,")


def _options(first: str, second: str) -> tuple[str, str]:
    """Return the two things that a question puts beside one another, without what belongs to both: "men in 1990 or 1995"."""
    one, other = _leading().sub("", first.strip()), _leading().sub("", second.strip())
    for _ in range(2):
        one, other = _leading().sub("", one), _leading().sub("", other)
    inside = _inside().match(one)
    if inside is not None and not inside[1][:1].isdigit() and not _inside().match(other):
        one = _leading().sub("", inside[1])
    return _closing().sub("", one).strip(" /,"), _closing().sub("", other).strip(" /,")


def _unit_of(text: str) -> str:
    match = _unit_pattern().search(text)
    word = match[0].lower() if match else ""
    return "percent" if word in ("percentage", "%") else word


@dataclass(frozen=True, slots=True)
class Form:
    """A form of question: its operation, its pattern, and a question that has it."""

    operation: Operation
    pattern: re.Pattern[str]
    example: str


@cache
def forms() -> tuple[Form, ...]:
    """Return the forms of questions that numbers are reckoned for, in the order in which they are tried."""
    import tomllib

    text = resources.files("kgqa.reading.reckoning").joinpath("forms.toml").read_text(encoding="utf-8")
    return tuple(
        Form(Operation(row["operation"]), re.compile(f"{''.join(row['pattern'])}$", re.IGNORECASE), row["example"])
        for row in tomllib.loads(text)["form"]
    )


@cache
def _unit_pattern() -> re.Pattern[str]:
    return re.compile(_UNITS, re.IGNORECASE)


@cache
def _joints() -> re.Pattern[str]:
    """Find what joins phrases; "between 18 and 24" and "65 and older" are one."""
    return re.compile(
        r"(?<!\b\d\d),? and (?!older|over|under|above|up|younger)|(?<=\d\d) and (?!\d\d\b|older|over|under|above|up|younger)"
        r"|,? or (?!older|over|more|under|above|younger)|, ?(?!\d{3}\b)",
        re.IGNORECASE,
    )


@cache
def _added() -> re.Pattern[str]:
    return re.compile(r"\b(?:combined|together|and)\b", re.IGNORECASE)


@cache
def _joined_up() -> re.Pattern[str]:
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
