"""Concepts that bear on one another all round: strongly connected components."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from graph.algorithms.reachability import AllowedEdges
from graph.protocols import GraphView
from graph.topology import EVERY_LINK, Links

Vertex = TypeVar("Vertex", bound=Hashable)


def concept_components(view: GraphView, names: Iterable[str], links: Links = EVERY_LINK) -> list[list[str]]:
    """Return the strongly connected components of what can be reached from some concepts, effects before their causes.

    Each is a list of names, in alphabetical order; a concept that is on no loop is a component of its own.
    """
    topology = view.topology()
    arrows = AllowedEdges(topology, links)

    def effects_of(number: int) -> Iterable[int]:
        ends = arrows.beyond(number, forward=True)
        arrows.prepare(ends, forward=True)
        return ends

    roots = [number for name in names if (number := topology.number(name)) is not None]
    arrows.prepare(roots, forward=True)
    return [sorted(map(topology.name, component)) for component in strong_components(roots, effects_of)]


def strong_components(roots: Iterable[Vertex], ends_of: Callable[[Vertex], Iterable[Vertex]]) -> Iterator[list[Vertex]]:
    """Iterate over the components that can be reached from the roots, those that others lead to before these.

    Inside of each the ends of an edge stand before its beginning as far as a loop allows. Source: Tarjan, "Depth-first search
    and linear graph algorithms" (1972), without recursion.
    """
    met: dict[Vertex, int] = {}
    lowest: dict[Vertex, int] = {}
    stack: dict[Vertex, None] = {}
    for root in roots:
        walk = [root] if root not in met else []
        ends: dict[Vertex, Iterator[Vertex]] = {}
        while walk:
            node = walk[-1]
            if node not in met:
                met[node] = lowest[node] = len(met)
                stack[node] = None
                ends[node] = iter(ends_of(node))
            unmet = _next_unmet(node, ends[node], met, lowest, stack)
            if unmet is not None:
                walk.append(unmet)
                continue
            walk.pop()
            if walk:
                lowest[walk[-1]] = min(lowest[walk[-1]], lowest[node])
            if lowest[node] == met[node]:
                component = [stack.popitem()[0]]
                while component[-1] != node:
                    component.append(stack.popitem()[0])
                yield component


def _next_unmet(
    node: Vertex, ends: Iterator[Vertex], met: dict[Vertex, int], lowest: dict[Vertex, int], stack: dict[Vertex, None]
) -> Vertex | None:
    """Return the next end of an edge that was not met yet; ends that were met and are still open lower the node."""
    for end in ends:
        if end not in met:
            return end
        if end in stack:
            lowest[node] = min(lowest[node], met[end])
    return None
