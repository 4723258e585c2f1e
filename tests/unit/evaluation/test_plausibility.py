"""How probably two things look like cause and effect: what their places say, which way round, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Polarity, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.evaluation.plausibility import (
    LEAST_CLAIMS,
    PlausibilityFeatures,
    RoleCounts,
    features_plausibility,
    is_happening,
    plausibility,
    plausibility_features,
    role_counts,
)

CLAIMS = 100_000


def stated(cause: str, effect: str, relation: Relation = Relation.CAUSES, polarity: Polarity = Polarity.NONE) -> Statement:
    text = f"{cause} / {effect}"
    return Statement(
        Claim(cause, effect, relation, polarity), Evidence(Source("wikipedia", text, text), rule="test", text=text, start=0)
    )


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    with open_store("memory:", write=True) as made:
        made.add(stated("storm", effect) for effect in ("damage", "flood", "delay", "fear"))
        made.add(stated(cause, "damage") for cause in ("fire", "war", "earthquake", "frost"))
        made.add([stated("storms", "power cut"), stated("helmet", "injury", Relation.PREVENTS)])
        made.add(
            [stated("storm", "drought", Relation.CAUSES, Polarity.DECREASES), stated("storm", "season", Relation.ASSOCIATED)]
        )
        yield made


def test_only_claims_that_can_drive_something_make_a_place(store: GraphStore) -> None:
    assert role_counts("storm", store) == role_counts("storms", store) == RoleCounts(5, 0, True)
    assert role_counts("damage", store) == RoleCounts(0, 5, True)
    assert role_counts("helmet", store) == RoleCounts(0, 0, False)


def test_what_the_graph_does_not_know_has_no_place(store: GraphStore) -> None:
    assert role_counts("envelope", store) == RoleCounts(0, 0, False)
    assert role_counts("?", store) == RoleCounts(0, 0, False)


def test_kinds_of_a_thing_are_not_the_thing(store: GraphStore) -> None:
    assert role_counts("cut", store)[:2] == (0, 0)


def test_a_pair_turned_round_has_its_places_turned_round() -> None:
    one, other = RoleCounts(7, 2, True), RoleCounts(1, 9, False)
    assert plausibility_features(other, one, CLAIMS) == PlausibilityFeatures(
        *plausibility_features(one, other, CLAIMS)[3:], *plausibility_features(one, other, CLAIMS)[:3]
    )


def test_a_cause_before_an_effect_is_likelier_than_the_other_way_round(store: GraphStore) -> None:
    forth, back = plausibility("storm", "damage", store, CLAIMS), plausibility("damage", "storm", store, CLAIMS)
    assert 0.0 < back < forth < 1.0


@pytest.mark.parametrize("few", [RoleCounts(0, 0, False), RoleCounts(3, 1, False), RoleCounts(40, 40, False)])
def test_the_more_causes_an_effect_has_the_likelier_it_is_one(few: RoleCounts) -> None:
    told = [
        features_plausibility(plausibility_features(few, RoleCounts(5, causes, False), CLAIMS)) for causes in (0, 1, 3, 10, 100)
    ]
    assert told == sorted(set(told))


@pytest.mark.parametrize("few", [RoleCounts(0, 0, False), RoleCounts(3, 1, False), RoleCounts(40, 40, False)])
def test_the_more_effects_an_effect_has_the_less_likely_it_is_one(few: RoleCounts) -> None:
    told = [
        features_plausibility(plausibility_features(few, RoleCounts(effects, 5, False), CLAIMS)) for effects in (0, 1, 3, 10, 100)
    ]
    assert told == sorted(set(told), reverse=True)


def test_two_things_without_a_place_are_no_likely_pair() -> None:
    assert features_plausibility(plausibility_features(RoleCounts(0, 0, False), RoleCounts(0, 0, False), CLAIMS)) < 0.2


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("devastation", True),
        ("heavy storms", True),
        ("destruction of cities", True),
        ("pain", True),
        ("envelope", False),
        ("the storm door", False),
        ("qwzx", False),
    ],
)
def test_the_head_of_a_phrase_tells_whether_it_happens(phrase: str, expected: bool) -> None:
    assert is_happening(phrase) is expected


def test_what_happens_is_a_likelier_cause_and_a_likelier_effect() -> None:
    thing, event = RoleCounts(2, 3, False), RoleCounts(2, 3, True)
    told = [
        features_plausibility(plausibility_features(*pair, CLAIMS))
        for pair in ((thing, thing), (event, thing), (thing, event), (event, event))
    ]
    assert told == sorted(set(told))


def test_claims_count_by_their_share_of_the_graph() -> None:
    assert plausibility_features(RoleCounts(2, 4, False), RoleCounts(6, 8, False), 50_000) == plausibility_features(
        RoleCounts(4, 8, False), RoleCounts(12, 16, False), 100_000
    )


def test_a_tiny_graph_counts_as_a_small_one() -> None:
    assert plausibility_features(RoleCounts(1, 0, False), RoleCounts(0, 1, False), 1) == plausibility_features(
        RoleCounts(1, 0, False), RoleCounts(0, 1, False), LEAST_CLAIMS
    )


def test_a_claim_between_the_two_counts_as_any_other_does(store: GraphStore) -> None:
    joined, apart = plausibility("fire", "damage", store, CLAIMS), plausibility("fire", "flood", store, CLAIMS)
    with open_store("memory:", write=True) as other:
        other.add([stated("fire", "smoke"), stated("rain", "flood")])
        assert plausibility("fire", "flood", other, CLAIMS) == apart
    assert joined > apart
