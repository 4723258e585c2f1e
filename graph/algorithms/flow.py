"""The cheapest set of arcs that parts two sets of nodes: Dinic's maximum flow, and the cut that it leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

FlowArc = tuple[int, int]


def minimum_cut(capacities: Mapping[FlowArc, int], sources: Collection[int], sinks: Collection[int]) -> set[FlowArc]:
    """Return the arcs of least total capacity without which no sink can be reached from a source.

    Of several such sets it is the one nearest to the sources, so that the answer is always the same. Capacities are whole numbers
    above 0; sources and sinks share no node. Source: Dinic, "Algorithm for solution of a problem of maximum flow in networks"
    (1970).
    """
    left: dict[int, dict[int, int]] = defaultdict(dict)
    for (tail, head), capacity in capacities.items():
        left[tail][head] = left[tail].get(head, 0) + capacity
        left[head].setdefault(tail, 0)
    ends = frozenset(sinks)
    while True:
        levels = _flow_levels(left, sources)
        if ends.isdisjoint(levels):
            return {(tail, head) for tail, head in capacities if tail in levels and head not in levels}
        arcs = {node: list(left[node]) for node in levels}
        for source in sources:
            while path := _open_path(left, levels, arcs, source, ends):
                pushed = min(left[tail][head] for tail, head in path)
                for tail, head in path:
                    left[tail][head] -= pushed
                    left[head][tail] += pushed


def _flow_levels(left: Mapping[int, Mapping[int, int]], sources: Collection[int]) -> dict[int, int]:
    """Return the nodes that can be reached over arcs with capacity left, with their distances from the sources."""
    levels = dict.fromkeys(sources, 0)
    frontier = list(levels)
    while frontier:
        reached = []
        for node in frontier:
            for head, capacity in left.get(node, {}).items():
                if capacity and head not in levels:
                    levels[head] = levels[node] + 1
                    reached.append(head)
        frontier = reached
    return levels


def _open_path(
    left: Mapping[int, Mapping[int, int]],
    levels: Mapping[int, int],
    arcs: dict[int, list[int]],
    source: int,
    sinks: Collection[int],
) -> list[FlowArc]:
    """Return the arcs of a path to a sink that goes a level further with each; arcs that lead nowhere are taken out of `arcs`."""
    path: list[FlowArc] = []
    node = source
    while node not in sinks:
        while arcs[node]:
            head = arcs[node][-1]
            if left[node][head] and levels.get(head, 0) == levels[node] + 1:
                path.append((node, head))
                node = head
                break
            arcs[node].pop()
        else:
            if not path:
                return []
            node, _ = path.pop()
            arcs[node].pop()
    return path
