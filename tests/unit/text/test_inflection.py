"""English forms of nouns and verbs."""

from __future__ import annotations

import pytest

from graph.text.inflection import gerund_of, indefinite_article, plural_of, regular_inflections, spell_words


@pytest.mark.parametrize(
    ("base", "kind", "forms"),
    [
        ("carry", "V", "carry carries carried carrying"),
        ("stop", "V", "stop stops stopped stopping"),
        ("unleash", "V", "unleash unleashes unleashed unleashing"),
        ("cause", "V", "cause causes caused causing"),
        ("trigger", "V", "trigger triggers triggered triggering"),
        ("free", "V", "free frees freed freeing"),
        ("fade", "V", "fade fades faded fading"),
        ("decay", "N", "decay decays"),
        ("due", "J", "due"),
    ],
)
def test_words_are_inflected_as_english_spells_them(base: str, kind: str, forms: str) -> None:
    assert regular_inflections(base, kind) == set(forms.split())


@pytest.mark.parametrize(
    ("noun", "plural"), [("flood", "floods"), ("injury", "injuries"), ("virus", "viruses"), ("foot", "feet")]
)
def test_a_noun_has_its_plural(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural


@pytest.mark.parametrize(("verb", "gerund"), [("avoid", "avoiding"), ("tie", "tying"), ("take", "taking"), ("cut", "cutting")])
def test_a_verb_has_its_gerund(verb: str, gerund: str) -> None:
    assert gerund_of(verb) == gerund


@pytest.mark.parametrize("phrase", ["a flood", "an hour", "a university", "an uninsured driver", "an MRSA test", "a US court"])
def test_the_article_follows_the_pronunciation(phrase: str) -> None:
    article, _, words = phrase.partition(" ")
    assert indefinite_article(words) == article


def test_adjacent_words_of_a_name_have_capitals() -> None:
    assert spell_words("pearl harbor".split()) == ["Pearl", "Harbor"]
