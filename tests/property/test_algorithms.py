"""Reachability, necessary causes, cuts, components, loops, shared concepts and neighbourhoods, against networkx."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from math import log, prod

import networkx
import pytest
from drawn import NAMES, Drawn, edge, graphs, links, names, oracle, score_of, some_names
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graph.algorithms.cuts import blocking_concepts, blocking_edges, necessary_causes
from graph.algorithms.paths import common_causes, common_effects, feedback_loops
from graph.algorithms.reachability import neighbourhood, reachable_concepts, strong_components
from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY
from graph.model import Edge, Relation
from graph.topology import ACTING_LINKS, EDGE_KINDS, EVERY_LINK, LESSENING_LINKS, Links, kind_code

lengths = st.integers(1, 5)


def simple_paths(graph: Drawn, sources: Sequence[str], targets: Sequence[str], cutoff: int, allowed: Links) -> list[list[str]]:
    """Every path that passes no source and no target on its way."""
    plain = networkx.DiGraph(oracle(graph, allowed))
    around = {*sources, *targets}
    return [
        path
        for source in sources
        for target in set(targets) - set(sources)
        for path in networkx.all_simple_paths(plain, source, target, cutoff=cutoff)
        if around.isdisjoint(path[1:-1])
    ]


@settings(max_examples=150, deadline=None)
@given(graphs, names, lengths, links, st.booleans())
def test_reachable_are_the_concepts_that_networkx_finds_near(
    graph: Drawn, source: str, max_length: int, allowed: Links, forward: bool
) -> None:
    found = reachable_concepts(graph, source, max_length, allowed, forward=forward)
    arrows = oracle(graph, allowed)
    expected = networkx.single_source_shortest_path_length(arrows if forward else arrows.reverse(), source, cutoff=max_length)
    assert dict(found) == {name: distance for name, distance in expected.items() if name != source}
    assert list(found.values()) == sorted(found.values())


@settings(max_examples=250, deadline=None)
@given(graphs, some_names, some_names, st.none() | lengths, links)
def test_necessary_causes_are_on_every_path(
    graph: Drawn, sources: list[str], targets: list[str], max_length: int | None, allowed: Links
) -> None:
    paths = simple_paths(graph, sources, targets, max_length or len(NAMES), allowed)
    on_all = set.intersection(*map(set, paths)) - {*sources, *targets} if paths else set()
    found = necessary_causes(graph, sources, targets, max_length, allowed)
    assert set(found) == on_all
    assert len(found) == len(on_all)
    assert all([name for name in path if name in on_all] == list(found) for path in paths if len(path) == min(map(len, paths)))


@settings(max_examples=150, deadline=None)
@given(graphs, names, names)
def test_unbounded_necessary_causes_are_the_dominators(graph: Drawn, source: str, target: str) -> None:
    assume(source != target)
    dominators = networkx.immediate_dominators(oracle(graph), source)
    expected: list[str] = []
    above = dominators.get(target, source)
    while above not in (source, None):
        expected.insert(0, above)
        above = dominators[above]
    assert necessary_causes(graph, [source], [target]) == expected


@settings(max_examples=250, deadline=None)
@given(graphs, some_names, some_names, lengths, links)
def test_blocking_edges_leave_no_path_and_weigh_least(
    graph: Drawn, sources: list[str], targets: list[str], max_length: int, allowed: Links
) -> None:
    blocking = blocking_edges(graph, sources, targets, max_length, allowed)
    left = Drawn(tuple(one for one in graph.edges if one not in blocking.edges), graph.mapped)
    assert simple_paths(left, sources, targets, max_length, allowed) == []
    assert blocking.doubt == pytest.approx(prod(1.0 - one.belief for one in blocking.edges))
    assert sum(map(weight, blocking.edges)) == pytest.approx(least_weight(graph, sources, targets, max_length, allowed), abs=1e-4)


def weight(one: Edge) -> float:
    return -log(max(1.0 - one.belief, 1e-9))


def between(graph: Drawn, sources: Sequence[str], targets: Sequence[str], max_length: int, allowed: Links) -> list[Edge]:
    """The edges on walks that are short enough and pass through no source and no target."""
    arrows = oracle(graph, allowed)
    ends, found = set(targets) - set(sources), []
    onward = networkx.restricted_view(arrows, [], [one for one in arrows.edges if one[0] in ends or one[1] in sources])
    near = {name: networkx.single_source_shortest_path_length(onward, name) for name in NAMES}
    for cause, effect, one in onward.edges(data="edge"):
        before = min((near[source].get(cause, 99) for source in sources), default=99)
        after = min((near[effect].get(end, 99) for end in ends), default=99)
        if before + 1 + after <= max_length:
            found.append(one)
    return found


def least_weight(graph: Drawn, sources: Sequence[str], targets: Sequence[str], max_length: int, allowed: Links) -> float:
    flow = networkx.DiGraph()
    flow.add_nodes_from(("from", "to"))
    for one in between(graph, sources, targets, max_length, allowed):
        cause = "from" if one.cause in sources else one.cause
        effect = "to" if one.effect in targets else one.effect
        before = flow.get_edge_data(cause, effect, {"capacity": 0.0})["capacity"]
        flow.add_edge(cause, effect, capacity=before + weight(one))
    return float(networkx.minimum_cut_value(flow, "from", "to"))


@settings(max_examples=250, deadline=None)
@given(graphs, some_names, some_names, lengths, links)
def test_blocking_concepts_leave_no_path_and_are_fewest(
    graph: Drawn, sources: list[str], targets: list[str], max_length: int, allowed: Links
) -> None:
    blocking = blocking_concepts(graph, sources, targets, max_length, allowed)
    edges = between(graph, sources, targets, max_length, allowed)
    plain = networkx.DiGraph(("from" if one.cause in sources else one.cause, _to(one.effect, targets)) for one in edges)
    plain.add_nodes_from(("from", "to"))
    if plain.has_edge("from", "to"):
        assert blocking is None
        return
    assert blocking is not None
    assert len(blocking) == len(networkx.minimum_node_cut(plain, "from", "to"))
    kept = tuple(one for one in graph.edges if one.cause not in blocking and one.effect not in blocking)
    assert simple_paths(Drawn(kept, graph.mapped), sources, targets, max_length, allowed) == []


def _to(name: str, targets: Sequence[str]) -> str:
    return "to" if name in targets else name


@settings(max_examples=150, deadline=None)
@given(graphs, some_names, links)
def test_components_are_those_of_networkx_effects_first(graph: Drawn, roots: list[str], allowed: Links) -> None:
    arrows = oracle(graph, allowed)
    within = set().union(
        *({root} | networkx.descendants(arrows, root) for root in roots if graph.topology().number(root) is not None)
    )
    known = [root for root in roots if graph.topology().number(root) is not None]
    found = [sorted(component) for component in strong_components(known, arrows.successors)]
    expected = networkx.strongly_connected_components(arrows.subgraph(within))
    assert sorted(found) == sorted(sorted(component) for component in expected)
    place = {name: number for number, component in enumerate(found) for name in component}
    assert all(place[cause] >= place[effect] for cause, effect in arrows.subgraph(within).edges())


@settings(max_examples=250, deadline=None)
@given(graphs, names, lengths, st.integers(1, 6))
def test_feedback_loops_are_the_cycles_of_networkx_by_sign(graph: Drawn, name: str, max_length: int, limit: int) -> None:
    arrows = oracle(graph, ACTING_LINKS)
    best: dict[tuple[tuple[str, ...], bool], float] = {}
    for cycle in networkx.simple_cycles(networkx.DiGraph(arrows), length_bound=max_length):
        if name in cycle and len(cycle) > 1:
            start = cycle.index(name)
            around = (*cycle[start:], *cycle[:start], name)
            for edges in product(
                *([one for *_, one in arrows.edges(ends[:1], data="edge") if one.effect == ends[1]] for ends in pairwise(around))
            ):
                negative = sum((one.claim.relation, one.claim.polarity) in LESSENING_LINKS.kinds for one in edges)
                key = around, negative % 2 == 0
                best[key] = max(best.get(key, 0.0), score_of(edges, graph, DEFAULT_TRANSITIVITY))
    expected = sorted(best, key=lambda key: (-round(best[key], 12), key[0], not key[1]))[:limit]
    loops = feedback_loops(graph, [name], max_length, limit)
    assert [(loop.path.concepts, loop.reinforcing) for loop in loops] == expected
    assert [loop.path.score for loop in loops] == pytest.approx([best[key] for key in expected])


@settings(max_examples=150, deadline=None)
@given(graphs, some_names, some_names, st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_shared_concepts_have_the_best_weaker_paths(
    graph: Drawn, xs: list[str], ys: list[str], max_length: int, limit: int, forward: bool
) -> None:
    arrows = oracle(graph)
    scores: dict[str, float] = {}
    for name in set(NAMES) - {*xs, *ys}:
        sides = []
        for side in (xs, ys):
            best = 0.0
            for one in side:
                ends = (one, name) if forward else (name, one)
                for keyed in networkx.all_simple_edge_paths(arrows, *ends, cutoff=max_length):
                    if set(side).isdisjoint(effect for _, effect, _ in keyed[:-1]):
                        best = max(best, score_of([arrows.edges[key]["edge"] for key in keyed], graph, DEFAULT_TRANSITIVITY))
            sides.append(best)
        if min(sides) > 0.0:
            scores[name] = min(sides)
    expected = sorted(scores, key=lambda name: (-round(scores[name], 12), name))[:limit]
    find = common_effects if forward else common_causes
    found = find(graph, xs, ys, max_length, limit, EVERY_LINK)
    assert [shared.concept for shared in found] == expected
    assert [shared.score for shared in found] == pytest.approx([scores[name] for name in expected])
    for shared in found:
        assert shared.score == min(path.score for path in shared.paths)
        assert all(path.concepts[-1 if forward else 0] == shared.concept for path in shared.paths)


@settings(max_examples=150, deadline=None)
@given(graphs, some_names, st.integers(1, 3), st.integers(0, 30), links)
def test_a_neighbourhood_holds_the_nearest_and_most_believed_edges(
    graph: Drawn, middle: list[str], radius: int, limit: int, allowed: Links
) -> None:
    found = neighbourhood(graph, middle, radius, limit, allowed)
    known = [name for name in middle if graph.topology().number(name) is not None]
    concepts, edges, ring = list(known), list[Edge](), set(known)
    for _ in range(radius):
        around = [one for one in graph.edges if allowed.allow(one) and one not in edges and ring & {one.cause, one.effect}]
        around.sort(key=lambda one: (-one.belief, one.cause, one.effect, kind_code(one.claim)))
        new = around[: limit - len(edges)]
        edges += new
        ring = {name for one in new for name in (one.cause, one.effect)} - set(concepts)
        concepts += ring
    assert list(found.edges) == edges
    assert found.concepts[: len(known)] == tuple(known)
    assert sorted(found.concepts) == sorted(concepts)


def test_a_loop_of_one_claim_that_prevents_is_balancing() -> None:
    graph = Drawn((edge("c0", "c1"), edge("c1", "c0", kind=(Relation.PREVENTS, EDGE_KINDS[0][1])), edge("c1", "c0", 0.6)))
    loops = feedback_loops(graph, ["c0"])
    assert [(loop.path.concepts, loop.reinforcing) for loop in loops] == [(("c0", "c1", "c0"), False), (("c0", "c1", "c0"), True)]
    assert len(feedback_loops(graph, ["c0", "c1"])) == 2


def test_what_a_concept_says_of_itself_is_no_loop() -> None:
    itself = (edge("c0", "c0"), edge("c0", "c0", kind=(Relation.PREVENTS, EDGE_KINDS[0][1])))
    graph = Drawn((*itself, edge("c0", "c1"), edge("c1", "c0", 0.6)))
    assert [loop.path.concepts for loop in feedback_loops(graph, ["c0"], limit=1)] == [("c0", "c1", "c0")]
