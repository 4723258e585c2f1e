from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answering.matching.claim_matcher import ClaimMatcher
from kgqa.answering.matching.near_names import near_name_candidates
from kgqa.cli import run
from kgqa.cli.index import embed
from kgqa.errors import EmbeddingsInvalid
from kgqa.linking.linker import link_phrase
from kgqa.linking.name_embeddings import build_embedding_index, open_embedding_index
from kgqa.questions.classifier import classify
from kgqa.request import Request

NAMES = [
    "extinction of woolly mammoth",
    "indoor mold",
    "high rent",
    "British entry into World War II",
    "pollen",
    "cold ocean current",
]
QUESTION = "What are the effects of woolly mammoths dying out?"


def statements(names: list[str]) -> Iterator[Statement]:
    for name in names:
        yield Statement(Claim(name, "trouble"), Evidence(Source("text", page_id=name), start=0, end=1))


@pytest.fixture(scope="module")
def matcher() -> ClaimMatcher:
    return ClaimMatcher()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GraphStore]:
    with open_store(str(tmp_path / "small.kgqa"), write=True, create=True) as store:
        store.add(statements(NAMES))
        yield store


def near_names(question: str, store: GraphStore, matcher: ClaimMatcher) -> list[list[str]]:
    index = open_embedding_index(store, matcher)
    assert index is not None
    request = Request(question, classify(question), store)
    return [[candidate.name for candidate in names] for names in near_name_candidates(request, matcher, index)]


def test_the_nearest_name_is_the_one_with_the_meaning(store: GraphStore, matcher: ClaimMatcher) -> None:
    build_embedding_index(store, matcher)
    index = open_embedding_index(store, matcher)
    assert index is not None
    for phrase, name in (("mould on the wall of the bathroom", "indoor mold"), ("expensive flats", "high rent")):
        assert all(reading.score <= 0.5 for reading in link_phrase(phrase, store))
        assert index.nearest(matcher.vectors([phrase])[0], 2)[0].name == name


def test_names_are_near_for_what_names_nothing_alone(store: GraphStore, matcher: ClaimMatcher) -> None:
    build_embedding_index(store, matcher)
    assert near_names(QUESTION, store, matcher)[0][0] == "extinction of woolly mammoth"
    assert near_names("What are the effects of indoor mold?", store, matcher) == []
    assert near_names("What are the effects of mildew?", store, matcher) == []


def test_another_number_or_a_sibling_is_never_near(store: GraphStore, matcher: ClaimMatcher) -> None:
    build_embedding_index(store, matcher)
    for question, name in (
        ("What were the effects of Britain going into the First World War?", "british entry into world war ii"),
        ("What are the effects of a warm sea current?", "cold ocean current"),
    ):
        assert not any(name in names for names in near_names(question, store, matcher))


def test_vectors_of_another_state_are_not_used(store: GraphStore, matcher: ClaimMatcher) -> None:
    assert open_embedding_index(store, matcher) is None
    build_embedding_index(store, matcher)
    store.add(statements(["rising rents"]))
    assert open_embedding_index(store, matcher) is None


def test_making_vectors_again_replaces_the_earlier_ones(store: GraphStore, matcher: ClaimMatcher) -> None:
    first = build_embedding_index(store, matcher)
    store.add(statements(["dermal pollen"]))
    second = build_embedding_index(store, matcher)
    assert second.names == first.names + 1
    assert [path.name for path in second.path.parent.glob("embeddings-*")] == [second.path.name]


def test_damaged_vectors_are_an_error_in_a_line(store: GraphStore, matcher: ClaimMatcher) -> None:
    made = build_embedding_index(store, matcher)
    content = bytearray(made.path.read_bytes())
    content[4096 + 5] ^= 0xFF  # behind the header, where the first section begins
    made.path.write_bytes(content)
    with pytest.raises(EmbeddingsInvalid, match="damaged"):
        near_names(QUESTION, store, matcher)


def test_a_graph_in_memory_has_no_place_for_vectors(matcher: ClaimMatcher) -> None:
    with open_store("memory:", write=True) as store, pytest.raises(EmbeddingsInvalid, match="'memory:' is none"):
        build_embedding_index(store, matcher)


def test_an_empty_graph_has_no_nearest_name(tmp_path: Path, matcher: ClaimMatcher) -> None:
    with open_store(str(tmp_path / "empty.kgqa"), write=True, create=True) as store:
        assert build_embedding_index(store, matcher).names == 0
        assert near_names(QUESTION, store, matcher) == []


def test_the_command_makes_what_asking_uses(store: GraphStore, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["ask", QUESTION, "-g", store.url, "--json"]
    made = CliRunner().invoke(embed, ["-g", store.url, "--json"])
    assert made.exit_code == 0, made.output
    assert json.loads(made.output)["names"] == len(NAMES)
    assert run(asked) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["answer"] == "trouble"
    assert "extinction of woolly mammoth" in record["sentence"].lower()
