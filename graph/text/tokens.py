"""Tokens of plain text by regular expressions, one row for every use."""

from __future__ import annotations

import re
from functools import cache

TOKENS = {
    "words": r"\w+",
    "long words": r"\w{4,}",
    "letters and digits": r"[^\W_]+",
    "hyphenated words": r"[\w'’-]+",
    "facts": r"[^\W_]+(?:['’.\-][^\W_]+)*",
    "operands": r"[0-9][0-9,]*(?:\.[0-9]+)?|[^\W\d_]+|[^\w\s]",
    "yes-no": r"[a-z]+(?:n['’]t)?|\d[\d,.]*\d|\d",
    "retrieval": r"\d+(?:,\d{3})+(?!\d)|[^\W_]+",
}
"""The pattern of a token: "facts" keep what a hyphen, a full stop or an apostrophe joins, "retrieval" keeps "1,000" whole."""


@cache
def token_pattern(tokens: str = "words") -> re.Pattern[str]:
    """Return the compiled pattern of a row of `TOKENS`."""
    return re.compile(TOKENS[tokens])


def text_tokens(text: str, tokens: str = "words") -> list[str]:
    """Return the tokens of a text in their order."""
    return token_pattern(tokens).findall(text)
