"""Orders that a question asks for ("the second longest"): which way they go, what they measure, and how a text says it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from kgqa.intervention.passages.words import stem
from kgqa.quantities.spelling import BELOW_HUNDRED, ORDINALS


@dataclass(frozen=True, slots=True)
class Row:
    """A superlative: a pattern, whether it asks for the most, what it measures (any, where empty), and words that say it."""

    pattern: str
    most: bool
    measures: frozenset[str]
    said: str
    example: str


_LENGTH, _TIME = frozenset({"length"}), frozenset({"time", "months"})
ROWS = (
    Row(
        r"longest|farthest|furthest", True, _LENGTH | _TIME, "long length span distance last", "which bridge would be the longest"
    ),
    Row(r"tallest", True, _LENGTH, "tall high height rise", "which tower would be the tallest"),
    Row(r"highest", True, frozenset(), "high height elevation rise tall altitude", "which mountain would be the highest"),
    Row(r"deepest", True, _LENGTH, "deep depth", "which lake would be the deepest"),
    Row(r"widest|broadest", True, _LENGTH, "wide width broad", "which street would be the widest"),
    Row(r"heaviest|most massive", True, frozenset({"mass"}), "weigh weight heavy mass", "which animal would be the heaviest"),
    Row(r"oldest|eldest", True, _TIME, "old age aged live", "who would be the oldest"),
    Row(r"slowest", False, frozenset({"speed"}) | _TIME, "speed time", "which train would be the slowest"),
    Row(r"fastest|quickest", True, frozenset({"speed"}) | _TIME, "speed fast time run ran finish", "who would be the fastest"),
    Row(r"richest|wealthiest|most expensive", True, frozenset({"money"}), "worth cost price", "who would be the richest"),
    Row(r"hottest|warmest", True, frozenset({"temperature"}), "temperature", "which city would be the hottest"),
    Row(r"most populous", True, frozenset({"count"}), "population inhabitant people", "which city would be the most populous"),
    Row(
        r"largest|biggest|greatest|most|leading",
        True,
        frozenset(),
        "area size population inhabitant large",
        "which country would be the largest",
    ),
    Row(
        r"shortest|nearest|closest|narrowest|shallowest",
        False,
        _LENGTH | _TIME,
        "length distance",
        "which river would be the shortest",
    ),
    Row(r"youngest", False, _TIME, "age aged old", "who would be the youngest"),
    Row(r"lightest", False, frozenset({"mass"}), "weigh weight mass", "which car would be the lightest"),
    Row(r"cheapest", False, frozenset({"money"}), "cost price", "which ticket would be the cheapest"),
    Row(r"coldest|coolest", False, frozenset({"temperature"}), "temperature", "which city would be the coldest"),
    Row(r"lowest|smallest|least|fewest", False, frozenset(), "area size population", "which country would be the smallest"),
)
"""The superlatives, the first that a main clause has tells."""


class Order(NamedTuple):
    """What is asked for: the `place` in a row that begins with the most, or with the least."""

    row: Row
    place: int

    def first_is_most(self, measure: str) -> bool:
        """Tell whether the largest value comes first: of times the fastest is the smallest."""
        return self.row.most != (measure in _TIME and re.search("fastest|slowest", self.row.pattern) is not None)

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words with which a text says it."""
        return frozenset(stem(word) for word in self.row.said.split())


_ROWS = tuple(
    (row, re.compile(rf"\b(?:(?P<place>[a-z]+|\d+(?:st|nd|rd|th))[\s-])?(?:{row.pattern})\b", re.IGNORECASE)) for row in ROWS
)
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b", re.IGNORECASE)


def order_of(main: str) -> Order | None:
    """Return the order that a main clause asks for; `None` where it asks for none, for what is not so, or for two."""
    if _DENIED.search(main):
        return None
    found = [(row, match) for row, pattern in _ROWS for match in [pattern.search(main)] if match is not None]
    if not found or len({row.most for row, _ in found}) > 1:
        return None
    row, match = found[0]
    said = (match["place"] or "").lower()
    digits = re.match(r"\d+", said)
    place = int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(said, ""), 1)
    return Order(row, place) if place >= 1 else None
