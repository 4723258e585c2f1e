"""The estimated tokens of a text, and the cost of requests: tokens, seconds, and money at given prices."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass, replace
from operator import add

_PIECES = re.compile(r"[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]")
_LETTERS_PER_TOKEN = 6
_TOKENS_PER_TURN = 6
"""The tokens of the marks around a message."""


def estimate_tokens(text: str) -> int:
    """Return an estimate of the tokens of a message, more likely too high than too low.

    Each six letters of a word are one token, each digit and each sign is one, and each character beyond ASCII two.
    """
    count = _TOKENS_PER_TURN
    for piece in _PIECES.findall(text):
        if piece.isalpha() and piece.isascii():
            count += 1 + (len(piece) - 1) // _LETTERS_PER_TOKEN
        else:
            count += 1 if piece.isascii() else 2
    return count


@dataclass(frozen=True, slots=True)
class Price:
    """The prices of a million prompt tokens and a million answer tokens, in any currency."""

    prompt: float
    answer: float


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of requests. Replies from the cache count in `cached` only; `estimated` is true where a server counts no tokens.

    `requests` counts every attempt, failed ones too; only replies have tokens.
    """

    requests: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    estimated: bool = False

    def __add__(self, addend: Cost) -> Cost:
        total = Cost(*map(add, astuple(self), astuple(addend)))
        return replace(total, estimated=self.estimated or addend.estimated)

    def money(self, price: Price) -> float:
        """Return the price of the tokens."""
        return (self.prompt_tokens * price.prompt + self.completion_tokens * price.answer) / 1_000_000

    def record(self, price: Price | None = None) -> dict[str, float | int | bool | None]:
        """Return the cost as a JSON object; `money` is `None` without a price."""
        return {
            "requests": self.requests,
            "cached": self.cached,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "tokens_estimated": self.estimated,
            "seconds": round(self.seconds, 3),
            "money": None if price is None else round(self.money(price), 6),
        }

    def line(self, price: Price | None = None) -> str:
        """Return the cost as a line of text."""
        about = "about " if self.estimated else ""
        parts = [
            f"{self.requests:,} request{'' if self.requests == 1 else 's'}, {self.cached:,} from the cache",
            f"{about}{self.prompt_tokens:,} + {self.completion_tokens:,} tokens",
            f"{self.seconds:.1f} s",
        ]
        if price is not None:
            parts.append(f"{self.money(price):.4f} at {price.prompt:g}/{price.answer:g} a million tokens")
        return "chat: " + "; ".join(parts)
