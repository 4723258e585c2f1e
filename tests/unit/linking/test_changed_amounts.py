from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.linking.changed_amounts import changed_amounts


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    names = ("oxygen depletion", "high blood sugar")
    store.add(Statement(Claim("cause", name), Evidence(Source("text", page_id=name), start=0, end=1)) for name in names)
    yield store
    store.close()


def test_what_lowers_the_amount_of_a_thing_causes_less_of_it_and_where_is_said(store: GraphStore) -> None:
    (link,) = changed_amounts("the amount of oxygen in lakes", "what lowers the amount of oxygen in lakes", store)
    assert (link.concepts, link.how, link.constraint) == (("oxygen depletion",), "broader", "in lakes")


def test_what_raises_a_thing_causes_more_of_it(store: GraphStore) -> None:
    (link,) = changed_amounts("blood sugar levels", "What raises blood sugar levels?", store)
    assert link.concepts == ("high blood sugar",)


def test_a_question_without_a_verb_of_change_has_none(store: GraphStore) -> None:
    assert list(changed_amounts("oxygen", "What causes oxygen?", store)) == []
