"""The tokens of a text for numbers and dates, and the parser of a number in digits or words, without its unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice

from kgqa.quantities.number_words import BELOW_HUNDRED, ORDINALS, SCALES, parse_number_words

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


_SUFFIXES = {"st", "nd", "rd", "th"}
_VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)}
_DOZENS = {"dozen": 12, "dozens": 12, "score": 20, "couple": 2}
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fifths": 5,
    "sixths": 6,
    "eighths": 8,
    "tenths": 10,
}
_MINUS = {"-", "−"}
_YEARLY = range(11, 100)

NUMBER_STARTERS = frozenset(
    {*BELOW_HUNDRED, *ORDINALS, "a", "an", "half", "dozen", "hundred", "thousand", "million", "billion", *_VULGAR}
)
"""What a number can start with, besides numerals; in lower case."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, the place after it, and how it is written; `whole` says that it is a numeral of digits alone."""

    value: Fraction
    end: int
    spelt: bool = False
    ordinal: bool = False
    scale: int = 0
    whole: bool = False
    yearly: bool = False


def number_at(tokens: NumberTokens, place: int) -> Number | None:
    """Return the number that starts at a token, as long as it goes; `None` where none does."""
    if tokens.digits[place]:
        return _numeral(tokens, place)
    word = tokens.lower[place]
    if word not in NUMBER_STARTERS:
        return None
    if word in _VULGAR:
        return Number(Fraction(*_VULGAR[word]), place + 1)
    return _number_in_words(tokens, place)


def is_negative(tokens: NumberTokens, place: int) -> bool:
    """Tell whether a minus sign belongs to the numeral at a token: it touches it, and nothing before."""
    return tokens.touches(place) and tokens.lower[place - 1] in _MINUS and not tokens.touches(place - 1)


def numeral_value(numeral: str) -> Fraction:
    """Return the value of a numeral with commas and a decimal point."""
    before, _, behind = numeral.replace(",", "").partition(".")
    return Fraction(int(before + behind), 10 ** len(behind)) if behind else Fraction(int(before))


def _numeral(tokens: NumberTokens, place: int) -> Number:
    text, value, at = tokens.words[place], numeral_value(tokens.words[place]), place + 1
    whole = text.isdecimal()
    touching = tokens.touches(at)
    if touching and tokens.lower[at] in _SUFFIXES and value.denominator == 1:
        return Number(value, at + 1, ordinal=True)
    if whole and touching and tokens.lower[at] == "/" and tokens.digits[at + 1] and tokens.touches(at + 1):
        below = numeral_value(tokens.words[at + 1])
        return Number(value / below, at + 2) if 1 < below <= 100 and below.denominator == 1 else Number(value, at, whole=whole)
    if whole and tokens.lower[at] in _VULGAR:
        value, at, whole = value + Fraction(*_VULGAR[tokens.lower[at]]), at + 1, False
    elif whole and tokens.digits[at] and tokens.lower[at + 1] == "/" and tokens.digits[at + 2] and tokens.touches(at + 1):
        above, below = numeral_value(tokens.words[at]), numeral_value(tokens.words[at + 2])
        if above < below <= 100:
            value, at, whole = value + above / below, at + 3, False
    return _scaled(tokens, value, at, spelt_out=False, whole=whole)


def _scaled(tokens: NumberTokens, value: Fraction, at: int, *, spelt_out: bool, whole: bool = False) -> Number:
    """Take in what multiplies a number: "and a half", "million", "dozen"."""
    lower = tokens.lower
    if lower[at] == "and" and lower[at + 1] == "a" and lower[at + 2] in ("half", "quarter", "third"):
        value, at, whole = value + Fraction(1, _PARTS[lower[at + 2]]), at + 3, False
    hyphen = lower[at] == "-" and tokens.touches(at) and tokens.touches(at + 1)
    word = lower[at + 1] if hyphen else lower[at]
    power = SCALES.get(word, 0)
    if not power and word not in ("dozen", "score"):
        return Number(value, at, spelt_out, whole=whole)
    if not power:
        return Number(value * _DOZENS[word], at + 1 + hyphen, spelt_out)
    at += 1 + hyphen
    second = SCALES.get(lower[at], 0)
    if second > power:
        power, at = power + second, at + 1
    return Number(value * 10**power, at, spelt_out, scale=power)


def _number_in_words(tokens: NumberTokens, place: int) -> Number | None:
    lower = tokens.lower
    word = lower[place]
    if word in ("a", "an", "half"):
        return _article_number(tokens, place)
    if word in ("dozen", *SCALES):  # "the dozen", "per hundred": which may be a figure of speech.
        return None
    words, places = _word_run(tokens, place)
    spelling = parse_number_words(words, 0)
    if spelling is None:
        return None
    value, used, is_ordinal = spelling
    end = places[used - 1] + 1
    if is_ordinal:
        return Number(Fraction(value), end, True, ordinal=True)
    part = lower[end + 1] if lower[end] == "-" else lower[end]
    if part in _PARTS and value < 10 and (part.endswith("s") or value == 1) and part not in ("half", "halves"):
        return Number(Fraction(value, _PARTS[part]), end + 1 + (lower[end] == "-"), True)
    if value in _YEARLY and used < len(words):
        rest = parse_number_words(words, used)
        if rest is not None and 10 <= rest[0] < 100 and not rest[2] and words[used] != "and":
            return Number(Fraction(value * 100 + rest[0]), places[rest[1] - 1] + 1, True, yearly=True)
    if lower[end] == "point" and lower[end + 1] in BELOW_HUNDRED and BELOW_HUNDRED[lower[end + 1]] < 10:
        return _scaled(tokens, value + Fraction(BELOW_HUNDRED[lower[end + 1]], 10), end + 2, spelt_out=True)
    if lower[end] in ("and", "dozen", "score", *SCALES):
        return _scaled(tokens, Fraction(value), end, spelt_out=True)
    scale = SCALES.get(lower[end - 1], 0)
    return Number(Fraction(value), end, True, scale=scale if scale > 2 else 0)


def _word_run(tokens: NumberTokens, place: int) -> tuple[list[str], list[int]]:
    """Return the number words from a token on, without their hyphens, and their places."""
    words: list[str] = []
    places: list[int] = []
    at = place
    while len(words) < 40:
        word = tokens.lower[at]
        if word == "-" and tokens.touches(at) and tokens.touches(at + 1) and _is_number_word(tokens.lower[at + 1]):
            at += 1
        elif not (_is_number_word(word) or (word == "and" and words)):
            break
        else:
            words.append(word)
            places.append(at)
            at += 1
    return words, places


def _is_number_word(word: str) -> bool:
    return word in BELOW_HUNDRED or word in SCALES or word in ORDINALS


def _article_number(tokens: NumberTokens, place: int) -> Number | None:
    """Read what starts with "a" or "half": "a hundred", "half a dozen", "a couple of", "half of", "a third of"."""
    lower = tokens.lower
    if lower[place] == "half":
        if lower[place + 1] in ("a", "an"):
            scaled = _scaled(tokens, Fraction(1, 2), place + 2, spelt_out=True)
            return scaled if scaled.end > place + 2 else Number(Fraction(1, 2), place + 2, True)
        behind = ("of", "the", "its", "his", "her", "their")
        return Number(Fraction(1, 2), place + 1, True) if lower[place + 1] in behind else None
    word = lower[place + 1]
    if word in ("dozen", "couple"):
        return Number(Fraction(_DOZENS[word]), place + 2 + (lower[place + 2] == "of"), True)
    if word in ("half", "third", "quarter", "fifth", "tenth") and lower[place + 2] in ("of", "a", "an"):
        return Number(Fraction(1, _PARTS.get(word) or {"fifth": 5, "tenth": 10}[word]), place + 2, True)
    if word in SCALES:
        words, places = _word_run(tokens, place + 1)
        spelling = parse_number_words(["a", *words], 0)
        if spelling is not None and not spelling[2]:
            end = places[spelling[1] - 2] + 1
            return Number(Fraction(spelling[0]), end, True, scale=SCALES[word] if word != "hundred" else 0)
    return None
