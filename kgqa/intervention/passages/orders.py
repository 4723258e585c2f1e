"""Orders that a question asks for ("the second longest"): which way they go, what they measure, and how a text says it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from kgqa.intervention.passages.words import passage_stem
from kgqa.quantities.spelling import BELOW_HUNDRED, ORDINALS


@dataclass(frozen=True, slots=True)
class SuperlativePattern:
    """A superlative: a pattern, whether it asks for the most, what it measures (any, where empty), and words that say it."""

    pattern: str
    most: bool
    measures: frozenset[str]
    cue_words: str
    example: str


_LENGTH, _TIME = frozenset({"length"}), frozenset({"time", "months"})
SUPERLATIVE_PATTERNS = (
    SuperlativePattern(
        r"longest|farthest|furthest", True, _LENGTH | _TIME, "long length span distance last", "which bridge would be the longest"
    ),
    SuperlativePattern(r"tallest", True, _LENGTH, "tall high height rise", "which tower would be the tallest"),
    SuperlativePattern(
        r"highest", True, frozenset(), "high height elevation rise tall altitude", "which mountain would be the highest"
    ),
    SuperlativePattern(r"deepest", True, _LENGTH, "deep depth", "which lake would be the deepest"),
    SuperlativePattern(r"widest|broadest", True, _LENGTH, "wide width broad", "which street would be the widest"),
    SuperlativePattern(
        r"heaviest|most massive", True, frozenset({"mass"}), "weigh weight heavy mass", "which animal would be the heaviest"
    ),
    SuperlativePattern(r"oldest|eldest", True, _TIME, "old age aged live", "who would be the oldest"),
    SuperlativePattern(r"slowest", False, frozenset({"speed"}) | _TIME, "speed time", "which train would be the slowest"),
    SuperlativePattern(
        r"fastest|quickest", True, frozenset({"speed"}) | _TIME, "speed fast time run ran finish", "who would be the fastest"
    ),
    SuperlativePattern(
        r"richest|wealthiest|most expensive", True, frozenset({"money"}), "worth cost price", "who would be the richest"
    ),
    SuperlativePattern(r"hottest|warmest", True, frozenset({"temperature"}), "temperature", "which city would be the hottest"),
    SuperlativePattern(
        r"most populous", True, frozenset({"count"}), "population inhabitant people", "which city would be the most populous"
    ),
    SuperlativePattern(
        r"largest|biggest|greatest|most|leading",
        True,
        frozenset(),
        "area size population inhabitant large",
        "which country would be the largest",
    ),
    SuperlativePattern(
        r"shortest|nearest|closest|narrowest|shallowest",
        False,
        _LENGTH | _TIME,
        "length distance",
        "which river would be the shortest",
    ),
    SuperlativePattern(r"youngest", False, _TIME, "age aged old", "who would be the youngest"),
    SuperlativePattern(r"lightest", False, frozenset({"mass"}), "weigh weight mass", "which car would be the lightest"),
    SuperlativePattern(r"cheapest", False, frozenset({"money"}), "cost price", "which ticket would be the cheapest"),
    SuperlativePattern(r"coldest|coolest", False, frozenset({"temperature"}), "temperature", "which city would be the coldest"),
    SuperlativePattern(
        r"lowest|smallest|least|fewest", False, frozenset(), "area size population", "which country would be the smallest"
    ),
)
"""The superlatives, the first that a main clause has tells."""


class RequestedOrder(NamedTuple):
    """What is asked for: the `place` in a row that begins with the most, or with the least."""

    row: SuperlativePattern
    place: int

    def first_is_most(self, measure: str) -> bool:
        """Tell whether the largest value comes first: of times the fastest is the smallest."""
        return self.row.most != (measure in _TIME and re.search("fastest|slowest", self.row.pattern) is not None)

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words with which a text says it."""
        return frozenset(passage_stem(word) for word in self.row.cue_words.split())


_COMPILED_SUPERLATIVES = tuple(
    (row, re.compile(rf"\b(?:(?P<place>[a-z]+|\d+(?:st|nd|rd|th))[\s-])?(?:{row.pattern})\b", re.IGNORECASE))
    for row in SUPERLATIVE_PATTERNS
)
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b", re.IGNORECASE)


def requested_order(main: str) -> RequestedOrder | None:
    """Return the order that a main clause asks for; `None` where it asks for none, for what is not so, or for two."""
    if _DENIED.search(main):
        return None
    matches = [(row, match) for row, pattern in _COMPILED_SUPERLATIVES for match in [pattern.search(main)] if match is not None]
    if not matches or len({row.most for row, _ in matches}) > 1:
        return None
    row, match = matches[0]
    place_word = (match["place"] or "").lower()
    digits = re.match(r"\d+", place_word)
    place = int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(place_word, ""), 1)
    return RequestedOrder(row, place) if place >= 1 else None
