"""Edited graphs against brute force: what changes, what stands, and every one of the 2^n worlds of a small graph."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from math import prod

import networkx
import pytest
from drawn import Listed
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graph.intervene import Add, Edit, Intervention, Overlay, Presence, Remove, Replace
from graph.intervene.effect_probability import (
    Region,
    RegionBound,
    ancestor_scope,
    compare_worlds,
    connecting_scope,
    effect_probabilities,
    noisy_or,
    region_of_scope,
    sample_probability,
    wilson_95_interval,
)
from graph.intervene.overlay import PREVENTING_LINKS, SUPPORTING_LINKS
from graph.model import Claim, Edge, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, NamedTopology

NAMES = [f"c{number}" for number in range(6)]
RELATIONS = [Relation.CAUSES, Relation.CAUSES, Relation.CAUSES, Relation.PREVENTS, Relation.ASSOCIATED]
WIDE = RegionBound(length=8)
BELIEFS = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])


@st.composite
def edge(draw: st.DrawFn, relations: Sequence[Relation] = RELATIONS) -> Edge:
    cause, effect = draw(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda ends: ends[0] != ends[1]))
    return Edge(Claim(cause, effect, draw(st.sampled_from(relations))), draw(BELIEFS))


def graphs(most: int, relations: Sequence[Relation] = RELATIONS) -> st.SearchStrategy[Listed]:
    return st.lists(edge(relations), max_size=most, unique_by=lambda one: one.claim).map(Listed)


@st.composite
def edited(draw: st.DrawFn, most: int = 12) -> tuple[Listed, list[Edit]]:
    """A graph and up to three edits of it."""
    graph = draw(graphs(most))
    claims = [one.claim for one in graph.all] or [Claim("c0", "c1")]
    one = st.one_of(
        st.builds(Intervention, st.sampled_from(NAMES), st.sampled_from(Presence)),
        st.builds(Add, edge()),
        st.builds(Remove, st.sampled_from(claims)),
        st.builds(Replace, st.sampled_from(claims), edge()),
    )
    return graph, draw(st.lists(one, min_size=1, max_size=3))


def copied(graph: Listed, edits: Sequence[Edit]) -> tuple[list[Edge], dict[str, Presence]]:
    """The edges after the edits of edges, and what is set."""
    edges = {one.claim: one for one in graph.all}
    forced = {}
    for edit in edits:
        if isinstance(edit, Intervention):
            forced[edit.concept] = edit.setting
        if isinstance(edit, Remove | Replace):
            edges.pop(edit.claim, None)
        if isinstance(edit, Add | Replace):
            edges[edit.edge.claim] = edit.edge
    return list(edges.values()), forced


def points(edits: Sequence[Edit]) -> set[str]:
    """Where edits begin to show."""
    found = set()
    for edit in edits:
        if isinstance(edit, Intervention):
            found.add(edit.concept)
        if isinstance(edit, Remove | Replace):
            found.add(edit.claim.effect)
        if isinstance(edit, Add | Replace):
            found.add(edit.edge.effect)
    return found


def drawn(edges: Collection[Edge]) -> networkx.DiGraph:
    graph = networkx.DiGraph([(one.cause, one.effect) for one in edges])
    graph.add_nodes_from(NAMES)
    return graph


def descendants(edges: Collection[Edge], names: set[str]) -> set[str]:
    graph = drawn(edges)
    return names | {name for one in names for name in networkx.descendants(graph, one)}


def gone(graph: Listed, edits: Sequence[Edit]) -> set[str]:
    """What does not stand, from the definition: start with what stands anyway and add until nothing comes in any more."""
    edges, forced = copied(graph, edits)
    before = [one for one in graph.all if SUPPORTING_LINKS.allow(one)]
    after = [one for one in edges if SUPPORTING_LINKS.allow(one)]
    affected = descendants([*before, *after], points(edits))
    absent = {name for name, setting in forced.items() if setting is Presence.ABSENT}
    standing = {name for name, setting in forced.items() if setting is Presence.PRESENT}
    standing |= {name for name in NAMES if name not in affected or all(one.effect != name for one in before)} - absent
    while True:
        more = {one.effect for one in after if one.cause in standing and one.effect not in forced} - standing
        if not more:
            return set(NAMES) - standing
        standing |= more


def unexplained(graph: Listed) -> set[str]:
    """Concepts of strongly connected components that no claim enters from outside."""
    walked = drawn([one for one in graph.all if SUPPORTING_LINKS.allow(one)])
    found: set[str] = set()
    for component in networkx.strongly_connected_components(walked):
        if all(before in component for name in component for before in walked.predecessors(name)):
            found |= component
    return found


def holding(true: Collection[Edge], given: Collection[str], barred: Collection[str]) -> set[str]:
    """What holds where these claims are true, if what is barred prevents."""
    prevented = {one.effect for one in true if PREVENTING_LINKS.allow(one) and one.cause in barred}
    held = set(given) - prevented
    while True:
        more = {one.effect for one in true if SUPPORTING_LINKS.allow(one) and one.cause in held} - held - prevented
        if not more:
            return held
        held |= more


def share(true: Collection[Edge], given: Collection[str], target: str) -> float:
    """1, 0, or a half where the alternating fixpoint leaves it open."""
    low: set[str] = set()
    while True:
        high = holding(true, given, low)
        again = holding(true, given, high)
        if again == low:
            return ((target in low) + (target in high)) / 2
        low = again


def probability(edges: Sequence[Edge], given: Collection[str], target: str) -> float:
    """The sum over all 2^n worlds of the claims; of claims that say the same of two concepts the most believed one is there."""
    best: dict[tuple[str, str, bool], Edge] = {}
    for one in sorted(edges, key=lambda one: -one.belief):
        if SUPPORTING_LINKS.allow(one) or PREVENTING_LINKS.allow(one):
            best.setdefault((one.cause, one.effect, PREVENTING_LINKS.allow(one)), one)
    total = 0.0
    for chosen in product((True, False), repeat=len(best)):
        weight = prod(one.belief if true else 1 - one.belief for one, true in zip(best.values(), chosen, strict=True))
        if weight:
            true = [one for one, is_true in zip(best.values(), chosen, strict=True) if is_true]
            total += weight * share(true, given, target)
    return total


def world_edges(graph: Listed, edits: Sequence[Edit]) -> list[Edge]:
    edges, forced = copied(graph, edits)
    hidden = gone(graph, edits)
    return [one for one in edges if one.effect not in forced and one.cause not in hidden]


def claims_of(edges: Collection[Edge]) -> dict[Claim, float]:
    return {one.claim: one.belief for one in edges}


def wide_interval(share: float, samples: int) -> tuple[float, float]:
    """An interval that one share in a million misses (2.5 times as wide): hypothesis looks at many."""
    low, high = wilson_95_interval(share, samples)
    return share - 2.5 * (share - low) - 1e-9, share + 2.5 * (high - share) + 1e-9


def whole(view: GraphView, name: str) -> Region:
    return region_of_scope(view, ancestor_scope([view], [name]), [name])


@settings(max_examples=120, deadline=None)
@given(edited())
def test_an_overlay_has_the_edges_of_an_edited_copy(case: tuple[Listed, list[Edit]]) -> None:
    graph, edits = case
    view = Overlay(graph, edits)
    assert view.gone & set(NAMES) == gone(graph, edits)
    expected = world_edges(graph, edits)
    for name in NAMES:
        assert claims_of(view.effects(name)) == claims_of([one for one in expected if one.cause == name])
        assert claims_of(view.causes(name)) == claims_of([one for one in expected if one.effect == name])
        for one in view.effects(name):
            assert view.edge(one.claim) == one
    for one in graph.all:
        assert (view.edge(one.claim) is not None) == (one.claim in claims_of(expected))


@settings(max_examples=80, deadline=None)
@given(edited())
def test_the_arrows_of_an_overlay_are_its_edges(case: tuple[Listed, list[Edit]]) -> None:
    graph, edits = case
    view = Overlay(graph, edits)
    ours, plain = view.topology(), NamedTopology(view)
    for name in NAMES:
        number, other = ours.number(name), plain.number(name)
        if other is None:
            assert number is None or not [*ours.outgoing(number).ends, *ours.incoming(number).ends]
            continue
        assert number is not None
        for row, expected in ((ours.outgoing(number), plain.outgoing(other)), (ours.incoming(number), plain.incoming(other))):
            assert list(map(ours.name, row.ends)) == list(map(plain.name, expected.ends))
            assert [list(row.beliefs), list(row.kinds), list(row.senses)] == [
                list(expected.beliefs),
                list(expected.kinds),
                list(expected.senses),
            ]


@settings(max_examples=80, deadline=None)
@given(edited())
def test_only_descendants_of_an_edit_change(case: tuple[Listed, list[Edit]]) -> None:
    graph, edits = case
    view = Overlay(graph, edits)
    changed = descendants([*graph.all, *copied(graph, edits)[0]], points(edits))
    for name in set(NAMES) - changed:
        assert name not in view.gone
        assert list(view.causes(name)) == list(graph.causes(name))
        assert [one for one in view.effects(name) if one.effect not in changed] == [
            one for one in graph.effects(name) if one.effect not in changed
        ]
        if graph.concept(name):
            assert noisy_or(whole(view, name)) == noisy_or(whole(graph, name))
            assert sample_probability(whole(view, name), samples=50) == sample_probability(whole(graph, name), samples=50)


@settings(max_examples=60, deadline=None)
@given(edited(), st.integers(0, 3))
def test_overlays_stack(case: tuple[Listed, list[Edit]], place: int) -> None:
    graph, edits = case
    once, twice = Overlay(graph, edits), Overlay(Overlay(graph, edits[:place]), edits[place:])
    for name in NAMES:
        assert list(once.effects(name)) == list(twice.effects(name))
    assert once.gone == twice.gone


@settings(max_examples=70, deadline=None)
@given(edited(7), st.sampled_from(NAMES))
def test_the_sampled_probability_is_that_of_all_worlds(case: tuple[Listed, list[Edit]], name: str) -> None:
    graph, edits = case
    view = Overlay(graph, edits)
    scope = ancestor_scope([graph, view], [name], bound=WIDE)
    assume(scope.names)
    forced = copied(graph, edits)[1]
    given_names = {one for one, setting in forced.items() if setting is Presence.PRESENT}
    given_names = (given_names | unexplained(graph) | (set(NAMES) - set(node_names(graph)))) - gone(graph, edits)
    exact = probability(world_edges(graph, edits), given_names, name)
    low, high = wide_interval(sample_probability(region_of_scope(view, scope, [name]), samples=4000), 4000)
    assert low <= exact <= high


@settings(max_examples=60, deadline=None)
@given(graphs(7), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_from_a_source_alone_the_sampled_probability_is_that_of_all_worlds(graph: Listed, source: str, name: str) -> None:
    assume(source != name)
    scope = connecting_scope([graph], [source], [name])
    exact = probability([one for one in graph.all if {one.cause, one.effect} <= set(scope.names)], [source], name)
    low, high = wide_interval(sample_probability(region_of_scope(graph, scope, [name], [source]), samples=4000), 4000)
    assert low <= exact <= high
    if not any(PREVENTING_LINKS.allow(one) for one in graph.all):
        assert exact == pytest.approx(probability(graph.all, [source], name))


@settings(max_examples=70, deadline=None)
@given(graphs(7, [Relation.CAUSES]), st.sampled_from(NAMES))
def test_noisy_or_is_never_too_low_and_exact_on_trees(graph: Listed, name: str) -> None:
    scope = ancestor_scope([graph], [name], bound=WIDE)
    assume(scope.names)
    exact = probability(graph.all, unexplained(graph) | (set(NAMES) - set(node_names(graph))), name)
    reckoned = noisy_or(region_of_scope(graph, scope, [name]))
    assert reckoned >= exact - 1e-6
    walked = networkx.DiGraph([(one.cause, one.effect) for one in graph.all if one.belief > 0])
    if name in walked:
        above = walked.subgraph({name} | networkx.ancestors(walked, name))
        if networkx.is_tree(above.to_undirected()) and above.number_of_edges() == above.to_undirected().number_of_edges():
            assert reckoned == pytest.approx(exact)


@settings(max_examples=40, deadline=None)
@given(edited(8), st.sampled_from(NAMES))
def test_a_removed_cause_never_makes_its_effect_more_probable(case: tuple[Listed, list[Edit]], name: str) -> None:
    graph, _ = case
    plain = Listed([one for one in graph.all if SUPPORTING_LINKS.allow(one)])
    assume(plain.all and plain.concept(name))
    for one in plain.all:
        both = effect_probabilities(plain, Overlay(plain, [Remove(one.claim)]), [name])
        assert both.after.sampled <= both.before.sampled
        assert both.after.noisy_or <= both.before.noisy_or + 1e-9


@settings(max_examples=70, deadline=None)
@given(edited(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_routes_are_lost_gained_or_left_as_the_paths_of_both_copies_say(
    case: tuple[Listed, list[Edit]], source: str, target: str
) -> None:
    assume(source != target)
    graph, edits = case
    one = compare_worlds(graph, Overlay(graph, edits), [target], [source], limit=50)
    before, after = (simple_paths(edges, source, target) for edges in (graph.all, world_edges(graph, edits)))
    assert {path.concepts for path in one.lost} == before - after
    assert {path.concepts for path in one.gained} == after - before
    assert {path.concepts for path in one.surviving} == before & after


def simple_paths(edges: Collection[Edge], source: str, target: str) -> set[tuple[str, ...]]:
    walked = drawn([one for one in edges if DRIVING_LINKS.allow(one)])
    return {tuple(path) for path in networkx.all_simple_paths(walked, source, target, cutoff=4)}


def node_names(graph: Listed) -> Iterator[str]:
    for one in graph.all:
        yield from (one.cause, one.effect)
