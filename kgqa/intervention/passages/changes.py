"""What an "if" changes: amounts, by how much, of what, and which way, as the table of forms reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from kgqa.intervention.passages.forms import CHANGE_PATTERNS, ChangeKind, ChangePattern
from kgqa.quantities.spelling import ORDINALS, SCALES, number_from_words


@dataclass(frozen=True, slots=True)
class QuantityChange:
    """A change: by `amount` (signed; a factor for `How.TIMES`) of `unit`, the noun that follows; `text` is how it is said."""

    how: ChangeKind
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
MONEY_PATTERN = re.compile(r"[$€£¥]|\b(?:dollar|euro|pound|cent|yen|rupee|mark|franc|shilling|RMB|yuan)s?\b", re.IGNORECASE)
"""What says that an amount is one of money."""
_LARGE = re.compile(r"\d{4}|thousand|million|billion|trillion|\d,\d", re.IGNORECASE)


def is_large_amount(text: str) -> bool:
    """Tell whether an amount is said with its thousands or millions."""
    return _LARGE.search(text) is not None


TIME_UNITS = frozenset(
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
def _compiled_change_patterns() -> tuple[tuple[ChangePattern, re.Pattern[str]], ...]:
    return tuple((form, re.compile(form.pattern, re.IGNORECASE)) for form in CHANGE_PATTERNS)


def find_changes(clause: str) -> tuple[QuantityChange, ...]:
    """Return the changes that a clause makes, in the order of the table; one that lies in another is left out."""
    results: list[QuantityChange] = []
    for form, pattern in _compiled_change_patterns():
        for match in pattern.finditer(clause):
            made = _change_of_match(form, match)
            if made is not None and not any(
                made.start < earlier_change.end and earlier_change.start < made.end for earlier_change in results
            ):
                results.append(made)
    return tuple(results)


def _change_of_match(form: ChangePattern, match: re.Match[str]) -> QuantityChange | None:
    groups = match.groupdict()
    amount = form.sign
    if groups.get("percent"):
        share = parse_amount(groups["percent"])
        if share is None:
            return None
        amount = 1 + form.sign * share / 100
    elif groups.get("part"):
        amount = _FRACTIONS[groups["part"].lower()]
    elif groups.get("halved"):
        amount = Fraction(1, 2)
    elif groups.get("multiple"):
        multiple_word = groups["multiple"].lower()
        amount = Fraction(next(number for word, number in _MULTIPLES.items() if word.startswith(multiple_word)))
    elif groups.get("n"):
        number = parse_amount(groups["n"])
        if number is None:
            return None
        amount = form.sign * number
    unit = next((groups[name] for name in ("u", "u2", "u3") if groups.get(name)), "").strip()
    unit = re.sub(r"(?i)^centurie$", "century", unit)
    if form.how is ChangeKind.LATER:
        unit = "season" if unit.lower() == "season" else unit.lower().replace("millennia", "millennium")
    return QuantityChange(form.how, amount, unit, match[0].strip(), match.start(), match.end())


def parse_amount(text: str) -> Fraction | None:
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
    number = number_from_words(small)
    return None if number is None else number + (Fraction(1, 2) if half else 0)
