"""Answers by claims near to a question: chains that are joined over like middles, options that are compared, contrary events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer
from kgqa.answering.matching.claim_embeddings import build_embedding_index
from kgqa.answering.matching.claim_matcher import ClaimMatcher
from kgqa.linking.lexical_relations import is_contrary_event
from kgqa.pipeline import Pipeline, graph_embeddings
from kgqa.wording.claim_clauses import claim_clause

CLAIMS = (
    Claim("potato blight", "great irish famine"),
    Claim("great famine in ireland", "emigration from ireland"),
    Claim("obesity", "sleep apnea"),
    Claim("sleep apnea", "daytime sleepiness"),
    Claim("english policy in ireland", "great famine in ireland"),
    Claim("brain drain", "construction of berlin wall", Relation.MOTIVATES),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    path: Path = tmp_path_factory.mktemp("near") / "small.kgqa"
    with open_store(str(path), write=True, create=True) as store:
        store.add(Statement(claim, Evidence(Source("text", page_id=str(claim)), start=0, end=1)) for claim in CLAIMS)
        build_embedding_index(store, ClaimMatcher())
        yield store


def ask(store: GraphStore, question: str) -> Answer:
    return Pipeline(store, embeddings=graph_embeddings(lambda: store)).answer(question)


def test_two_claims_with_a_middle_in_other_words_tell_how(store: GraphStore) -> None:
    answer = ask(store, "How did the potato blight lead to emigration from Ireland?")
    assert answer.sentence.startswith("Potato blight causes the Great Irish Famine, and ")
    assert [edge.claim for edge in answer.findings[0].path.edges] == list(CLAIMS[:2])


def test_a_chain_that_leads_past_what_is_asked_about_is_none(store: GraphStore) -> None:
    answer = ask(store, "How does obesity cause sleep apnea?")
    assert answer.sentence.startswith("Obesity causes sleep apnea; the graph says that, but not how")


@pytest.mark.parametrize(
    "question",
    [
        "Was the Great Famine in Ireland caused more by potato blight or by English policy?",
        "Potato blight vs. English policy, which one caused the Irish famine more?",
    ],
)
def test_of_two_that_are_compared_both_are_told_and_not_which_does_more(question: str, store: GraphStore) -> None:
    sentence = ask(store, question).sentence
    assert sentence.startswith("Both, as far as the graph knows; which does more, it does not say")
    assert "potato blight" in sentence.lower()
    assert "English" in sentence


def test_the_fall_of_a_thing_is_not_told_with_its_building(store: GraphStore) -> None:
    assert not ask(store, "What caused the fall of the Berlin Wall?").is_decided


@pytest.mark.parametrize(
    ("phrase", "name", "contrary"),
    [
        ("the fall of the Berlin Wall", "construction of berlin wall", True),
        ("the fall of the Berlin Wall", "berlin wall", True),
        ("the fall of the Berlin Wall", "fall of berlin wall", False),
        ("the founding of Rome", "decline of rome", True),
        ("the Soviet Union collapse", "dissolution of the soviet union", False),
        ("the invention of the telephone", "telephone", False),
        ("memory loss", "memory impairment", False),
        ("the end of the shogun's rule in Japan", "opening of japan", False),
    ],
)
def test_a_thing_that_goes_is_not_one_that_comes(phrase: str, name: str, contrary: bool) -> None:
    assert is_contrary_event(phrase, name) is contrary


def test_what_transmits_something_spreads_it() -> None:
    with open_store("memory:", write=True) as store:
        evidence = Evidence(Source("text", page_id="1"), rule="transmit.active", start=0, end=1)
        store.add([Statement(Claim("mosquito", "malaria"), evidence)])
        assert claim_clause(store.causes("malaria")[0]) == "mosquitoes spread malaria"
