"""Lists with claims near to a question: what joins them, and what is one entry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer
from kgqa.answering.lists.list_ranking import ListedName
from kgqa.answering.lists.listing import ListConclusion
from kgqa.answering.lists.near_listing import fold_order
from kgqa.answering.matching.claim_embeddings import build_embedding_index, open_embedding_index
from kgqa.answering.matching.claim_matcher import ClaimMatcher
from kgqa.pipeline import Pipeline

CLAIMS = [
    Claim("unemployment", "homelessness"),
    Claim("poverty", "homelessness"),
    Claim("eviction", "homelessness"),
    Claim("homelessness", "early death"),
    Claim("crimean war", "decline of ottoman empire"),
    Claim("world war i", "fall of ottoman empire"),
    Claim("deer tick", "lyme disease"),
    Claim("tick bite", "lyme disease"),
    Claim("levee", "flood", Relation.PREVENTS),
    Claim("heavy rain", "flood"),
    Claim("frost", "flood"),
]


@pytest.fixture(scope="module")
def matcher() -> ClaimMatcher:
    return ClaimMatcher()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, matcher: ClaimMatcher) -> Iterator[GraphStore]:
    path: Path = tmp_path_factory.mktemp("near") / "small.kgqa"
    with open_store(str(path), write=True, create=True) as store:
        store.add(Statement(claim, Evidence(Source("text", page_id=str(claim)), start=0, end=1)) for claim in CLAIMS)
        build_embedding_index(store, matcher)
        yield store


def ask(store: GraphStore, question: str) -> Answer:
    return Pipeline(store, embeddings=lambda matcher: open_embedding_index(store, matcher)).answer(question)


def names(answer: Answer) -> list[str]:
    return [finding.text for finding in answer.findings]


def test_a_list_that_rests_on_near_claims_is_a_list_of_all_that_their_concept_has(store: GraphStore) -> None:
    answer = ask(store, "Reasons people become homeless")
    assert isinstance(answer.conclusion, ListConclusion)
    assert set(names(answer)) == {"unemployment", "poverty", "eviction"}


def test_a_short_list_of_a_name_is_joined_with_what_is_claimed_under_another(store: GraphStore) -> None:
    answer = ask(store, "Causes of the decline of the Ottoman Empire")
    assert names(answer) == ["crimean war", "world war i"]


def test_the_kind_that_is_asked_for_tells_which_end_is_listed(store: GraphStore) -> None:
    assert names(ask(store, "which diseases do ticks spread to people")) == ["lyme disease"]


def test_what_an_encyclopedia_should_tell_comes_first_as_a_cause_or_as_a_remedy(store: GraphStore) -> None:
    assert names(ask(store, "What causes floods?")) == ["heavy rain", "frost"]


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ("wildfire", "bushfire", ["wildfire"]),
        ("poor ventilation", "ventilation", ["poor ventilation", "ventilation"]),
        ("high moisture level", "moisture", ["moisture"]),
        ("rapid discharge of lithium battery", "damage to lithium battery", None),
        ("insulin action", "insulin resistance", None),
    ],
)
def test_names_of_one_thing_are_one_entry_under_the_broader_name(
    first: str, second: str, shown: list[str] | None, store: GraphStore, matcher: ClaimMatcher
) -> None:
    candidates = [ListedName(name, (edge,), (edge.cause,)) for name, edge in zip((first, second), store.edges(), strict=False)]
    entries = fold_order(matcher).arrange(candidates, store)
    assert [entry.name for entry in entries] == (shown or [first, second])
    assert {name for entry in entries for name in (entry.name, *entry.merged_names)} == {first, second}
