"""Tokens of plain text."""

from __future__ import annotations

import pytest

from graph.text.tokens import text_tokens

TEXT = "It's a_b co-op's U.S. don't 1,000.5% naïve"


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("words", "It s a_b co op s U S don t 1 000 5 naïve"),
        ("long words", "naïve"),
        ("letters and digits", "It s a b co op s U S don t 1 000 5 naïve"),
        ("hyphenated words", "It's a_b co-op's U S don't 1 000 5 naïve"),
        ("facts", "It's a b co-op's U.S don't 1 000.5 naïve"),
        ("operands", "It ' s a b co - op ' s U . S . don ' t 1,000.5 % naïve"),
        ("yes-no", "t s a b co op s don t 1,000.5 na ve"),
        ("retrieval", "It s a b co op s U S don t 1,000 5 naïve"),
    ],
)
def test_a_text_has_the_tokens_of_a_row(tokens: str, expected: str) -> None:
    assert text_tokens(TEXT, tokens) == expected.split()
