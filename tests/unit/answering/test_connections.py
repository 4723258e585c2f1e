"""How things are connected, the role of one in another, and causes and effects alike."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.pipeline import Pipeline


def said(cause: str, effect: str, pages: str = "a", relation: Relation = Relation.CAUSES) -> Iterator[Statement]:
    for page in pages:
        evidence = Evidence(Source("text", page_id=page, title=f"Page {page}"), start=0, end=9)
        yield Statement(Claim(cause, effect, relation), evidence)


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(said("smoking", "lung cancer", "abc"))
    store.add(said("asbestos", "lung cancer", "abc"))
    store.add(said("insulin", "diabetes", "ab", Relation.PREVENTS))
    store.add(said("iodine deficiency", "goitre", "ab"))
    store.add(said("sugar", "tooth decay", "ab"))
    store.add(said("sugar", "obesity", "ab"))
    store.add(said("scurvy", "bleeding gums", "ab"))
    store.add(said("vitamin C deficiency", "scurvy", "ab"))
    yield store
    store.close()


def sentence(store: GraphStore, question: str) -> str:
    return Pipeline(store, evidence=None).answer(question).sentence


@pytest.mark.parametrize(
    "question",
    [
        "How are smoking and lung cancer connected?",
        "How are lung cancer and smoking related?",
        "What does smoking have to do with lung cancer?",
        "smoking + lung cancer: connection pls",
        "role of smoking in lung cancer",
        "How could smoking end up causing lung cancer, step by step?",
        "smoking -> lung cancer ?? how",
    ],
)
def test_a_connection_is_told_in_the_direction_that_is_known(store: GraphStore, question: str) -> None:
    assert sentence(store, question).startswith("Smoking causes lung cancer")


def test_of_three_things_each_connection_that_is_known_is_told(store: GraphStore) -> None:
    answer = sentence(store, "smoking + asbestos + lung cancer: connection pls")
    assert "Smoking causes lung cancer" in answer
    assert "Asbestos causes lung cancer" in answer


def test_a_role_is_never_answered_with_no(store: GraphStore) -> None:
    answer = Pipeline(store, evidence=None).answer("role of insulin in diabetes")
    assert answer.answer != "no"
    assert not answer.sentence.startswith("No")
    assert "insulin prevents diabetes" in answer.sentence


def test_what_the_lack_of_a_thing_causes_is_a_part_of_its_role(store: GraphStore) -> None:
    assert "odine deficiency causes goitre" in sentence(store, "Role of iodine in goitre")


def test_what_causes_both_connects_two_things(store: GraphStore) -> None:
    assert "sugar" in sentence(store, "How are tooth decay and obesity connected?").lower()


def test_what_nothing_connects_is_unknown_and_not_denied(store: GraphStore) -> None:
    assert sentence(store, "How are goitre and smoking connected?").startswith("Unknown")


def test_a_note_that_asks_for_causes_and_effects_gets_both(store: GraphStore) -> None:
    answer = sentence(store, "scurvy - cause, effect?")
    assert "Causes of scurvy: vitamin C deficiency" in answer
    assert "Effects of scurvy: bleeding gums" in answer


def test_of_two_known_causes_a_choice_of_which_does_more_names_both(store: GraphStore) -> None:
    answer = Pipeline(store, evidence=None).answer("Is lung cancer due more to smoking or to asbestos?")
    assert answer.sentence.startswith("Both, as far as the graph knows; which does more, it does not say")
    assert answer.confidence < 0.95


def test_people_are_left_out_of_the_things_that_are_connected(store: GraphStore) -> None:
    answer = sentence(store, "sugar, teenagers, tooth decay - whats the link")
    assert answer.startswith("Sugar causes tooth decay")
