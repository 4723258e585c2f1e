from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from graph.cached_view import CachedView
from graph.model import Claim, Concept, Edge, Evidence, Source, Stance, Statement, Strength
from graph.protocols import GraphView, Topology
from graph.stores.sqlite.embedded_store import EmbeddedStore

RAIN = Claim("rain", "flood")


class Counting:
    """A view that counts what it is asked."""

    def __init__(self, view: GraphView) -> None:
        self.view = view
        self.asked: Counter[str] = Counter()

    def concept(self, name: str) -> Concept | None:
        self.asked["concept"] += 1
        return self.view.concept(name)

    def causes(self, effect: str) -> Sequence[Edge]:
        self.asked["causes"] += 1
        return self.view.causes(effect)

    def effects(self, cause: str) -> Sequence[Edge]:
        self.asked["effects"] += 1
        return self.view.effects(cause)

    def edge(self, claim: Claim) -> Edge | None:
        self.asked["edge"] += 1
        return self.view.edge(claim)

    def topology(self) -> Topology:
        self.asked["topology"] += 1
        return self.view.topology()

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        self.asked["evidence"] += 1
        return self.view.evidence(claim)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        self.asked["search"] += 1
        return self.view.search(words, limit)

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        self.asked["similar"] += 1
        return self.view.similar(name, limit)


@pytest.fixture
def store() -> Iterator[EmbeddedStore]:
    with EmbeddedStore.in_memory() as store:
        source = Source("wikipedia", "Flood", "1")
        store.add([Statement(RAIN, Evidence(source, Stance.ASSERTED, Strength.CAUSES, "cause.verb", "Rain causes floods."))])
        yield store


def test_what_is_asked_twice_is_looked_up_once_and_is_the_same(store: EmbeddedStore) -> None:
    counting = Counting(store)
    once = CachedView(counting)
    for _ in range(2):
        assert once.concept("rain") == store.concept("rain")
        assert once.causes("flood") == store.causes("flood")
        assert once.effects("rain") == store.effects("rain")
        assert once.edge(RAIN) == store.edge(RAIN)
        assert once.evidence(RAIN) == store.evidence(RAIN)
        assert once.search(["rain"], limit=5) == store.search(["rain"], limit=5)
        assert once.similar("rainn") == store.similar("rainn")
        assert once.topology().number("rain") is not None
    assert set(counting.asked.values()) == {1}
    assert len(counting.asked) == 8


def test_the_causes_of_a_name_are_not_taken_for_its_effects(store: EmbeddedStore) -> None:
    once = CachedView(store)
    assert [edge.cause for edge in once.causes("flood")] == ["rain"]
    assert list(once.effects("flood")) == []


def test_that_nothing_was_found_is_kept_as_well(store: EmbeddedStore) -> None:
    counting = Counting(store)
    once = CachedView(counting)
    assert once.concept("hail") is once.concept("hail") is None
    assert counting.asked["concept"] == 1
