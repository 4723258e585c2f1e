"""A text as words, numerals and signs with their places: what numbers and dates are read from."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

LONGEST_NUMERAL = 40
"""Numerals with more characters than this are no quantities, and are read as other signs are."""


@cache
def _token_pattern() -> re.Pattern[str]:
    # A point belongs to a numeral where a digit follows; commas where groups of three do.
    return re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)|([^\W\d_]+)|\S")


class NumberTokens:
    """The words, numerals and single signs of a text, as lists beside one another.

    `lower` has the lower-case form, `digits` says which are numerals, `starts` and `ends` are characters of the text. The lists
    are a few places longer than the text, so that looking ahead needs no check.
    """

    __slots__ = ("count", "digits", "ends", "lower", "starts", "text", "words")

    def __init__(self, text: str, limit: int | None = None) -> None:
        matches = list(islice(_token_pattern().finditer(text), limit))
        self.text = text
        self.count = len(matches)
        behind = [""] * 8
        self.words = [match[0] for match in matches] + behind
        self.lower = [word.lower() for word in self.words]
        self.starts = [match.start() for match in matches] + [len(text)] * 8
        self.ends = [match.end() for match in matches] + [len(text)] * 8
        self.digits = [match.lastindex == 1 and match.end() - match.start() <= LONGEST_NUMERAL for match in matches] + [False] * 8

    def touches(self, place: int) -> bool:
        """Tell whether nothing stands between a token and the one before it."""
        return place > 0 and place < self.count and self.ends[place - 1] == self.starts[place]
