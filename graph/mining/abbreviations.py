"""Abbreviations that a sentence explains: "human immunodeficiency virus (HIV)" (after Schwartz & Hearst 2003)."""

from __future__ import annotations

import re
from collections.abc import Iterator

SHORTEST_ABBREVIATION = 3
_BRACKETED_ABBREVIATION = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9})\)")
_WORD = re.compile(r"[\w'’-]+")


def explained_abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """Yield `(short, long)` for each abbreviation in brackets whose letters the words before it give, in order.

    The first letter must begin a word, the long form has at most min(n + 5, 2 n) words for n letters, and most of the short form
    is capitals; short forms of two letters mean too many things.
    """
    for bracket in _BRACKETED_ABBREVIATION.finditer(text):
        short = bracket.group(1)
        letters = [letter.lower() for letter in short if letter.isalnum()]
        if len(letters) < SHORTEST_ABBREVIATION or 2 * sum(letter.isupper() for letter in short) <= len(letters):
            continue
        words = list(_WORD.finditer(text, 0, bracket.start()))[-min(len(letters) + 5, 2 * len(letters)) :]
        start = _start_of_long_form(letters, text, words)
        if start is not None:
            yield short, text[start : bracket.start()].strip()


def _start_of_long_form(letters: list[str], text: str, words: list[re.Match[str]]) -> int | None:
    """Return where the long form begins: the letters are found from the last to the first, the first at the start of a word."""
    if not words:
        return None
    place = words[-1].end()
    starts = {word.start() for word in words}
    for number in range(len(letters) - 1, -1, -1):
        place -= 1
        while place >= words[0].start() and (text[place].lower() != letters[number] or (number == 0 and place not in starts)):
            place -= 1
        if place < words[0].start():
            return None
    return place
