from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from graph.belief.curation import Curation, Mark
from graph.model import Claim, Evidence, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answering.matching.claim_embeddings import build_embedding_index, open_embedding_index
from kgqa.answering.matching.claim_matcher import ClaimMatcher
from kgqa.cli import run
from kgqa.cli.index import embed
from kgqa.curations import CuratedClaim, mark_claims
from kgqa.errors import EmbeddingsInvalid

CLAIMS = [
    Claim("human hunting", "extinction of woolly mammoth"),
    Claim("dampness", "indoor mold"),
    Claim("fluoride", "tooth decay", Relation.PREVENTS),
    Claim("housing shortage", "high rent"),
]
QUESTION = "Why did the mammoths disappear?"


def statements(claims: list[Claim]) -> Iterator[Statement]:
    for claim in claims:
        yield Statement(claim, Evidence(Source("text", page_id=str(claim)), start=0, end=1))


@pytest.fixture(scope="module")
def matcher() -> ClaimMatcher:
    return ClaimMatcher()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GraphStore]:
    with open_store(str(tmp_path / "small.kgqa"), write=True, create=True) as store:
        store.add(statements(CLAIMS))
        yield store


def nearest(question: str, store: GraphStore, matcher: ClaimMatcher) -> list[Claim]:
    index = open_embedding_index(store, matcher)
    assert index is not None
    return [near.claim for near in index.nearest(matcher.vectors([question])[0], 2)]


@pytest.mark.parametrize(
    ("question", "place"),
    [
        (QUESTION, 0),
        ("why is there fungus on my bathroom wall", 1),
        ("how do I keep my teeth healthy", 2),
        ("expensive flats why", 3),
    ],
)
def test_the_nearest_claim_is_the_one_that_answers(question: str, place: int, store: GraphStore, matcher: ClaimMatcher) -> None:
    build_embedding_index(store, matcher)
    assert nearest(question, store, matcher)[0] == CLAIMS[place]


def test_vectors_of_another_state_are_not_used(store: GraphStore, matcher: ClaimMatcher) -> None:
    assert open_embedding_index(store, matcher) is None
    build_embedding_index(store, matcher)
    store.add(statements([Claim("demand", "rising rents")]))
    assert open_embedding_index(store, matcher) is None


def test_making_vectors_again_replaces_the_earlier_ones(store: GraphStore, matcher: ClaimMatcher) -> None:
    first = build_embedding_index(store, matcher)
    store.add(statements([Claim("pollen", "hay fever")]))
    second = build_embedding_index(store, matcher)
    assert second.claims == first.claims + 1
    assert [path.name for path in second.path.parent.glob("embeddings-*")] == [second.path.name]


def test_damaged_vectors_are_an_error_in_a_line(store: GraphStore, matcher: ClaimMatcher) -> None:
    made = build_embedding_index(store, matcher)
    content = bytearray(made.path.read_bytes())
    content[4096 + 5] ^= 0xFF  # behind the header, where the first section begins
    made.path.write_bytes(content)
    with pytest.raises(EmbeddingsInvalid, match="damaged"):
        nearest(QUESTION, store, matcher)


def test_a_graph_in_memory_has_no_place_for_vectors(matcher: ClaimMatcher) -> None:
    with open_store("memory:", write=True) as store, pytest.raises(EmbeddingsInvalid, match="'memory:' is none"):
        build_embedding_index(store, matcher)


def test_an_empty_graph_has_no_nearest_claim(tmp_path: Path, matcher: ClaimMatcher) -> None:
    with open_store(str(tmp_path / "empty.kgqa"), write=True, create=True) as store:
        assert build_embedding_index(store, matcher).claims == 0
        assert nearest(QUESTION, store, matcher) == []


def test_the_command_makes_what_asking_uses(store: GraphStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", QUESTION, "-g", store.url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] is None
    made = CliRunner().invoke(embed, ["-g", store.url, "--json"])
    assert made.exit_code == 0, made.output
    assert json.loads(made.output)["claims"] == len(CLAIMS)
    assert run(["ask", QUESTION, "-g", store.url, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert "human hunting" in record["sentence"].lower()


def test_a_graph_whose_claims_are_marked_keeps_its_vectors(store: GraphStore, matcher: ClaimMatcher) -> None:
    build_embedding_index(store, matcher)
    before = nearest(QUESTION, store, matcher)
    curation = Curation(Mark.WRONG, "it only may", "Ada", "2026-11-29T00:00:00.000+00:00")
    assert mark_claims(store, [CuratedClaim(CLAIMS[1], curation)]) == (1, [])
    assert nearest(QUESTION, store, matcher) == before
