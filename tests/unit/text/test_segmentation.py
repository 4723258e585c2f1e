from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.segmentation import (
    SENTENCE_ENDS,
    adjoining_spans,
    sentence_end,
    sentence_spans,
    separated_spans,
    text_tokens,
)

SAMPLES = [
    json.loads(line)
    for line in Path(__file__).parent.joinpath("samples/sentences.jsonl").read_text(encoding="utf-8").splitlines()
]


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


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["text"][:20])
def test_every_use_keeps_the_boundaries_it_had(sample: dict[str, Any]) -> None:
    text = sample["text"]
    assert [list(span) for span in sentence_spans(text)] == sample["mining"]
    assert [list(span) for span in separated_spans(text, "facts")] == sample["facts"]
    for ends in SENTENCE_ENDS.keys() - {"facts"}:
        assert [list(match.span()) for match in sentence_end(ends).finditer(text)] == sample[ends]


@given(st.text(alphabet="aB. ?!\n\"'();St", max_size=200), st.sampled_from(sorted(SENTENCE_ENDS)))
def test_adjoining_spans_cover_a_text_and_separated_spans_no_more(text: str, ends: str) -> None:
    assert "".join(text[start:end] for start, end in adjoining_spans(text, ends)) == text
    assert all(0 <= start <= end <= len(text) for start, end in separated_spans(text, ends))
    assert all(end <= start for (_, end), (start, _) in pairwise(separated_spans(text, ends)))


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
