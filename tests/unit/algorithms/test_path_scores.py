"""What a path's score is made of: the senses of claims, the degree of a middle concept, and which edges are links."""

from __future__ import annotations

import pytest

from graph.algorithms.cuts import minimum_cut
from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY, Transitivity
from graph.model import Claim, Edge, Evidence, Polarity, Relation, Source
from graph.stores.claim_records import SENSE_BITS, sense_signature
from graph.topology import ACTING_LINKS, BELIEVED_LINKS, DRIVING_LINKS, EDGE_KINDS, EVERY_LINK, LESSENING_LINKS, Links, kind_code


def on(*titles: str) -> list[Evidence]:
    return [Evidence(Source("wikipedia", title=title, page_id=title)) for title in titles]


def test_claims_on_pages_about_like_things_share_a_sense() -> None:
    illness, slump = sense_signature(on("Major depressive disorder")), sense_signature(on("Great Depression in Canada"))
    assert illness & sense_signature(on("Treatment of depressive episodes"))
    assert slump & sense_signature(on("Canada"))
    assert not sense_signature(on("Major disorder")) & sense_signature(on("Canada"))


def test_a_sense_that_is_not_known_is_no_mismatch() -> None:
    assert sense_signature(on("", "List of A, B")) == 0
    assert (
        DEFAULT_TRANSITIVITY.of_senses(0, 5)
        == DEFAULT_TRANSITIVITY.of_senses(5, 0)
        == DEFAULT_TRANSITIVITY.of_senses(5, 4)
        == 1.0
    )
    assert DEFAULT_TRANSITIVITY.of_senses(1, 2) == DEFAULT_TRANSITIVITY.unlike


def test_a_sense_depends_on_the_titles_alone_and_fits_its_bits() -> None:
    titles = [f"Subject number {chr(97 + number) * 5}" for number in range(20)]
    assert sense_signature(on(*titles)) == sense_signature(on(*reversed(titles), *titles)) < 1 << SENSE_BITS


def test_the_larger_a_hub_the_less_comes_through() -> None:
    shares = [DEFAULT_TRANSITIVITY.of_degree(degree) for degree in (1, 10, 11, 100, 1_000, 100_000)]
    assert shares[0] == shares[1] == DEFAULT_TRANSITIVITY.hop
    assert shares[1:] == sorted(shares[1:], reverse=True)
    assert all(0.0 < share <= DEFAULT_TRANSITIVITY.hop for share in shares)
    assert DEFAULT_TRANSITIVITY.of_degree(100) == pytest.approx(0.85 / 1.25)
    assert Transitivity(hop=1.0, hub=0.0).through(10**6, 1, 2) == 0.75


@pytest.mark.parametrize("links", [EVERY_LINK, BELIEVED_LINKS, DRIVING_LINKS, LESSENING_LINKS, ACTING_LINKS])
def test_the_mask_of_links_is_what_they_allow(links: Links) -> None:
    for code, kind in enumerate(EDGE_KINDS):
        edge = Edge(Claim("a", "b", *kind), 0.9)
        assert kind_code(edge.claim) == code
        assert links.allow(edge) == bool(links.mask()[code])


def test_what_drives_does_not_lessen_and_both_act() -> None:
    assert not DRIVING_LINKS.kinds & LESSENING_LINKS.kinds
    assert DRIVING_LINKS.kinds < ACTING_LINKS.kinds
    assert (Relation.PREVENTS, Polarity.NONE) in LESSENING_LINKS.kinds & ACTING_LINKS.kinds
    assert (Relation.ASSOCIATED, Polarity.NONE) not in ACTING_LINKS.kinds


def test_of_equal_cuts_the_one_nearest_to_the_source_is_taken() -> None:
    assert minimum_cut({(0, 1): 2, (1, 2): 2, (2, 3): 2}, (0,), (3,)) == {(0, 1)}
    assert minimum_cut({(0, 1): 3, (1, 2): 2, (2, 3): 2}, (0,), (3,)) == {(1, 2)}


def test_a_flow_is_pushed_back_where_the_first_path_was_wrong() -> None:
    arcs = {(0, 1): 1, (0, 2): 1, (1, 2): 1, (1, 3): 1, (2, 3): 1}
    assert sum(arcs[arc] for arc in minimum_cut(arcs, (0,), (3,))) == 2
    assert minimum_cut({}, (0,), (1,)) == set()
