"""The unit at a place of a text: of measure, of money, or of a hundred."""

from __future__ import annotations

from kgqa.quantities.model import Sort
from kgqa.quantities.tokens import NumberTokens
from kgqa.quantities.units import CURRENCY_CODES, CURRENCY_NAMES, CURRENCY_SIGNS, unit_of, unit_table

_PERCENT = {"%": 1, "percent": 1, "pct": 1}


def unit_at(tokens: NumberTokens, at: int) -> tuple[str, Sort, int]:
    """Return the unit that starts at a token, what it makes of the number, and the place after it."""
    lower, words = tokens.lower, tokens.words
    start = at + (lower[at] == "-" and tokens.touches(at) and tokens.touches(at + 1))
    word = lower[start]
    if word in _PERCENT or (word == "per" and lower[start + 1] == "cent"):
        end = start + (2 if word == "per" else 1)
        return tokens.text[tokens.starts[start] : tokens.ends[end - 1]], Sort.PERCENT, end
    if word == "percentage" and lower[start + 1] in ("point", "points"):
        return tokens.text[tokens.starts[start] : tokens.ends[start + 1]], Sort.PERCENT, start + 2
    if word in CURRENCY_NAMES or words[start] in CURRENCY_CODES or words[start] in CURRENCY_SIGNS:
        return words[start], Sort.MONEY, start + 1
    if word in ("us", "american", "canadian", "australian", "pounds") and lower[start + 1] in CURRENCY_NAMES:
        return tokens.text[tokens.starts[start] : tokens.ends[start + 1]], Sort.MONEY, start + 2
    if word not in _load_first_words() and words[start] not in _load_first_words():
        return "", Sort.CARDINAL, at
    for length in (4, 3, 2, 1):
        last = start + length - 1
        if last >= tokens.count:
            continue
        name = tokens.text[tokens.starts[start] : tokens.ends[last]] if length > 1 else words[start]
        unit = unit_of(name)
        if unit is not None and not (
            len(name) == 1 and name.isalpha() and tokens.touches(last + 1) and words[last + 1] in "'’.-"
        ):
            return name, Sort.DURATION if unit.measures in ("time", "months") else Sort.CARDINAL, last + 1
    return "", Sort.CARDINAL, at


_unit_first_words: set[str] = set()


def _load_first_words() -> set[str]:
    """Return the first tokens of the names of units."""
    if not _unit_first_words:
        _unit_first_words.update(NumberTokens(name).words[0] for name in unit_table())
    return _unit_first_words
