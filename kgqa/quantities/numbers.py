"""Numbers without units, in digits and in English words: their parser over the tokens of a text, and their spelling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_IRREGULAR_CARDINALS = "one two three five eight nine twelve".split()
_IRREGULAR_ORDINALS = "first second third fifth eighth ninth twelfth".split()
_ORDINALS_OF = dict(zip(_IRREGULAR_CARDINALS, _IRREGULAR_ORDINALS, strict=True))

BELOW_HUNDRED = {word: number for number, word in enumerate(_SMALL)} | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
"""The words that name a number below a hundred, with their numbers."""
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "quadrillion": 15, "quintillion": 18}
"""The words that multiply, with their powers of ten."""
SPELLING_LIMIT = 10**21
"""Below this, numbers can be written in words."""


def _ordinal_word(word: str) -> str:
    return _ORDINALS_OF.get(word) or (f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th")


ORDINALS = {_ordinal_word(word): word for word in (*BELOW_HUNDRED, *SCALES) if word != "zero"}
"""The last word of an ordinal ("fourth", "hundredth"), with the word of its number."""


def cardinal_words(number: int, joined: bool = False) -> str:
    """Return a whole number in words: 1105 is "one thousand one hundred five", or "... and five" where `joined`.

    Raises `ValueError` from `SPELLING_LIMIT` on: nobody spells such numbers.
    """
    if abs(number) >= SPELLING_LIMIT:
        raise ValueError(f"{number} is too large to be spelt")
    if number < 0:
        return f"minus {cardinal_words(-number, joined)}"
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, units = divmod(number, 10)
        return _TENS[tens - 2] + (f"-{_SMALL[units]}" if units else "")
    head, power = next((word, power) for word, power in reversed(SCALES.items()) if number >= 10**power)
    count, rest = divmod(number, 10**power)
    words = f"{cardinal_words(count, joined)} {head}"
    return f"{words}{' and' if joined and rest < 100 else ''} {cardinal_words(rest, joined)}" if rest else words


def ordinal_words(number: int) -> str:
    """Return the rank of a whole number in words: 24 is "twenty-fourth"; raises `ValueError` as `cardinal_words`, and below 1."""
    if number < 1:
        raise ValueError(f"{number} is no rank")
    words = cardinal_words(number)
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
    number = _spelt_number(parts, 0)
    return Fraction(sign * number[0]) if number and number[1] == len(parts) else None


def _spelt_number(words: Sequence[str], place: int) -> tuple[int, int, bool] | None:
    """Return the longest number that is spelt at `place` of lower-case words, the place after it, and whether it is an ordinal.

    "two hundred and five thousand" is one number, "five six" two, "a hundred" one hundred. Hyphens must have been taken out.
    """
    total, group, last, power = 0, None, 0, 99
    at, longest = place, None
    while at < len(words):
        word, skipped = words[at], 0
        if word == "and" and longest is not None and group is not None and last >= 100 and at + 1 < len(words):
            skipped, word = 1, words[at + 1]
        plain = ORDINALS.get(word)
        word = plain or word
        if word == "a" and at == place and words[at + 1 : at + 2] and words[at + 1] in SCALES:
            group, last = 1, 1
        elif word in BELOW_HUNDRED:
            number = BELOW_HUNDRED[word]
            if group is not None and (number == 0 or not (last >= 100 or (20 <= last <= 90 and number < 10))):
                break
            group, last = (group or 0) + number, number
        elif skipped:
            break
        elif word == "hundred" and group and group < 100:
            group, last = group * 100, 100
        elif word != "hundred" and word in SCALES and group and SCALES[word] < power:
            power = SCALES[word]
            total, group, last = total + group * 10**power, 0, 1000
        else:
            break
        at += 1 + skipped
        longest = (total + (group or 0), at, plain is not None)
        if plain:
            break
    return None if longest is None or words[longest[1] - 1] == "a" else longest


_LONGEST_NUMERAL = 40
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
        self.words = [match[0] for match in matches] + [""] * 8
        self.lower = [word.lower() for word in self.words]
        self.starts = [match.start() for match in matches] + [len(text)] * 8
        self.ends = [match.end() for match in matches] + [len(text)] * 8
        self.digits = [match.lastindex == 1 and len(match[0]) <= _LONGEST_NUMERAL for match in matches] + [False] * 8

    def touches(self, place: int) -> bool:
        """Return whether nothing stands between a token and the one before it."""
        return place > 0 and place < self.count and self.ends[place - 1] == self.starts[place]


_VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)}
_DOZENS = {"dozen": 12, "score": 20, "couple": 2}
_SINGLE_PARTS = {"half": 2, "third": 3, "quarter": 4}
_PARTS = {**_SINGLE_PARTS, "thirds": 3, "quarters": 4, "fifths": 5, "sixths": 6, "eighths": 8, "tenths": 10}
_NUMBER_WORDS = frozenset({*BELOW_HUNDRED, *SCALES, *ORDINALS})
_LONGEST_SPELLING = 40

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
    if word in _VULGAR:
        return Number(Fraction(*_VULGAR[word]), place + 1)
    if word in ("a", "an", "half"):
        return _article_number(tokens, place)
    # "the dozen", "per hundred" may be figures of speech.
    return _number_in_words(tokens, place) if word in NUMBER_STARTERS and word != "dozen" and word not in SCALES else None


def _numeral_value(numeral: str) -> Fraction:
    return Fraction(numeral.replace(",", ""))


def _numeral(tokens: NumberTokens, place: int) -> Number:
    text, value, at = tokens.words[place], _numeral_value(tokens.words[place]), place + 1
    whole = text.isdecimal()
    touching = tokens.touches(at)
    if touching and tokens.lower[at] in ("st", "nd", "rd", "th") and value.denominator == 1:
        return Number(value, at + 1, ordinal=True)
    if whole and touching and tokens.lower[at] == "/" and tokens.digits[at + 1] and tokens.touches(at + 1):
        below = _numeral_value(tokens.words[at + 1])
        return Number(value / below, at + 2) if 1 < below <= 100 and below.denominator == 1 else Number(value, at, whole=whole)
    if whole and tokens.lower[at] in _VULGAR:
        value, at, whole = value + Fraction(*_VULGAR[tokens.lower[at]]), at + 1, False
    elif whole and tokens.digits[at] and tokens.lower[at + 1] == "/" and tokens.digits[at + 2] and tokens.touches(at + 1):
        above, below = _numeral_value(tokens.words[at]), _numeral_value(tokens.words[at + 2])
        if above < below <= 100:
            value, at, whole = value + above / below, at + 3, False
    return _scaled(tokens, value, at, spelt=False, whole=whole)


def _scaled(tokens: NumberTokens, value: Fraction, at: int, *, spelt: bool = True, whole: bool = False) -> Number:
    """Return a number with what multiplies it: "and a half", "million", "dozen"."""
    lower = tokens.lower
    if lower[at] == "and" and lower[at + 1] == "a" and lower[at + 2] in _SINGLE_PARTS:
        value, at, whole = value + Fraction(1, _SINGLE_PARTS[lower[at + 2]]), at + 3, False
    hyphen = lower[at] == "-" and tokens.touches(at) and tokens.touches(at + 1)
    word = lower[at + 1] if hyphen else lower[at]
    if word in ("dozen", "score"):
        return Number(value * _DOZENS[word], at + 1 + hyphen, spelt)
    power = SCALES.get(word, 0)
    if not power:
        return Number(value, at, spelt, whole=whole)
    at += 1 + hyphen
    second = SCALES.get(lower[at], 0)
    if second > power:
        power, at = power + second, at + 1
    return Number(value * 10**power, at, spelt, scale=power)


def _number_in_words(tokens: NumberTokens, place: int) -> Number | None:
    lower = tokens.lower
    words, places = _word_run(tokens, place)
    spelling = _spelt_number(words, 0)
    if spelling is None:
        return None
    value, used, is_ordinal = spelling
    end = places[used - 1] + 1
    if is_ordinal:
        return Number(Fraction(value), end, True, ordinal=True)
    hyphen = lower[end] == "-"
    part = lower[end + 1] if hyphen else lower[end]
    if part in _PARTS and value < 10 and (part.endswith("s") or value == 1) and part != "half":
        return Number(Fraction(value, _PARTS[part]), end + 1 + hyphen, True)
    if 11 <= value < 100 and used < len(words):
        rest = _spelt_number(words, used)
        if rest is not None and 10 <= rest[0] < 100 and not rest[2] and words[used] != "and":
            return Number(Fraction(value * 100 + rest[0]), places[rest[1] - 1] + 1, True, yearly=True)
    if lower[end] == "point" and BELOW_HUNDRED.get(lower[end + 1], 10) < 10:
        return _scaled(tokens, value + Fraction(BELOW_HUNDRED[lower[end + 1]], 10), end + 2)
    if lower[end] in ("and", "dozen", "score", *SCALES):
        return _scaled(tokens, Fraction(value), end)
    scale = SCALES.get(lower[end - 1], 0)
    return Number(Fraction(value), end, True, scale=scale if scale > 2 else 0)


def _word_run(tokens: NumberTokens, place: int) -> tuple[list[str], list[int]]:
    """Return the number words from a token on, without their hyphens, and their places."""
    words: list[str] = []
    places: list[int] = []
    at = place
    while len(words) < _LONGEST_SPELLING:
        word = tokens.lower[at]
        if word == "-" and tokens.touches(at) and tokens.touches(at + 1) and tokens.lower[at + 1] in _NUMBER_WORDS:
            at += 1
            continue
        if word not in _NUMBER_WORDS and not (word == "and" and words):
            break
        words.append(word)
        places.append(at)
        at += 1
    return words, places


def _article_number(tokens: NumberTokens, place: int) -> Number | None:
    """Return what starts with "a" or "half": "a hundred", "half a dozen", "a couple of", "half of", "a third of"."""
    lower = tokens.lower
    word = lower[place + 1]
    if lower[place] == "half":
        if word in ("a", "an"):
            scaled = _scaled(tokens, Fraction(1, 2), place + 2)
            return scaled if scaled.end > place + 2 else Number(Fraction(1, 2), place + 2, True)
        return Number(Fraction(1, 2), place + 1, True) if word in ("of", "the", "its", "his", "her", "their") else None
    if word in ("dozen", "couple"):
        return Number(Fraction(_DOZENS[word]), place + 2 + (lower[place + 2] == "of"), True)
    if word in (*_SINGLE_PARTS, "fifth", "tenth") and lower[place + 2] in ("of", "a", "an"):
        return Number(Fraction(1, _SINGLE_PARTS.get(word) or _PARTS[f"{word}s"]), place + 2, True)
    if word in SCALES:
        words, places = _word_run(tokens, place + 1)
        spelling = _spelt_number(["a", *words], 0)
        if spelling is not None and not spelling[2]:
            end = places[spelling[1] - 2] + 1
            return Number(Fraction(spelling[0]), end, True, scale=SCALES[word] if word != "hundred" else 0)
    return None
