"""The best paths, against every simple path that networkx finds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.algorithms.paths import HOP, best_paths
from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store

NAMES = [f"c{number}" for number in range(8)]
EDGES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(1, 3)).filter(lambda edge: edge[0] != edge[1]),
    max_size=24,
)


@contextmanager
def graph_of(edges: list[tuple[str, str, int]]) -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(
        Statement(Claim(cause, effect), Evidence(Source("text", page_id=f"{place}-{copy}"), Stance.ASSERTED, start=0, end=1))
        for place, (cause, effect, support) in enumerate(edges)
        for copy in range(support)
    )
    yield store
    store.close()


def oracle(store: GraphStore, source: str, target: str, max_length: int) -> list[float]:
    graph = networkx.DiGraph()
    graph.add_nodes_from(NAMES)
    for name in NAMES:
        for edge in store.effects(name):
            graph.add_edge(edge.cause, edge.effect, belief=edge.belief)
    scores = []
    for path in networkx.all_simple_edge_paths(graph, source, target, cutoff=max_length):
        beliefs = [graph.edges[edge]["belief"] for edge in path]
        scores.append(math.prod(beliefs) * HOP ** (len(beliefs) - 1))
    return sorted(scores, reverse=True)


@settings(max_examples=120, deadline=None)
@given(EDGES, st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(1, 5), st.integers(1, 6))
def test_the_best_paths_are_those_of_networkx(
    edges: list[tuple[str, str, int]], source: str, target: str, max_length: int, limit: int
) -> None:
    if source == target:
        return
    with graph_of(edges) as store:
        paths = best_paths(store, [source], [target], max_length, limit)
        assert [path.score for path in paths] == pytest.approx(oracle(store, source, target, max_length)[:limit])
        for path in paths:
            assert path.concepts[0] == source
            assert path.concepts[-1] == target
            assert len(set(path.concepts)) == len(path.concepts)
            assert all(one.effect == other.cause for one, other in pairwise(path.edges))
            assert all(edge in store.effects(edge.cause) for edge in path.edges)


def test_no_path_walks_an_arrow_backwards() -> None:
    with graph_of([("c0", "c1", 3)]) as store:
        assert best_paths(store, ["c1"], ["c0"], 4) == []


def test_a_path_does_not_pass_through_another_source() -> None:
    with graph_of([("c0", "c1", 3), ("c1", "c2", 3), ("c0", "c2", 1)]) as store:
        paths = best_paths(store, ["c0", "c1"], ["c2"], 3)
        assert [path.concepts for path in paths] == [("c1", "c2"), ("c0", "c2")]
