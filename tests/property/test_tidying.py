"""Answers are tidied in whatever text they stand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kgqa.readers.answer_normalisation import trim_span

PIECES = st.sampled_from([*"ab1 .,;:!?'’\"“”‘()[]-–\n", "the ", " of", "$", "é", "5.5", "U.S."])


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, int, int]:
    text = "".join(draw(st.lists(PIECES, min_size=1, max_size=25)))
    start = draw(st.integers(0, len(text) - 1))
    return text, start, draw(st.integers(start + 1, len(text)))


@settings(max_examples=800, deadline=2000)
@given(spans())
def test_a_span_is_tidied_in_the_end_and_stays_in_its_text(drawn: tuple[str, int, int]) -> None:
    text, start, end = drawn
    first, last = trim_span(text, start, end)
    assert 0 <= first <= last <= len(text)
    assert first == last or any(map(str.isalnum, text[first:last]))
