from __future__ import annotations

from collections.abc import Sequence

from drawn import Drawn
from hypothesis import given
from hypothesis import strategies as st

from graph.model import Claim, Edge, Polarity, Relation, Strength
from kgqa.answering import contracts
from kgqa.answering.contracts import Contract, Side
from kgqa.answering.lists.listing import build_listing
from kgqa.linking.concept_links import ConceptLink

SUBJECT = "flood"
NAMES = (SUBJECT, "rain", "avoid flood", "prevent flood", "treat flood", "to win", "factor", "dam", "dams", "rainfall", "117 mm")
CONTRACTS = [one for one in vars(contracts).values() if isinstance(one, Contract)]

edges = st.builds(
    lambda cause, effect, relation, polarity, belief, support, strength: Edge(
        Claim(cause, effect, relation, polarity), belief, support, hedged=1, strength=strength
    ),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from(Relation),
    st.sampled_from(Polarity),
    st.sampled_from([0.0, 0.3, 0.8, 1.0]),
    st.integers(0, 5),
    st.sampled_from(Strength),
)
views = st.lists(edges, max_size=20, unique_by=lambda edge: edge.claim).map(lambda found: Drawn(tuple(found)))
reading = ConceptLink(SUBJECT, (SUBJECT,), 1.0, "exact")


def aims(acts: Sequence[str]) -> set[str]:
    return {f"{act} {SUBJECT}" for act in acts}


@given(views, st.sampled_from(CONTRACTS))
def test_no_list_reads_an_arrow_backwards(view: Drawn, contract: Contract) -> None:
    listing = build_listing(view, reading, contract)
    for part in listing.parts if listing else ():
        for entry in part.entries:
            for edge in entry.edges:
                against = aims(("prevent", "avoid", "treat"))
                if edge.cause == SUBJECT:
                    assert contract.side is Side.EFFECTS or edge.claim.relation is Relation.IS_FOR
                elif edge.effect == SUBJECT:
                    assert contract.side is Side.CAUSES
                    assert edge.claim.relation is not Relation.IS_FOR
                elif edge.cause in against:
                    assert edge.claim.relation is Relation.MOTIVATES
                else:
                    assert edge.effect in against
                    assert edge.claim.relation in (Relation.IS_FOR, Relation.ENABLES)


@given(views, st.sampled_from(CONTRACTS))
def test_every_name_is_listed_once_and_believed(view: Drawn, contract: Contract) -> None:
    listing = build_listing(view, reading, contract)
    if listing is None:
        return
    names = [name for one in listing.findings for name in (one.text, *one.merged)]
    assert len(names) == len(set(names))
    assert SUBJECT not in names
    assert all(edge.belief > 0 for part in listing.parts for entry in part.entries for edge in entry.edges)
    assert all(0 < one.confidence <= 1 for one in listing.findings)


@given(views, st.sampled_from(CONTRACTS))
def test_only_what_fulfils_a_contract_is_listed_where_anything_does(view: Drawn, contract: Contract) -> None:
    listing = build_listing(view, reading, contract)
    if listing is not None and contract.lacking and not listing.lacks:
        assert all(part.tier.fulfils for part in listing.parts)


@given(views, st.sampled_from(CONTRACTS), st.randoms())
def test_the_order_does_not_depend_on_that_of_the_graph(view: Drawn, contract: Contract, random: object) -> None:
    shuffled = list(view.edges)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = (build_listing(each, reading, contract) for each in (view, Drawn(tuple(shuffled))))
    assert (one is None) == (other is None)
    if one and other:
        assert [(found.text, found.merged) for found in one.findings] == [(found.text, found.merged) for found in other.findings]
