"""The best paths, against every simple path that networkx finds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path as File

import networkx
import pytest
from drawn import HUBS, Drawn, edge, graphs, links, names, oracle, score_of, some_names, transitivities
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.algorithms.paths import best_paths
from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY, Transitivity
from graph.model import Claim, Edge, Evidence, Source, Statement
from graph.protocols import GraphView
from graph.stores import open_store
from graph.topology import EDGE_KINDS, Links

Scored = tuple[float, tuple[str, ...]]


def every_path(
    view: GraphView, sources: Sequence[str], targets: Sequence[str], max_length: int, allowed: Links, transitivity: Transitivity
) -> list[Scored]:
    """The score of every path with its best parallel edges, best first, then by name."""
    graph = oracle(view, allowed)
    best: dict[tuple[str, ...], float] = {}
    for source in sources:
        for target in set(targets) - set(sources):
            for keyed in networkx.all_simple_edge_paths(graph, source, target, cutoff=max_length):
                edges: list[Edge] = [graph.edges[one]["edge"] for one in keyed]
                concepts = (source, *(one.effect for one in edges))
                if set(concepts[1:-1]).isdisjoint({*sources, *targets}):
                    best[concepts] = max(best.get(concepts, -1.0), score_of(edges, view, transitivity))
    return sorted(((score, concepts) for concepts, score in best.items()), key=lambda one: (-round(one[0], 12), one[1]))


@settings(max_examples=400, deadline=None)
@given(graphs, some_names, some_names, st.integers(1, 6), st.integers(1, 6), links, transitivities)
def test_the_best_paths_are_those_of_networkx(
    graph: Drawn,
    sources: list[str],
    targets: list[str],
    max_length: int,
    limit: int,
    allowed: Links,
    transitivity: Transitivity,
) -> None:
    paths = best_paths(graph, sources, targets, max_length, limit, allowed, transitivity)
    expected = every_path(graph, sources, targets, max_length, allowed, transitivity)[:limit]
    assert [path.concepts for path in paths] == [concepts for _, concepts in expected]
    assert [path.score for path in paths] == pytest.approx([score for score, _ in expected], rel=1e-12)
    for path in paths:
        assert path.score == score_of(path.edges, graph, transitivity)
        assert all(one in graph.edges and allowed.allow(one) for one in path.edges)


@settings(max_examples=60, deadline=None)
@given(graphs, names, names)
def test_every_way_to_hold_a_graph_gives_the_same_paths(graph: Drawn, source: str, target: str) -> None:
    named, mapped = (best_paths(Drawn(graph.edges, mapped), [source], [target], 5, 4) for mapped in (False, True))
    backwards = best_paths(Drawn(graph.edges[::-1]), [source], [target], 5, 4)
    assert named == mapped == backwards


def test_a_stored_graph_gives_the_paths_of_its_claims(tmp_path: File) -> None:
    claims = [("rain", "flood"), ("flood", "famine"), ("rain", "mud"), ("mud", "famine"), ("drought", "famine")]
    with closing(open_store(str(tmp_path / "graph.kgqa"), create=True)) as store:
        store.add(Statement(Claim(*ends), Evidence(Source("text", page_id=f"{place}"))) for place, ends in enumerate(claims))
        paths = best_paths(store, ["rain"], ["famine"])
        assert [path.concepts for path in paths] == [("rain", "flood", "famine"), ("rain", "mud", "famine")]
        assert paths[0].edges == (store.effects("rain")[0], store.effects("flood")[0])
        assert [path.score for path in paths] == [score_of(path.edges, store, DEFAULT_TRANSITIVITY) for path in paths]


def test_no_path_walks_an_arrow_backwards() -> None:
    assert best_paths(Drawn((edge("c0", "c1"),)), ["c1"], ["c0"], 4) == []


def test_a_path_does_not_pass_through_another_source() -> None:
    graph = Drawn((edge("c0", "c1", 0.9), edge("c1", "c2", 0.9), edge("c0", "c2", 0.5)))
    paths = best_paths(graph, ["c0", "c1"], ["c2"], 3)
    assert [path.concepts for path in paths] == [("c1", "c2"), ("c0", "c2")]


def test_the_edge_whose_sense_fits_its_neighbours_is_taken() -> None:
    into = edge("c0", "c1", 0.9, sense=1)
    unlike, like = edge("c1", "c2", 0.9, sense=2), edge("c1", "c2", 0.8, EDGE_KINDS[0], sense=1)
    graph = Drawn((into, unlike, like))
    (path,) = best_paths(graph, ["c0"], ["c2"])
    assert path.edges == (into, like)
    (path,) = best_paths(graph, ["c0"], ["c2"], transitivity=Transitivity(unlike=1.0))
    assert path.edges == (into, unlike)


def test_a_hub_in_the_middle_makes_a_path_worse() -> None:
    ways = (edge("c0", "c1"), edge("c1", "c2"), edge("c0", "c3"), edge("c3", "c2"))
    crowd = tuple(edge("c1", other, 0.0, kind) for other in ("c4", "c5") for kind in EDGE_KINDS[:6])
    assert [path.concepts[1] for path in best_paths(Drawn(ways), ["c0"], ["c2"])] == ["c1", "c3"]
    paths = best_paths(Drawn(ways + crowd), ["c0"], ["c2"], transitivity=HUBS)
    assert [path.concepts[1] for path in paths] == ["c3", "c1"]
    assert (
        DEFAULT_TRANSITIVITY.of_degree(10)
        == DEFAULT_TRANSITIVITY.hop
        > DEFAULT_TRANSITIVITY.of_degree(11)
        > DEFAULT_TRANSITIVITY.of_degree(1000)
    )
