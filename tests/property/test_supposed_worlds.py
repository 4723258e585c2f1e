"""What is lost and what is left in a supposed world, against brute force on an edited copy of the graph, with networkx."""

from __future__ import annotations

from collections.abc import Sequence

import networkx
from drawn import Listed
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graph.intervene import Presence
from graph.model import Claim, Edge, Polarity, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, is_lessening
from kgqa.answering.counterfactuals.effect_outlook import cause_changes, find_influences
from kgqa.answering.verdicts.verification_query import CAUSING_LINKS
from kgqa.interventions.graph_settings import GraphSetting, apply_settings, settings_of_condition
from kgqa.linking.concept_links import ConceptLink
from kgqa.question import Condition

NAMES = ("ash", "beech", "cedar", "dogwood", "elm", "fir", "gorse")
EFFECT = "gorse"
BELIEFS = (0.2, 0.5, 0.7, 0.9, 1.0)
SAYS = (
    (Relation.CAUSES, Polarity.INCREASES),
    (Relation.CAUSES, Polarity.INCREASES),
    (Relation.PREVENTS, Polarity.DECREASES),
    (Relation.ASSOCIATED, Polarity.INCREASES),
)


def link(phrase: str, view: GraphView) -> list[ConceptLink]:
    return [ConceptLink(phrase, (phrase,), 1.0, "exact")] if view.concept(phrase) else []


@st.composite
def edge(draw: st.DrawFn) -> Edge:
    cause, effect = draw(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda ends: ends[0] != ends[1]))
    relation, polarity = draw(st.sampled_from(SAYS))
    return Edge(Claim(cause, effect, relation, polarity), draw(st.sampled_from(BELIEFS)), support=1)


@st.composite
def supposed(draw: st.DrawFn) -> tuple[Listed, Condition]:
    """A graph, and one to three suppositions of different concepts and claims of it."""
    graph = Listed(draw(st.lists(edge(), min_size=3, max_size=14, unique_by=lambda one: one.claim)))
    known = [name for name in NAMES[:-1] if graph.concept(name)]
    assume(graph.concept(EFFECT) and known)
    pairs = sorted({(one.cause, one.effect) for one in graph.all})
    concept = st.builds(lambda name, presence: Condition(name, name, presence), st.sampled_from(known), st.sampled_from(Presence))
    claim = st.builds(lambda pair: Condition("claim", pair[0], Presence.ABSENT, effect=pair[1]), st.sampled_from(pairs))
    some = draw(
        st.lists(st.one_of(concept, concept, claim), min_size=1, max_size=3, unique_by=lambda one: (one.target, one.effect))
    )
    return graph, some[0]._replace(also=tuple(some[1:]))


def edited_copy(graph: Listed, settings_made: Sequence[GraphSetting]) -> list[Edge]:
    """The edges that are left, by the definition: claims go, then what is set; then what nothing holds up falls."""
    removed = {(one.cause, one.effect) for one in settings_made if not isinstance(one, Condition)}
    forced = {one.target: one.presence for one in settings_made if isinstance(one, Condition)}
    left = [one for one in graph.all if (one.cause, one.effect) not in removed]
    left = [one for one in left if one.effect not in forced]
    gone = {name for name, presence in forced.items() if presence is Presence.ABSENT}
    holds = holding(left)
    before = holding(graph.all)
    started = gone | {pair[1] for pair in removed} | set(forced)
    affected = set(started).union(*(networkx.descendants(before, name) for name in started if name in before))
    standing = {name for name in NAMES if name not in gone and (name not in affected or forced.get(name) is Presence.PRESENT)}
    standing |= {name for name in NAMES if name not in gone and not list(before.predecessors(name))}
    while True:
        fresh = {end for name in standing for end in holds.successors(name)} - standing - gone
        if not fresh:
            break
        standing |= fresh
    return [one for one in left if one.cause in standing]


def holding(edges: Sequence[Edge]) -> networkx.DiGraph:
    """What can bring its effect about, however little it is believed."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(NAMES)
    kinds = DRIVING_LINKS.kinds
    graph.add_edges_from(
        (one.cause, one.effect) for one in edges if (one.claim.relation, one.claim.polarity) in kinds and one.belief
    )
    return graph


def believed(edges: Sequence[Edge]) -> set[str]:
    return {one.cause for one in edges if one.effect == EFFECT and CAUSING_LINKS.allow(one)}


@settings(max_examples=150, deadline=None)
@given(supposed())
def test_lost_and_left_causes_are_those_of_an_edited_copy(drawn: tuple[Listed, Condition]) -> None:
    graph, condition = drawn
    made = settings_of_condition(condition)
    world = apply_settings(graph, made, link)

    found = cause_changes(graph, world, ConceptLink(EFFECT, (EFFECT,), 1.0, "exact"))

    before, after = believed(graph.all), believed(edited_copy(graph, made))
    assert {one.cause for one in found.left} == before & after
    assert {one.cause for one in found.lost} == before - after
    assert {one.cause for one in found.gained} == after - before == set()


@settings(max_examples=150, deadline=None)
@given(supposed())
def test_every_route_that_pulls_is_one_of_the_graph_and_its_sign_is_that_of_its_steps(drawn: tuple[Listed, Condition]) -> None:
    graph, condition = drawn
    world = apply_settings(graph, settings_of_condition(condition), link)
    found = find_influences(graph, world, link(EFFECT, graph), 5)
    copy = edited_copy(graph, settings_of_condition(condition))
    for pull in found.influences if found else ():
        for path in (*pull.driving, *pull.hindering):
            odd = sum(is_lessening((one.claim.relation, one.claim.polarity)) for one in path.edges) % 2 == 1
            assert odd is (path in pull.hindering)
            assert path.edges[0].cause in pull.part.concepts
            assert path.concepts[-1] == EFFECT
            where = graph.all if pull.part.takes else copy
            assert all(one in where for one in path.edges)


@settings(max_examples=150, deadline=None)
@given(supposed())
def test_there_is_a_pull_where_networkx_finds_a_short_believed_route(drawn: tuple[Listed, Condition]) -> None:
    graph, condition = drawn
    assume(condition.target != EFFECT)
    only = Condition("gone", condition.target, Presence.ABSENT)
    acting = networkx.DiGraph()
    acting.add_nodes_from(NAMES)
    acting.add_edges_from(
        (one.cause, one.effect) for one in graph.all if one.belief > 0.5 and one.claim.relation is not Relation.ASSOCIATED
    )
    lengths = networkx.single_source_shortest_path_length(acting, only.target)
    found = find_influences(graph, apply_settings(graph, settings_of_condition(only), link), link(EFFECT, graph), 5)
    assert (found is not None) is (lengths.get(EFFECT, 9) <= 3)
