from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.normalise import concept_name, head_place, singular, surface_name

HEADS = [
    line.split("\t") for line in Path(__file__).parent.joinpath("samples/heads.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The Deaths of children", "death of children"),
        ("heart attacks", "heart attack"),
        ("  “smoking-related diseases” ", "smoking related disease"),
        ("the 1930s", "1930s"),
        ("acid_rain", "acid rain"),
        ("diabetes", "diabetes"),
        ("ｆｉｒｅ", "fire"),
        ("...", ""),
        ("", ""),
    ],
)
def test_a_phrase_has_one_name(text: str, name: str) -> None:
    assert concept_name(text) == name


@pytest.mark.parametrize(
    ("plural", "word"),
    [
        ("mice", "mouse"),
        ("crises", "crisis"),
        ("viruses", "virus"),
        ("gases", "gas"),
        ("stress", "stress"),
        ("measles", "measles"),
        ("leaves", "leaf"),
        ("tsunamis", "tsunami"),
        ("bodies", "body"),
        ("news", "news"),
    ],
)
def test_plurals_become_singular_and_singulars_stay(plural: str, word: str) -> None:
    assert singular(plural) == word
    assert singular(word) == word


def test_a_causenet_name_keeps_its_hyphens_and_plurals() -> None:
    assert surface_name("Long-term_effects") == "long-term effects"


@given(st.text(max_size=60))
def test_a_name_is_its_own_name(text: str) -> None:
    name = concept_name(text)
    assert "  " not in name
    assert name == name.strip()


@pytest.mark.parametrize(("name", "concept", "linking", "chains", "list_item"), HEADS)
def test_the_head_of_a_name_depends_on_the_words_that_end_it(
    name: str, concept: str, linking: str, chains: str, list_item: str
) -> None:
    words = name.split()
    assert concept_name(name) == concept
    assert words[head_place(words, "linking")] == linking
    assert singular(words[head_place(words, "chains")]) == chains
    assert words[-1] == "ii" or words[head_place(words, "list items")] == list_item


def test_no_words_have_no_head() -> None:
    assert head_place([]) == -1
