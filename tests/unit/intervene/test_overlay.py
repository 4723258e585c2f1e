from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.intervene import Intervention, Overlay, Presence
from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store

CLAIMS = [("smoking", "cancer"), ("asbestos", "cancer"), ("stress", "smoking"), ("cancer", "death")]


@pytest.fixture
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    for cause, effect in CLAIMS:
        store.add([Statement(Claim(cause, effect), Evidence(Source("text", page_id=cause), start=0, end=1))])
    yield store
    store.close()


def world(store: GraphStore, setting: Presence) -> Overlay:
    return Overlay(store, frozenset({Intervention("smoking", setting)}))


def test_an_absent_concept_causes_nothing_and_has_no_causes(store: GraphStore) -> None:
    without = world(store, Presence.ABSENT)
    assert [edge.cause for edge in without.causes("cancer")] == ["asbestos"]
    assert without.effects("smoking") == []
    assert without.causes("smoking") == []
    assert without.effects("stress") == []


def test_a_forced_concept_keeps_its_effects_but_not_its_causes(store: GraphStore) -> None:
    forced = world(store, Presence.PRESENT)
    assert [edge.effect for edge in forced.effects("smoking")] == ["cancer"]
    assert forced.causes("smoking") == []


def test_what_does_not_descend_from_the_concept_stays_as_it_is(store: GraphStore) -> None:
    without = world(store, Presence.ABSENT)
    for name in ("asbestos", "death"):
        assert list(without.causes(name)) == list(store.causes(name))
        assert list(without.effects(name)) == list(store.effects(name))


def test_the_graph_below_is_untouched(store: GraphStore) -> None:
    digest = store.digest()
    world(store, Presence.ABSENT).causes("cancer")
    assert store.digest() == digest
    assert [edge.cause for edge in store.causes("cancer")] == ["asbestos", "smoking"]


def test_overlays_stack(store: GraphStore) -> None:
    both = Overlay(world(store, Presence.ABSENT), frozenset({Intervention("asbestos", Presence.ABSENT)}))
    assert both.causes("cancer") == []
