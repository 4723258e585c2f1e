"""The best chains of cause and effect between concepts: walked with the arrows only, best product of beliefs first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Sequence

from graph.model import Edge, Path
from graph.protocols import GraphView

HOP = 0.85
"""What each further hop keeps of a path's score: causation through a middle concept is not always causation."""

Allowed = Callable[[Edge], bool]


def any_edge(edge: Edge) -> bool:
    """Allow every edge that is believed at all."""
    return edge.belief > 0.0


def best_paths(
    view: GraphView,
    sources: Iterable[str],
    targets: Iterable[str],
    max_length: int = 3,
    limit: int = 5,
    allowed: Allowed = any_edge,
) -> Sequence[Path]:
    """Return up to `limit` simple paths of at most `max_length` edges from a source to a target, best first.

    The score of a path is the product of the beliefs of its edges and of `HOP` for each edge after the first, 0..1. Equal
    scores come in the order of their concepts. Where two concepts are joined by several edges, the most believed one counts.
    """
    starts, ends = frozenset(sources), frozenset(targets)
    near = _levels_before(view, ends, max_length // 2, allowed)
    queue: list[tuple[float, tuple[str, ...], tuple[Edge, ...]]] = [(-1.0, (start,), ()) for start in sorted(starts)]
    heapq.heapify(queue)
    found: list[Path] = []
    outgoing: dict[str, list[Edge]] = {}
    while queue and len(found) < limit:
        score, names, edges = heapq.heappop(queue)
        here = names[-1]
        if here in ends and edges:
            found.append(Path(edges, -score))
            continue
        left = max_length - len(edges)
        if left == 0:
            continue
        if here not in outgoing:
            outgoing[here] = _strongest(view.effects(here), allowed)
        for edge in outgoing[here]:
            there = edge.effect
            if there in names or there in starts or (left - 1 < len(near) and there not in near[left - 1]):
                continue
            step = edge.belief * (HOP if edges else 1.0)
            heapq.heappush(queue, (score * step, (*names, there), (*edges, edge)))
    return found


def _levels_before(view: GraphView, ends: frozenset[str], levels: int, allowed: Allowed) -> list[Collection[str]]:
    """Return, for 0, 1, ... `levels` edges left, the concepts from which an end can still be reached."""
    reached = set(ends)
    frontier = reached
    near: list[Collection[str]] = [frozenset(reached)]
    for _ in range(levels):
        frontier = {edge.cause for name in frontier for edge in view.causes(name) if allowed(edge)} - reached
        reached = reached | frontier
        near.append(frozenset(reached))
    return near


def _strongest(edges: Iterable[Edge], allowed: Allowed) -> list[Edge]:
    """Return the allowed edges, one for each effect: edges come strongest first."""
    best: dict[str, Edge] = {}
    for edge in edges:
        if allowed(edge):
            best.setdefault(edge.effect, edge)
    return list(best.values())
