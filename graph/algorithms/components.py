"""Concepts that bear on one another all round: strongly connected components."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph.algorithms.arrows import Arrows
from graph.links import EVERY_LINK, Links
from graph.protocols import GraphView


def components(view: GraphView, names: Iterable[str], links: Links = EVERY_LINK) -> list[list[str]]:
    """Return the strongly connected components of what can be reached from some concepts, effects before their causes.

    Each is a list of names, in alphabetical order; a concept that is on no loop is a component of its own.
    """
    topology = view.topology()
    roots = [number for name in names if (number := topology.number(name)) is not None]
    found = components_of(Arrows(topology, links), roots)
    return [sorted(map(topology.name, component)) for component in found]


def components_of(arrows: Arrows, roots: Iterable[int], within: frozenset[int] | None = None) -> Iterator[list[int]]:
    """Iterate over the components that can be reached from the roots, inside of `within` if it is given, effects first.

    Source: Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion.
    """

    def ends_of(number: int) -> Iterator[int]:
        ends = arrows.beyond(number, forward=True)
        ends = ends if within is None else [end for end in ends if end in within]
        arrows.prepare(ends, forward=True)
        return iter(ends)

    met: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: dict[int, None] = {}
    roots = list(roots)
    arrows.prepare(roots, forward=True)
    for root in roots:
        walk = [root] if root not in met and (within is None or root in within) else []
        ends: dict[int, Iterator[int]] = {}
        while walk:
            number = walk[-1]
            if number not in met:
                met[number] = lowest[number] = len(met)
                stack[number] = None
                ends[number] = ends_of(number)
            unmet = _next_unmet(number, ends[number], met, lowest, stack)
            if unmet is not None:
                walk.append(unmet)
                continue
            walk.pop()
            if walk:
                lowest[walk[-1]] = min(lowest[walk[-1]], lowest[number])
            if lowest[number] == met[number]:
                component = [stack.popitem()[0]]
                while component[-1] != number:
                    component.append(stack.popitem()[0])
                yield component


def _next_unmet(
    number: int, ends: Iterator[int], met: dict[int, int], lowest: dict[int, int], stack: dict[int, None]
) -> int | None:
    """Return the next end of an edge that was not met yet; ends that were met and are still open lower the concept."""
    for end in ends:
        if end not in met:
            return end
        if end in stack:
            lowest[number] = min(lowest[number], met[end])
    return None
