"""What an "if" changes: amounts, by how much, of what, and which way, as the table of forms reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from kgqa.intervention.passages.forms import FORMS, Form, How
from kgqa.quantities.spelling import ORDINALS, SCALES, number_of


@dataclass(frozen=True, slots=True)
class Change:
    """A change: by `amount` (signed; a factor for `How.TIMES`) of `unit`, the noun that follows; `text` is how it is said."""

    how: How
    amount: Fraction
    unit: str
    text: str
    start: int = 0
    end: int = 0


_FRACTIONS = {
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "fourth": Fraction(1, 4),
    "fifth": Fraction(1, 5),
    "tenth": Fraction(1, 10),
}
_MULTIPLES = {
    "double": 2,
    "twice": 2,
    "twofold": 2,
    "triple": 3,
    "thrice": 3,
    "threefold": 3,
    "treble": 3,
    "quadruple": 4,
    "fourfold": 4,
    "quintuple": 5,
}
MONEY = re.compile(r"[$€£¥]|\b(?:dollar|euro|pound|cent|yen|rupee|mark|franc|shilling|RMB|yuan)s?\b", re.IGNORECASE)
"""What says that an amount is one of money."""
_LARGE = re.compile(r"\d{4}|thousand|million|billion|trillion|\d,\d", re.IGNORECASE)


def is_large(text: str) -> bool:
    """Tell whether an amount is said with its thousands or millions."""
    return _LARGE.search(text) is not None


SPANS = frozenset(
    {
        "second",
        "minute",
        "hour",
        "day",
        "week",
        "fortnight",
        "month",
        "year",
        "decade",
        "century",
        "millennium",
        "season",
        "semester",
    }
)
"""The units that a date can be moved by."""


@cache
def _compiled() -> tuple[tuple[Form, re.Pattern[str]], ...]:
    return tuple((form, re.compile(form.pattern, re.IGNORECASE)) for form in FORMS)


def changes(clause: str) -> tuple[Change, ...]:
    """Return the changes that a clause makes, in the order of the table; one that lies in another is left out."""
    found: list[Change] = []
    for form, pattern in _compiled():
        for match in pattern.finditer(clause):
            made = _change(form, match)
            if made is not None and not any(made.start < one.end and one.start < made.end for one in found):
                found.append(made)
    return tuple(found)


def _change(form: Form, match: re.Match[str]) -> Change | None:
    groups = match.groupdict()
    amount = form.sign
    if groups.get("percent"):
        share = amount_of(groups["percent"])
        if share is None:
            return None
        amount = 1 + form.sign * share / 100
    elif groups.get("part"):
        amount = _FRACTIONS[groups["part"].lower()]
    elif groups.get("halved"):
        amount = Fraction(1, 2)
    elif groups.get("multiple"):
        said = groups["multiple"].lower()
        amount = Fraction(next(number for word, number in _MULTIPLES.items() if word.startswith(said)))
    elif groups.get("n"):
        number = amount_of(groups["n"])
        if number is None:
            return None
        amount = form.sign * number
    unit = next((groups[name] for name in ("u", "u2", "u3") if groups.get(name)), "").strip()
    unit = re.sub(r"(?i)^centurie$", "century", unit)
    if form.how is How.LATER:
        unit = "season" if unit.lower() == "season" else unit.lower().replace("millennia", "millennium")
    return Change(form.how, amount, unit, match[0].strip(), match.start(), match.end())


def amount_of(text: str) -> Fraction | None:
    """Return the number of an amount: "1,500", "twenty-five", "a", "another", "half a", "2.5 million"; `None` for no number."""
    small = " ".join(text.lower().split()).strip("$€£¥ ").removesuffix(" of")
    if small in ("a", "an", "one", "another", "an additional", "an extra"):
        return Fraction(1)
    if small in ("half a", "half an", "a half"):
        return Fraction(1, 2)
    if small in ("a couple", "a dozen"):
        return Fraction(2 if small == "a couple" else 12)
    half = small.endswith(" and a half")
    small = small.removesuffix(" and a half")
    figures = re.fullmatch(r"(\d[\d,]*(?:\.\d+)?)(?:[ -](\w+))?", small)
    if figures is not None:
        digits = figures[1].replace(",", "")
        if len(digits) > 30 or (figures[2] and figures[2] not in SCALES):
            return None
        return Fraction(digits) * Fraction(10) ** int(SCALES.get(figures[2] or "", 0))
    if small in ORDINALS:
        return None
    number = number_of(small)
    return None if number is None else number + (Fraction(1, 2) if half else 0)
