"""Abbreviations that a sentence explains: "human immunodeficiency virus (HIV)" (after Schwartz & Hearst 2003)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.text.segmentation import token_pattern

_BRACKETED_ABBREVIATION = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9})\)")


def explained_abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """Yield `(short, long)` for each abbreviation of three letters or more in brackets, most of them capitals.

    The long form has the letters in order, the first at the start of a word, in at most min(n + 5, 2 n) words for n letters.
    """
    for bracket in _BRACKETED_ABBREVIATION.finditer(text):
        short = bracket.group(1)
        letters = [letter.lower() for letter in short if letter.isalnum()]
        if len(letters) < 3 or 2 * sum(letter.isupper() for letter in short) <= len(letters):
            continue
        before = list(token_pattern("hyphenated words").finditer(text, 0, bracket.start()))
        words = before[-min(len(letters) + 5, 2 * len(letters)) :]
        start = _start_of_long_form(letters, text, words)
        if start is not None:
            yield short, text[start : bracket.start()].strip()


def _start_of_long_form(letters: list[str], text: str, words: list[re.Match[str]]) -> int | None:
    """Return the start of the long form: letters are matched from the last to the first, the first at the start of a word."""
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
