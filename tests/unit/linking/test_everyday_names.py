"""Everyday names: which phrases say the same, which do not, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.linking.concept_links import BROADER, EVERYDAY
from kgqa.linking.everyday_names import everyday_key, everyday_names
from kgqa.linking.linker import link_phrase

TABLE = Path(__file__).parents[3] / "kgqa" / "linking" / "data" / "everyday_names.tsv"
NAMES = ["hypothyroidism", "coral bleaching", "insomnia", "world war i", "deforestation", "sleep", "anemia"]


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(Statement(Claim(name, "trouble"), Evidence(Source("text", page_id=name), start=0, end=1)) for name in NAMES)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("phrase", "alike"),
    [
        ("the coral reefs are turning white", "white coral reefs"),
        ("people lose their hair", "losing hair"),
        ("mould in the house", "mold in houses"),
        ("tumours of the brain", "a brain tumor"),
        ("iron goes rusty", "rusty iron"),
        ("the pipes froze", "pipes freeze"),
    ],
)
def test_order_articles_number_tense_and_spelling_do_not_matter(phrase: str, alike: str) -> None:
    assert everyday_key(phrase) == everyday_key(alike)


@pytest.mark.parametrize(
    ("phrase", "unlike"),
    [
        ("able to sleep", "not able to sleep"),
        ("get enough iron", "don't get enough iron"),
        ("too much salt", "salt"),
        ("prices go up", "prices go down"),
        ("the lights go out", "light"),
        ("chest pain", "pain"),
        ("killing people", "killing bees"),
    ],
)
def test_a_negation_a_direction_and_every_other_word_matter(phrase: str, unlike: str) -> None:
    assert everyday_key(phrase) != everyday_key(unlike)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("an underactive thyroid", "hypothyroidism"),
        ("coral reefs turning white", "coral bleaching"),
        ("you can't sleep", "insomnia"),
        ("the outbreak of World War One", "world war i"),
        ("the Great War", "world war i"),
    ],
)
def test_a_phrase_is_read_as_the_name_that_means_the_same(store: GraphStore, phrase: str, name: str) -> None:
    reading = next(iter(link_phrase(phrase, store)))
    assert reading.concepts[0] == name
    assert reading.score >= 0.85
    assert not reading.constraint


def test_what_is_said_beside_an_everyday_name_is_not_dropped_in_silence(store: GraphStore) -> None:
    reading = next(iter(link_phrase("coral reefs turning white after a hot summer", store)))
    assert (reading.concepts, reading.how, reading.constraint) == (("coral bleaching",), BROADER, "after a hot summer")


def test_an_act_is_no_everyday_name_of_a_state(store: GraphStore) -> None:
    assert all(reading.how != EVERYDAY for reading in link_phrase("thin the blood", store))


def test_the_table_is_in_the_order_of_its_bytes_and_each_key_is_the_key_of_a_phrase() -> None:
    lines = TABLE.read_bytes().splitlines()
    assert lines == sorted(lines)
    phrases = TABLE.parents[3] / "scripts" / "build" / "everyday_phrases.tsv"
    keys = {
        everyday_key(phrase)
        for line in phrases.read_text(encoding="utf-8").splitlines()
        for phrase in line.partition("\t")[2].split(";")
    }
    assert {line.split(b"\t")[0].decode() for line in lines} <= keys


def test_a_phrase_that_nobody_wrote_down_has_no_name() -> None:
    assert everyday_names("the purple flurbs glimber") == []
    assert everyday_names("") == []
