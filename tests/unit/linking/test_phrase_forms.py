"""Places of a text that name a phrase: other forms, other orders, other names, but no opposite."""

from __future__ import annotations

import pytest

from kgqa.linking.phrase_forms import PhraseForms


def named(phrase: str, text: str, *concepts: str) -> list[str]:
    return [text[start:end] for start, end in PhraseForms(phrase, concepts).spans(text)]


@pytest.mark.parametrize(
    ("phrase", "text", "places"),
    [
        ("floods", "A flood came, then flooding again.", ["flood", "flooding"]),
        ("weight gain", "Some patients gain weight; a gain in weight is usual.", ["gain weight", "gain in weight"]),
        ("lung cancer", "Lung cancers are cancers.", ["Lung cancers"]),
        ("fish", "Fishing is not for every fish.", ["fish"]),
        ("lung cancer", "The lung and the liver; a cancer.", []),
    ],
)
def test_a_phrase_is_named_by_the_forms_of_its_words(phrase: str, text: str, places: list[str]) -> None:
    assert named(phrase, text) == places


def test_the_names_of_its_concepts_and_synonyms_count() -> None:
    assert named("tiredness", "Anemia brings fatigue.", "fatigue") == ["fatigue"]
    assert named("flu", "Influenza is caught.") == ["Influenza"]


def test_a_name_of_another_direction_does_not() -> None:
    assert named("sleep", "A lack of sleep.", "lack of sleep") == ["sleep"]


def test_the_stems_of_a_name_are_those_of_the_forms_of_its_words() -> None:
    ((flood,),) = PhraseForms("flooding").stems()[:1]
    assert "flood" in flood
