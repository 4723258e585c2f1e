"""A graph with further evidence beside it: claims of both, with the belief of all records together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.intervene.extended_view import ExtendedView
from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.topology import kind_code

SMOKING = Claim("smoking", "cancer")
RADON = Claim("radon exposure", "lung cancer")


def record(claim: Claim, page: str, stance: Stance = Stance.ASSERTED) -> Statement:
    return Statement(claim, Evidence(Source("wikipedia", page, page), stance, rule="cause.active", text=f"On {page}."))


@pytest.fixture
def store() -> Iterator[GraphStore]:
    with open_store("memory:", write=True) as graph:
        graph.add([record(SMOKING, "Tobacco"), record(Claim("cancer", "death"), "Cancer")])
        yield graph


def test_a_claim_of_both_has_the_evidence_of_both_and_more_belief(store: GraphStore) -> None:
    view = ExtendedView(store, [record(SMOKING, "Lung")])
    edge, below = view.edge(SMOKING), store.edge(SMOKING)
    assert edge is not None
    assert below is not None
    assert (edge.support, below.support) == (2, 1)
    assert edge.belief > below.belief
    assert [item.source.title for item in view.evidence(SMOKING)] == ["Tobacco", "Lung"]


def test_one_page_is_one_source_however_it_came_in(store: GraphStore) -> None:
    edge = ExtendedView(store, [record(SMOKING, "Tobacco")]).edge(SMOKING)
    assert edge is not None
    assert edge.support == 1


def test_a_denial_beside_the_graph_lowers_its_belief(store: GraphStore) -> None:
    edge, below = ExtendedView(store, [record(SMOKING, "Lung", Stance.NEGATED)]).edge(SMOKING), store.edge(SMOKING)
    assert edge is not None
    assert below is not None
    assert edge.against == 1
    assert edge.belief < below.belief


def test_new_concepts_are_known_and_searched_by_stems(store: GraphStore) -> None:
    view = ExtendedView(store, [record(RADON, "Radon")])
    concept = view.concept("lung cancer")
    assert concept is not None
    assert concept.name == "lung cancer"
    assert view.search(["exposures"]) == ["radon exposure"]
    assert list(view.search(["cancer"])) == ["cancer", "lung cancer"]
    assert [edge.effect for edge in view.effects("radon exposure")] == ["lung cancer"]
    assert [edge.cause for edge in view.causes("lung cancer")] == ["radon exposure"]


def test_the_arrows_lead_from_the_graph_to_what_was_added(store: GraphStore) -> None:
    view = ExtendedView(store, [record(Claim("death", "grief"), "Grief"), record(SMOKING, "Lung")])
    arrows = view.topology()
    death, grief = arrows.number("death"), arrows.number("grief")
    assert death is not None
    assert grief is not None
    assert list(arrows.outgoing(death).ends) == [grief]
    assert list(arrows.incoming(grief).kinds) == [kind_code(SMOKING)]
    smoking = arrows.number("smoking")
    assert smoking is not None
    assert [arrows.name(end) for end in arrows.outgoing(smoking).ends] == ["cancer"]


def test_the_graph_below_is_untouched(store: GraphStore) -> None:
    before = store.digest()
    ExtendedView(store, [record(RADON, "Radon")])
    assert store.digest() == before
    assert store.concept("lung cancer") is None
