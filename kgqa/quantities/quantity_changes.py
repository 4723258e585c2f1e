"""What an "if" changes: amounts, by how much, of what, and which way, as the forms of data/changes.tsv read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graph.text.pattern_tables import read_pattern_table
from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS, SCALES, number_from_words
from kgqa.quantities.units import CURRENCY_NAMES


class ChangeKind(StrEnum):
    """How a change works on the amount that it finds."""

    LATER = "later"  # A date is moved by a span of time, on (+) or back (-).
    MORE = "more"  # An amount grows (+) or shrinks (-).
    TIMES = "times"  # An amount is multiplied.
    PLACES = "places"  # A place in an order is moved: on (+) or towards the first (-).


class ChangePattern(NamedTuple):
    """One form: its groups n (the amount) and u (its unit), what it does, its sign (+1 or -1), and an example."""

    how: ChangeKind
    sign: int
    pattern: re.Pattern[str]
    example: str


_SPELT = "|".join(sorted((*BELOW_HUNDRED, *SCALES), key=len, reverse=True))


@cache
def change_patterns() -> tuple[ChangePattern, ...]:
    """Return the forms of data/changes.tsv; the earlier of two that overlap applies ("one spot higher" before "a year later")."""
    rows = read_pattern_table(Path(__file__).with_name("data") / "changes.tsv", {"SPELT": _SPELT})
    return tuple(
        ChangePattern(ChangeKind(kind), int(sign), re.compile(pattern, re.IGNORECASE), example)
        for kind, sign, pattern, example in rows
    )


@dataclass(frozen=True, slots=True)
class QuantityChange:
    """A change: by `amount` (signed; a factor for `How.TIMES`) of `unit`, the noun that follows; `text` is how it is said."""

    how: ChangeKind
    amount: Fraction
    unit: str
    text: str
    start: int = 0
    end: int = 0


_PARTS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4)}
_MULTIPLES = ((2, "double twice twofold"), (3, "triple thrice threefold treble"), (4, "quadruple fourfold"), (5, "quintuple"))
_ARTICLE_AMOUNTS = {
    **dict.fromkeys(("a", "an", "one", "another", "an additional", "an extra"), Fraction(1)),
    **dict.fromkeys(("half a", "half an", "a half"), Fraction(1, 2)),
    "a couple": Fraction(2),
    "a dozen": Fraction(12),
}
MONEY_PATTERN = re.compile(rf"[$€£¥]|\b(?:pounds?|marks?|RMB|{'|'.join(sorted(CURRENCY_NAMES))})\b", re.IGNORECASE)
"""What says that an amount is one of money."""
_LARGE = re.compile(r"\d{4}|thousand|million|billion|trillion|\d,\d", re.IGNORECASE)


def is_large_amount(text: str) -> bool:
    """Tell whether an amount is said with its thousands or millions."""
    return _LARGE.search(text) is not None


TIME_UNITS = frozenset("second minute hour day week fortnight month year decade century millennium season semester".split())
"""The units that a date can be moved by."""


def find_changes(clause: str) -> tuple[QuantityChange, ...]:
    """Return the changes that a clause makes, in the order of the table; one that overlaps an earlier one is left out."""
    changes: list[QuantityChange] = []
    for form in change_patterns():
        for match in form.pattern.finditer(clause):
            change = _change_of_match(form, match)
            if change and not any(change.start < earlier.end and earlier.start < change.end for earlier in changes):
                changes.append(change)
    return tuple(changes)


def _change_of_match(form: ChangePattern, match: re.Match[str]) -> QuantityChange | None:
    groups = {name: text for name, text in match.groupdict().items() if text}
    amount: Fraction | None = Fraction(form.sign)
    if "percent" in groups:
        share = parse_amount(groups["percent"])
        amount = None if share is None else 1 + form.sign * share / 100
    elif "part" in groups:
        amount = _PARTS[groups["part"].lower()]
    elif "halved" in groups:
        amount = Fraction(1, 2)
    elif "multiple" in groups:
        stem = f" {groups['multiple'].lower()}"
        amount = Fraction(next(factor for factor, words in _MULTIPLES if stem in f" {words}"))
    elif "n" in groups:
        number = parse_amount(groups["n"])
        amount = None if number is None else form.sign * number
    if amount is None:
        return None
    unit = next((groups[name] for name in ("u", "u2", "u3") if name in groups), "").strip()
    unit = "century" if unit.lower() == "centurie" else unit
    if form.how is ChangeKind.LATER:
        unit = unit.lower().replace("millennia", "millennium")
    return QuantityChange(form.how, amount, unit, match[0].strip(), match.start(), match.end())


def parse_amount(text: str) -> Fraction | None:
    """Return the number of an amount: "1,500", "twenty-five", "a", "another", "half a", "2.5 million"; `None` for no number."""
    small = " ".join(text.lower().split()).strip("$€£¥ ").removesuffix(" of")
    if small in _ARTICLE_AMOUNTS:
        return _ARTICLE_AMOUNTS[small]
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
