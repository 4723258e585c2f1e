"""How texts stand in Neo4j: no two alike, ordinary ones as they are, and sorted as everywhere."""

from __future__ import annotations

import pytest
from hostile import HOSTILE_NAMES
from hypothesis import given
from hypothesis import strategies as st

from graph.stores.neo4j.value_mapping import (
    LONGEST_NAME,
    MARK,
    escape_text,
    index_stems,
    name_key_and_whole,
    sort_by_name,
    text_order,
    unescape_name,
    unescape_text,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from(["\\", "u", "d", MARK, "\ud83d", "\udcff", "\0"]))


@given(ANY_TEXT)
def test_any_text_comes_back_and_can_be_sent(text: str) -> None:
    escape_text(text).encode()
    assert unescape_text(escape_text(text)) == text


@given(ANY_TEXT, ANY_TEXT)
def test_no_two_texts_are_kept_alike(one: str, other: str) -> None:
    assert (escape_text(one) == escape_text(other)) == (one == other)


@pytest.mark.parametrize("text", ["smoking", "\\u0041 \\", "x'}) //", "\0", "caf\u00e9", "\U0001f600", "\ufffe", "\n"])
def test_ordinary_text_is_kept_as_it_is(text: str) -> None:
    assert escape_text(text) == text


@pytest.mark.parametrize("name", [*HOSTILE_NAMES, "x" * LONGEST_NAME, "x" * (LONGEST_NAME + 1), "\U0010ffff" * 1001])
def test_what_a_name_is_known_by_fits_into_an_index(name: str) -> None:
    known_by, whole = name_key_and_whole(name)
    assert len(known_by.encode()) < 8_000
    assert unescape_name(known_by, whole) == name
    assert (whole is None) == (known_by == escape_text(name))


@given(st.lists(ANY_TEXT | st.sampled_from(["x" * 1000 + end for end in ("", "a", "b", "ab", "\ud83d")]), unique=True))
def test_names_that_come_sorted_by_what_they_are_known_by_are_put_in_order(names: list[str]) -> None:
    as_the_server_sorts = sorted(names, key=lambda name: name_key_and_whole(name)[0].encode())
    in_their_order = sort_by_name(as_the_server_sorts, lambda name: name_key_and_whole(name)[0], lambda name: name)
    assert list(in_their_order) == sorted(names, key=text_order)


def test_words_are_the_stems_that_the_embedded_store_searches_by() -> None:
    assert index_stems(["heavy flooding", "", "\0", "Flood-plain", "\ud83d"]) == [" heavi flood ", " ", " ", " flood plain ", " "]
    assert index_stems([]) == []
