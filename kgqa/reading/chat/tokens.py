"""How many tokens a text has, about: what a prompt takes of the room is not known before the server has counted it."""

from __future__ import annotations

import re

_PIECES = re.compile(r"[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]")
_LETTERS_PER_TOKEN = 6
_TOKENS_PER_TURN = 6
"""What the marks around a message take."""


def estimate_tokens(text: str) -> int:
    """Return an estimate of the tokens of a message, rather too many than too few.

    A word is one token for every six letters, each digit and sign is one, and a character beyond ASCII two.
    """
    count = _TOKENS_PER_TURN
    for piece in _PIECES.findall(text):
        if piece.isalpha() and piece.isascii():
            count += 1 + (len(piece) - 1) // _LETTERS_PER_TOKEN
        else:
            count += 1 if piece.isascii() else 2
    return count
