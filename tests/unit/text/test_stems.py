"""Stems, against samples of what each use had before they shared one module."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.stems import STEM_RULES, base_forms, porter_stems, porter_terms, prefix_stems, regular_roots, stem
from kgqa.readers.numeric.operands import operand_stem
from kgqa.readers.numeric.passage_tokens import passage_stem

HEADER, *ROWS = (
    line.split("\t") for line in Path(__file__).parent.joinpath("samples/stems.tsv").read_text(encoding="utf-8").splitlines()
)
WORDS = st.text("abdeginrsty'’", min_size=1, max_size=12)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_word_has_the_stems_it_had(row: list[str]) -> None:
    word, fact, yes_no, operand, porter = row
    assert HEADER == ["word", "facts", "yes-no", "operands", "porter"]
    assert (passage_stem(word), stem(word, "yes-no"), operand_stem(word)) == (fact, yes_no, operand)
    assert porter_stems({word}) == {word: porter}


@given(WORDS, st.sampled_from(sorted(STEM_RULES)))
def test_a_stem_keeps_the_beginning_of_its_word(word: str, rules: str) -> None:
    cut = stem(word, rules)
    assert len(cut) <= len(word)
    assert word.startswith(cut) or (word.startswith(cut[:-1]) and cut.endswith(("y", "s")))


@given(st.lists(st.text("abcdeé -1", max_size=20), max_size=5))
def test_the_porter_terms_of_texts_are_those_of_each(texts: list[str]) -> None:
    assert porter_terms(texts) == [terms for text in texts for terms in porter_terms([text])]


def test_the_terms_of_a_text_keep_their_order() -> None:
    assert porter_terms(["floods causing floods", ""]) == [["flood", "caus", "flood"], []]


def test_a_word_has_the_base_forms_it_may_come_from() -> None:
    assert base_forms("studies") == ["studies", "study", "studi", "studie"]
    assert base_forms("used") == ["used", "use", "use"]
    assert list(regular_roots("stopped")) == ["stopp", "stoppe", "stop", "stoppe", "stoppee"]
    assert list(regular_roots("carried")) == ["carri", "carrie", "carry", "carrie", "carriee"]


def test_words_with_one_beginning_have_one_prefix() -> None:
    assert prefix_stems(["flooded", "floods", "sea"]) == {"flood", "sea"}
    assert prefix_stems(["economy", "economic"], 6) == {"econom"}
