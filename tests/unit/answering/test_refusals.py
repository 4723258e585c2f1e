"""Refusals that name the nearest things that a graph does hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answering.refusals import nearest_part
from kgqa.pipeline import Pipeline

CLAIMS = (
    ("virus", "fever"),
    ("infection", "fever"),
    ("heat", "fever"),
    ("wind", "fever"),
    ("earthquake", "tsunami"),
    ("pollen allergy", "itching"),
    ("martin luther", "reformation"),
    ("stamp act", "riot"),
)


@pytest.fixture
def store() -> Iterator[GraphStore]:
    with open_store("memory:", write=True) as store:
        for cause, effect in CLAIMS:
            source = Source("text", title=f"{cause} {effect}", page_id=f"{cause} {effect}")
            store.add([Statement(Claim(cause, effect), Evidence(source, text=f"{cause} causes {effect}."))])
        yield store


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "What causes earthquakes?",
            "Unknown: the graph does not say the causes of 'earthquakes'; it holds 1 effect of earthquakes: a tsunami.",
        ),
        (
            "What are the effects of fever?",
            "Unknown: the graph does not say the effects of 'fever'; "
            "it holds 4 causes of fever, such as heat, infection and viruses.",
        ),
    ],
)
def test_unknown_says_once_what_the_graph_does_hold(store: GraphStore, question: str, sentence: str) -> None:
    answer = Pipeline(store).answer(question)
    assert answer.sentence == sentence
    assert [gap.where.count("kgqa mine") for gap in answer.missing] == [1]


@pytest.mark.parametrize(
    ("phrase", "part"),
    [
        ("some pollen allergy tablets", "pollen allergy"),
        ("the assassination of Martin Luther King", None),
        ("the Stamp Act of 1765", "stamp act"),
        ("fever at night", None),
    ],
)
def test_the_nearest_part_of_a_phrase_cuts_no_name(store: GraphStore, phrase: str, part: str | None) -> None:
    assert nearest_part(phrase, store) == part
