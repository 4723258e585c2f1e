from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met J. Doe. They left.", ["Dr. Smith met J. Doe.", "They left."]),
        ("It rose by 3.5 percent. Prices fell.", ["It rose by 3.5 percent.", "Prices fell."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("It ended World War I. In May I. Newton spoke.", ["It ended World War I.", "In May I. Newton spoke."]),
        ("A heading\nA sentence.", ["A heading", "A sentence."]),
        ("Some plants, e.g. Oaks, grow. Others do not.", ["Some plants, e.g. Oaks, grow.", "Others do not."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet="aB. ?!\n\"'()e.g", max_size=200))
def test_no_letter_is_lost_and_no_span_overlaps(text: str) -> None:
    spans = list(sentence_spans(text))
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == "".join(text.split())
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
