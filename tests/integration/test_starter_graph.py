"""The graph that ships with kgqa."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from graph.errors import StoreReadOnly
from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Verdict
from kgqa.pipeline import Pipeline
from kgqa.settings import starter_graph

PATH = Path(starter_graph())


@pytest.fixture(scope="module")
def starter() -> Iterator[GraphStore]:
    store = open_store(starter_graph())
    yield store
    store.close()


def test_it_ships_at_most_forty_megabytes() -> None:
    assert 1_000_000 < PATH.stat().st_size <= 40_000_000


def test_its_digest_is_the_one_that_its_notice_names(starter: GraphStore) -> None:
    notice = resources.files("graph").joinpath("data", "NOTICE.md").read_text(encoding="utf-8")
    assert starter.digest() in notice
    assert "CC BY-SA" in notice
    assert "CC BY 4.0" in notice


def test_it_is_sound(starter: GraphStore) -> None:
    assert list(starter.check()) == []


def test_it_holds_places_and_no_sentences(starter: GraphStore) -> None:
    stats = starter.stats()
    assert stats.sentences == 0
    assert stats.claims > 50_000
    for statement in starter.statements():
        evidence = statement.evidence
        assert evidence.text is None
        if evidence.source.kind == "wikipedia":
            assert evidence.source.title
            assert evidence.source.page_id
            assert evidence.source.url
            assert evidence.start is not None
            assert evidence.end is not None
            assert evidence.start < evidence.end


def test_asking_writes_nothing(starter: GraphStore) -> None:
    assert (
        Pipeline(starter).answer("What causes floods?").answer
    )  # the first answer of all makes the index, in this process or another
    before = hashlib.blake2b(PATH.read_bytes()).hexdigest()
    beside = sorted(PATH.parent.iterdir())
    assert Pipeline(starter).answer("What causes tsunamis?").answer
    assert hashlib.blake2b(PATH.read_bytes()).hexdigest() == before
    assert sorted(PATH.parent.iterdir()) == beside


def test_it_cannot_be_written_to(starter: GraphStore) -> None:
    with pytest.raises(StoreReadOnly):
        starter.add([Statement(Claim("a", "b"), Evidence(Source("text")))])


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What causes tsunamis?", "earthquake"),
        ("What are the effects of deforestation?", "climate change"),
        ("What prevents scurvy?", "citrus fruit"),
        ("What does asbestos cause?", "lung cancer"),
        ("What causes acid rain?", "sulfur dioxide"),
    ],
)
def test_it_names_what_everybody_knows(starter: GraphStore, question: str, named: str) -> None:
    answer = Pipeline(starter, limit=20).answer(question)
    assert named in [finding.text for finding in answer.findings]
    assert answer.evidence


def test_it_knows_the_direction_of_smoking_and_lung_cancer(starter: GraphStore) -> None:
    assert Pipeline(starter).answer("Does smoking cause lung cancer?").verdict is Verdict.YES
    assert Pipeline(starter).answer("Does lung cancer cause smoking?").verdict is not Verdict.YES
