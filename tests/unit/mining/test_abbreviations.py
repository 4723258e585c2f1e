from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.mining.abbreviations import explained_abbreviations
from graph.mining.articles import mine_chunk
from graph.mining.miner import Miner
from graph.model import Alias, Source
from graph.sources.article import Article


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AIDS is caused by the human immunodeficiency virus (HIV).", [("HIV", "human immunodeficiency virus")]),
        ("It is acquired immunodeficiency syndrome (AIDS) again.", [("AIDS", "acquired immunodeficiency syndrome")]),
        ("Deoxyribonucleic acid (DNA) stores it.", [("DNA", "Deoxyribonucleic acid")]),
        ("Multiple sclerosis (MS) is a disease.", []),
        ("The war (WAR) ended.", [("WAR", "war")]),
        ("The king (1066) died.", []),
        ("Some disease (Smith) spread.", []),
        ("Rain fell (XYZ).", []),
        ("(HIV) alone.", []),
    ],
)
def test_an_abbreviation_is_explained_by_the_words_before_it(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(explained_abbreviations(text)) == expected


@given(st.text(alphabet="aAbB -(),.", max_size=60))
def test_a_long_form_stands_before_its_abbreviation_and_begins_with_its_letter(text: str) -> None:
    for short, long in explained_abbreviations(text):
        assert f"{long} ({short})" in text or long in text[: text.index(f"({short})")]
        assert long[0].lower() == next(letter for letter in short if letter.isalnum()).lower()


def test_an_abbreviation_of_a_mined_concept_becomes_its_alias() -> None:
    text = (
        "Human immunodeficiency virus (HIV) causes acquired immunodeficiency syndrome (AIDS). The red deer cull (RDC) was long."
    )
    mined = mine_chunk(Miner(), [Article(Source("text", "Page", "1"), text)])
    assert set(mined.aliases) == {
        Alias("hiv", "human immunodeficiency virus"),
        Alias("aids", "acquired immunodeficiency syndrome"),
    }
