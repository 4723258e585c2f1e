"""Breadth-first search: a chain of at most so many claims between two concepts of exactly these names.

The plain answer of a causal graph to "does X cause Y?": no polarity, no evidence, no sense, no belief. Once with the arrows, and
once without them, as some published systems search.
"""

from __future__ import annotations

from collections.abc import Callable

from graph.normalize import concept_name
from graph.protocols import GraphView, Topology

HOPS = (2, 3)
BREADTH_FIRST_SEARCHES = {
    f"breadth-first, {hops} hops, {'with the arrows' if directed else 'either way'}": (hops, directed)
    for directed in (True, False)
    for hops in HOPS
}
"""The searches by name: how many hops, and whether arrows are respected."""

_Neighbours = Callable[[int], set[int]]


def is_connected(topology: Topology, cause: int, effect: int, hops: int, *, directed: bool) -> bool:
    """Return whether a walk of 1 to `hops` claims leads from one concept to another; the nearer end is widened first."""
    ahead, behind = {cause}, {effect}
    seen_ahead, seen_behind = {cause}, {effect}
    forward, backward = (_outgoing(topology), _incoming(topology)) if directed else (_either(topology), _either(topology))
    for _ in range(hops):
        if len(ahead) <= len(behind):
            ahead = _widen_frontier(ahead, forward, seen_ahead)
        else:
            behind = _widen_frontier(behind, backward, seen_behind)
        if not seen_ahead.isdisjoint(seen_behind):
            return True
    return False


def search_verdicts(view: GraphView, pair: tuple[str, str]) -> dict[str, str | None]:
    """Return "yes" for each search that connects the pair, `None` where it does not."""
    topology = view.topology()
    cause, effect = (topology.number(concept_name(phrase)) for phrase in pair)
    if cause is None or effect is None or cause == effect:
        return dict.fromkeys(BREADTH_FIRST_SEARCHES)
    return {
        name: "yes" if is_connected(topology, cause, effect, hops, directed=directed) else None
        for name, (hops, directed) in BREADTH_FIRST_SEARCHES.items()
    }


def _widen_frontier(frontier: set[int], step: _Neighbours, seen: set[int]) -> set[int]:
    """Return what lies a step beyond a frontier and was not seen, and take note of it."""
    reached = {end for number in frontier for end in step(number)} - seen
    seen |= reached
    return reached


def _outgoing(topology: Topology) -> _Neighbours:
    return lambda number: set(topology.outgoing(number).ends)


def _incoming(topology: Topology) -> _Neighbours:
    return lambda number: set(topology.incoming(number).ends)


def _either(topology: Topology) -> _Neighbours:
    return lambda number: {*topology.outgoing(number).ends, *topology.incoming(number).ends}
