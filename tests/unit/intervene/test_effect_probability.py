from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import pytest

from graph.intervene import Add, Edit, Intervention, Overlay, Presence, Remove, Replace
from graph.intervene.effect_probability import (
    RegionBound,
    ancestor_scope,
    compare_worlds,
    effect_probabilities,
    noisy_or,
    region_of_scope,
    sample_probability,
    wilson_95_interval,
)
from graph.model import Claim, Concept, Edge, Evidence, Path, Polarity, Relation, Source, Statement
from graph.protocols import GraphStore, GraphView, Topology
from graph.stores import open_store
from graph.topology import DRIVING_LINKS, NamedTopology

CHAIN = [("storm", "rain"), ("rain", "flood"), ("thaw", "flood"), ("flood", "loss")]


@pytest.fixture
def store() -> Iterator[GraphStore]:
    """A chain with two sources of floods; each claim is believed alike."""
    with_claims = open_store("memory:", write=True)
    for cause, effect in CHAIN:
        evidence = [Evidence(Source("text", page_id=f"{cause}{copy}"), start=0, end=1) for copy in range(3)]
        with_claims.add([Statement(Claim(cause, effect), one) for one in evidence])
    yield with_claims
    with_claims.close()


class Chained:
    """A view of edges, found by their ends."""

    def __init__(self, edges: Iterable[Edge]) -> None:
        self._out: dict[str, list[Edge]] = defaultdict(list)
        self._into: dict[str, list[Edge]] = defaultdict(list)
        for edge in edges:
            self._out[edge.cause].append(edge)
            self._into[edge.effect].append(edge)

    def concept(self, name: str) -> Concept | None:
        return Concept(name)

    def causes(self, effect: str) -> Sequence[Edge]:
        return self._into[effect]

    def effects(self, cause: str) -> Sequence[Edge]:
        return self._out[cause]

    def edge(self, claim: Claim) -> Edge | None:
        return next((edge for edge in self._out[claim.cause] if edge.claim == claim), None)

    def topology(self) -> Topology:
        return NamedTopology(self)

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        return ()

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        return ()

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        return ()


def absent(name: str) -> Intervention:
    return Intervention(name, Presence.ABSENT)


def present(name: str) -> Intervention:
    return Intervention(name, Presence.PRESENT)


def claimed(cause: str, effect: str, belief: float, relation: Relation = Relation.CAUSES) -> Add:
    return Add(Edge(Claim(cause, effect, relation), belief))


def names(paths: Sequence[Path]) -> list[str]:
    return [" ".join(path.concepts) for path in paths]


def probable(view: GraphView, name: str) -> float:
    return noisy_or(region_of_scope(view, ancestor_scope([view], [name]), [name]))


def test_what_only_an_absent_concept_holds_up_falls_with_it(store: GraphStore) -> None:
    assert Overlay(store, [absent("storm")]).gone == {"storm", "rain"}
    assert Overlay(store, [absent("storm"), absent("thaw")]).gone == {"storm", "rain", "thaw", "flood", "loss"}


def test_concepts_that_cause_one_another_do_not_hold_each_other_up(store: GraphStore) -> None:
    circle = [claimed("loss", "flood", 0.9), absent("storm"), absent("thaw")]
    assert {"flood", "loss"} <= Overlay(store, circle).gone


def test_a_circle_that_the_edit_does_not_reach_stands_as_it_did(store: GraphStore) -> None:
    circle = Overlay(store, [claimed("egg", "hen", 0.9), claimed("hen", "egg", 0.9), claimed("hen", "flood", 0.9)])
    assert "flood" not in Overlay(circle, [absent("storm"), absent("thaw")]).gone


def test_a_claim_that_is_believed_little_still_holds_its_effect_up(store: GraphStore) -> None:
    assert Overlay(store, [claimed("tide", "rain", 0.01), absent("storm")]).gone == {"storm"}
    assert Overlay(store, [claimed("tide", "rain", 0.01, Relation.ASSOCIATED), absent("storm")]).gone == {"storm", "rain"}


def test_a_long_circle_falls_in_time_that_grows_with_its_length() -> None:
    edges = [Edge(Claim(str(number), str((number + 1) % 40_000)), 0.9) for number in range(40_000)]
    ring = Chained([*edges, Edge(Claim("storm", "5"), 0.9)])
    began = time.process_time()
    assert len(Overlay(ring, [absent("storm")]).gone) == 40_001
    assert time.process_time() - began < 20


def test_what_prevents_holds_nothing_up_and_its_absence_lets_nothing_fall(store: GraphStore) -> None:
    dam = Overlay(store, [claimed("dam", "flood", 0.9, Relation.PREVENTS)])
    assert Overlay(dam, [absent("dam")]).gone == {"dam"}
    assert "flood" in Overlay(dam, [absent("storm"), absent("thaw")]).gone


def test_of_two_settings_the_later_one_holds(store: GraphStore) -> None:
    again = Overlay(Overlay(store, [absent("storm")]), [present("storm")])
    assert again.gone == set()
    assert [edge.effect for edge in again.effects("storm")] == ["rain"]


def test_a_removed_claim_lets_its_effect_fall(store: GraphStore) -> None:
    assert Overlay(store, [Remove(Claim("storm", "rain"))]).gone == {"rain"}


def test_a_replaced_edge_has_its_new_belief_and_place(store: GraphStore) -> None:
    told = Edge(Claim("rain", "flood", polarity=Polarity.INCREASES), 0.2)
    view = Overlay(store, [Replace(Claim("rain", "flood"), told)])
    assert view.edge(Claim("rain", "flood")) is None
    assert [edge.cause for edge in view.causes("flood")] == ["thaw", "rain"]
    assert view.causes("flood")[1].belief == 0.2


def test_a_concept_that_only_an_added_edge_knows_is_there(store: GraphStore) -> None:
    view = Overlay(store, [claimed("broken dam", "flood", 0.9)])
    concept = view.concept("broken dam")
    assert concept is not None
    assert concept.name == "broken dam"
    assert view.search(["dam"]) == ["broken dam"]
    assert view.topology().number("broken dam") is not None


class Counted:
    """A line of 300 concepts, with a second cause of the hundredth, that counts the rows it is asked for."""

    def __init__(self) -> None:
        self.asked = 0
        ends = [*((f"n{place}", f"n{place + 1}") for place in range(300)), ("side", "n100")]
        self.edges = [Edge(Claim(cause, effect), 0.9) for cause, effect in ends]

    def concept(self, name: str) -> Concept | None:
        return Concept(name)

    def causes(self, effect: str) -> Sequence[Edge]:
        self.asked += 1
        return [edge for edge in self.edges if edge.effect == effect]

    def effects(self, cause: str) -> Sequence[Edge]:
        self.asked += 1
        return [edge for edge in self.edges if edge.cause == cause]

    def edge(self, claim: Claim) -> Edge | None:
        return next((edge for edge in self.edges if edge.claim == claim), None)

    def topology(self) -> Topology:
        return NamedTopology(self)

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        return []

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        return []

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        return []


def test_an_overlay_asks_the_graph_below_for_few_rows() -> None:
    line = Counted()
    assert Overlay(line, [absent("n98")]).gone == {"n98", "n99"}
    assert 0 < line.asked < 20
    assert len(Overlay(line, [absent("side"), absent("n98")]).gone) == 204


def test_the_difference_names_what_is_lost_and_what_is_left(store: GraphStore) -> None:
    one = compare_worlds(store, Overlay(store, [absent("rain")]), ["flood"])
    assert (names(one.lost), names(one.surviving), one.gained) == (["rain flood"], ["thaw flood"], ())


def test_the_difference_follows_routes_from_a_source(store: GraphStore) -> None:
    one = compare_worlds(store, Overlay(store, [absent("rain")]), ["loss"], ["storm"])
    assert (names(one.lost), one.surviving, one.gained) == (["storm rain flood loss"], (), ())
    assert one.chances.before.noisy_or > 0.5
    assert one.chances.after.noisy_or == one.chances.after.sampled == 0.0


def test_an_added_edge_gains_routes(store: GraphStore) -> None:
    one = compare_worlds(store, Overlay(store, [claimed("storm", "flood", 0.9)]), ["loss"], ["storm"])
    assert names(one.gained) == ["storm flood loss"]
    assert names(one.surviving) == ["storm rain flood loss"]


def test_a_route_that_is_only_less_believed_is_lost_where_nobody_believes_it_any_more(store: GraphStore) -> None:
    faint = Overlay(store, [Replace(Claim("storm", "rain"), Edge(Claim("storm", "rain"), 0.6))])
    one = compare_worlds(store, faint, ["rain"], ["storm"])
    assert (one.lost, one.surviving[0].score) == ((), 0.6)
    denied = Overlay(store, [Replace(Claim("storm", "rain"), Edge(Claim("storm", "rain"), 0.4))])
    assert names(compare_worlds(store, denied, ["rain"], ["storm"]).lost) == ["storm rain"]


def test_a_prevention_lowers_what_its_effect_has(store: GraphStore) -> None:
    dam = Overlay(store, [claimed("dam", "flood", 0.75, Relation.PREVENTS)])
    assert probable(dam, "flood") == pytest.approx(probable(store, "flood") * 0.25)
    both = effect_probabilities(dam, Overlay(dam, [absent("dam")]), ["loss"], ["rain", "dam"])
    assert both.before.sampled < both.after.sampled
    assert both.before.noisy_or == pytest.approx(both.after.noisy_or * 0.25)


def test_what_is_set_present_is_given(store: GraphStore) -> None:
    both = effect_probabilities(store, Overlay(store, [present("thaw")]), ["loss"], ["storm"])
    assert both.after.noisy_or > both.before.noisy_or
    assert probable(Overlay(store, [present("loss")]), "loss") == 1.0
    assert probable(Overlay(store, [absent("loss")]), "loss") == 0.0


def test_two_that_prevent_one_another_settle_half_way(store: GraphStore) -> None:
    duel = Overlay(store, [claimed("cat", "dog", 1.0, Relation.PREVENTS), claimed("dog", "cat", 1.0, Relation.PREVENTS)])
    one = region_of_scope(duel, ancestor_scope([duel], ["cat"]), ["cat"])
    assert noisy_or(one) == pytest.approx(0.5)
    assert sample_probability(one) == 0.5


def test_a_circle_of_sure_claims_settles_at_what_enters_it(store: GraphStore) -> None:
    edits: list[Edit] = [claimed("a", "b", 1.0), claimed("b", "a", 1.0), claimed("storm", "a", 0.3)]
    circle = Overlay(store, edits)
    assert sample_probability(
        region_of_scope(circle, ancestor_scope([circle], ["b"]), ["b"], ["storm"]), samples=4000
    ) == pytest.approx(0.3, abs=0.03)


def test_the_same_seed_gives_the_same_share_and_another_one_another(store: GraphStore) -> None:
    one = region_of_scope(store, ancestor_scope([store], ["loss"]), ["loss"])
    assert sample_probability(one, seed=1) == sample_probability(one, seed=1)
    assert len({sample_probability(one, seed) for seed in range(5)}) > 1


def test_the_interval_narrows_with_the_number_of_samples() -> None:
    assert wilson_95_interval(0.5, 100) == pytest.approx((0.404, 0.596), abs=1e-3)
    assert wilson_95_interval(0.0, 100) == pytest.approx((0.0, 0.037), abs=1e-3)
    low, high = wilson_95_interval(0.5, 10_000)
    assert high - low < 0.02


def test_a_bound_keeps_what_is_nearest_and_says_that_it_cut(store: GraphStore) -> None:
    assert ancestor_scope([store], ["loss"]).complete
    cut = ancestor_scope([store], ["loss"], RegionBound(length=1))
    assert (cut.names, cut.complete) == (("loss", "flood"), False)
    few = ancestor_scope([store], ["loss"], RegionBound(concepts=2))
    assert (few.names, few.complete) == (("loss", "flood"), False)


def test_what_lies_beyond_the_bound_is_taken_as_given(store: GraphStore) -> None:
    belief = store.effects("flood")[0].belief
    near = ancestor_scope([store], ["loss"], RegionBound(length=1))
    assert noisy_or(region_of_scope(store, near, ["loss"])) == pytest.approx(belief)
    fallen = Overlay(store, [absent("storm"), absent("thaw")])
    assert noisy_or(region_of_scope(fallen, near, ["loss"])) == 0.0


def test_routes_are_those_that_an_explanation_may_take(store: GraphStore) -> None:
    view = Overlay(store, [claimed("wind", "flood", 0.9, Relation.ASSOCIATED)])
    assert all(DRIVING_LINKS.allow(path.edges[0]) for path in compare_worlds(view, view, ["flood"]).surviving)
