"""Whole numbers in English words, both ways: "twenty-five thousand", "twenty-fourth"."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "quadrillion": 15, "quintillion": 18}
_IRREGULAR = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}

BELOW_HUNDRED = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * (place + 2) for place, word in enumerate(_TENS)
}
"""The words that name a number below a hundred, with their numbers."""
SCALES = {"hundred": 2, **_SCALES}
"""The words that multiply, with their powers of ten."""
SPELLING_LIMIT = 10**21
"""Below this, numbers can be written in words."""


def _ordinal_word(word: str) -> str:
    return _IRREGULAR.get(word) or (f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th")


ORDINALS = {_ordinal_word(word): word for word in (*BELOW_HUNDRED, *SCALES) if word != "zero"}
"""The last word of an ordinal ("fourth", "hundredth"), with the word of its number."""


def cardinal_words(number: int, joined: bool = False) -> str:
    """Return a whole number in words: 1105 is "one thousand one hundred five", or "... and five" where `joined`.

    Raises `ValueError` from `LIMIT` on: nobody spells such numbers.
    """
    if abs(number) >= SPELLING_LIMIT:
        raise ValueError(f"{number} is too large to be spelt")
    if number < 0:
        return f"minus {cardinal_words(-number, joined)}"
    if number < 100:
        tens, units = divmod(number, 10)
        return _SMALL[number] if number < 20 else _TENS[tens - 2] + (f"-{_SMALL[units]}" if units else "")
    head, power = next((word, power) for word, power in reversed(SCALES.items()) if number >= 10**power)
    count, rest = divmod(number, 10**power)
    words = f"{cardinal_words(count, joined)} {head}"
    return f"{words}{' and' if joined and rest < 100 else ''} {cardinal_words(rest, joined)}" if rest else words


def ordinal_words(number: int, joined: bool = False) -> str:
    """Return the rank of a whole number in words: 24 is "twenty-fourth"; raises `ValueError` as `cardinal` does, and below 1."""
    if number < 1:
        raise ValueError(f"{number} is no rank")
    words = cardinal_words(number, joined)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    return words[:cut] + _ordinal_word(words[cut:])


def ordinal_digits(number: int) -> str:
    """Return the rank in digits: 4 is "4th", 22 is "22nd", 111 is "111th"."""
    ending = "th" if abs(number) % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(abs(number) % 10, "th")
    return f"{number}{ending}"


def number_from_words(words: str) -> Fraction | None:
    """Return the number that the words spell as a whole, cardinal or ordinal; `None` where they spell none."""
    parts = words.lower().replace("-", " ").split()
    sign = -1 if parts[:1] == ["minus"] else 1
    parts = parts[1:] if sign < 0 else parts
    read = parse_number_words(parts, 0)
    return Fraction(sign * read[0]) if read is not None and read[1] == len(parts) else None


def parse_number_words(words: Sequence[str], place: int) -> tuple[int, int, bool] | None:
    """Return the number that starts at `place` of lower-case words, the place after it, and whether it is an ordinal.

    The longest number that can be spelt so is read: "two hundred and five thousand" is one, "five six" two. "a hundred" is one
    hundred. Hyphens must have been taken out.
    """
    total, group, last, power = 0, None, 0, 99
    at, good = place, None
    while at < len(words):
        word, skipped = words[at], 0
        if word == "and" and good is not None and group is not None and last >= 100 and at + 1 < len(words):
            skipped, word = 1, words[at + 1]
        plain = ORDINALS.get(word)
        word = plain or word
        if word == "a" and at == place and words[at + 1 : at + 2] and words[at + 1] in SCALES:
            group, last = 1, 1
        elif word in BELOW_HUNDRED:
            number = BELOW_HUNDRED[word]
            if not _may_follow(number, group, last):
                break
            group, last = (group or 0) + number, number
        elif skipped:
            break
        elif word == "hundred" and group and group < 100:
            group, last = group * 100, 100
        elif word in _SCALES and group and _SCALES[word] < power:
            power = _SCALES[word]
            total, group, last = total + group * 10**power, 0, 1000
        else:
            break
        at += 1 + skipped
        good = (total + (group or 0), at, plain is not None)
        if plain:
            break
    return None if good is None or words[good[1] - 1] == "a" else good


def _may_follow(number: int, group: int | None, last: int) -> bool:
    """Tell whether a number below a hundred may follow what stands before it: "twenty" one "five", "hundred" any, none "zero"."""
    if group is None:
        return True
    if number == 0:
        return False
    return last >= 100 or (20 <= last <= 90 and number < 10)
