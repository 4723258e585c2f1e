from __future__ import annotations

from pathlib import Path

import pytest

from kgqa.linking import nominal_phrases as module
from kgqa.linking.nominal_phrases import clause_verb, nominal_phrases

TABLE = Path(module.__file__).with_name("data") / "nominalizations.tsv"


def _without_articles(phrase: str) -> str:
    return " ".join(word for word in phrase.split() if word not in ("the", "a", "their"))


EXAMPLES = [line.split("\t")[3].split(": ") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]


@pytest.mark.parametrize(("clause", "noun"), EXAMPLES, ids=[clause for clause, _ in EXAMPLES])
def test_a_verb_of_the_table_gives_the_noun_of_its_example(clause: str, noun: str) -> None:
    assert _without_articles(noun.lower()) in {_without_articles(phrase.text) for phrase in nominal_phrases(clause)}


@pytest.mark.parametrize(
    ("clause", "noun", "left_out"),
    [
        ("kill people", "death", ""),
        ("children hyperactive", "hyperactivity of children", ""),
        ("children hyperactive", "hyperactivity", "children"),
        ("volcanoes erupt", "volcanic eruption", ""),
        ("the ozone layer is destroyed", "destruction of ozone layer", ""),
        ("Germany invaded Poland", "invasion of poland", "germany"),
        ("the fall of the empire", "collapse of empire", ""),
        ("the mammoths wiped out", "extinction of mammoths", ""),
        ("storms get their strength", "strength of storms", ""),
        ("storms get their strength in summer", "strength of storms", "in summer"),
        ("people get headaches", "headaches", ""),
        ("glaciers retreat in summer", "retreat of glaciers", "in summer"),
    ],
)
def test_what_a_noun_leaves_out_is_said(clause: str, noun: str, left_out: str) -> None:
    assert (noun, left_out) in [(phrase.text, phrase.left_out) for phrase in nominal_phrases(clause)]


@pytest.mark.parametrize("phrase", ["lung cancer", "back pain in adults", "heart disease", "", "cats have whiskers"])
def test_a_noun_phrase_and_what_nobody_suffers_are_no_clauses(phrase: str) -> None:
    assert clause_verb(phrase) == ""
