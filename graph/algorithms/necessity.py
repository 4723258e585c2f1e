"""Which concepts every way from a cause to an effect leads through: its necessary causes (dominators)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from graph.algorithms.arrows import AllowedEdges
from graph.links import EVERY_LINK, Links
from graph.protocols import GraphView


def necessary_causes(
    view: GraphView,
    sources: Iterable[str],
    targets: Iterable[str],
    max_length: int | None = None,
    links: Links = EVERY_LINK,
) -> Sequence[str]:
    """Return the concepts on every path of at most `max_length` edges from a source to a target, nearest to the source first.

    With `None` paths of any length count. Sources and targets are left out. Empty where there is no such concept, or no path.
    """
    topology = view.topology()
    arrows = AllowedEdges(topology, links)
    starts = {number for name in sources if (number := topology.number(name)) is not None}
    ends = {number for name in targets if (number := topology.number(name)) is not None} - starts
    necessary = necessary_numbers(arrows, starts, ends, max_length)
    return [topology.name(number) for number in necessary]


def necessary_numbers(arrows: AllowedEdges, starts: Collection[int], ends: Collection[int], max_length: int | None) -> list[int]:
    """Return what `necessary_causes` does, by number.

    Such a concept lies on the first path that is found. Each on it is tried by looking for a path without it; every path that is
    found so leaves those that are on it.
    """
    path = shortest_path(arrows, starts, ends, max_length)
    if path is None:
        return []
    candidates = path[1:-1]
    necessary = []
    while candidates:
        tried = candidates.pop(0)
        detour = shortest_path(arrows, starts, ends, max_length, tried)
        if detour is None:
            necessary.append(tried)
        else:
            on_it = set(detour)
            candidates = [number for number in candidates if number in on_it]
    return necessary


def shortest_path(
    arrows: AllowedEdges,
    starts: Collection[int],
    ends: Collection[int],
    max_length: int | None = None,
    without: int | None = None,
) -> list[int] | None:
    """Return a path of fewest edges, at most `max_length`, from a start to an end that avoids a concept, or `None`.

    Looks from both sides, a step at a time on the side that has fewer concepts to look at (bidirectional breadth-first search).
    """
    if not starts or not ends:
        return None
    came_from: tuple[dict[int, int], dict[int, int]] = dict.fromkeys(starts, -1), dict.fromkeys(ends, -1)
    if without is not None:
        came_from[0][without] = came_from[1][without] = -1
    frontiers: list[Collection[int]] = [starts, ends]
    steps = 0
    while frontiers[0] and frontiers[1] and (max_length is None or steps < max_length):
        steps += 1
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        seen, opposite_side = came_from[side], came_from[1 - side]
        forward = side == 0
        reached: list[int] = []
        arrows.prepare(frontiers[side], forward=forward)
        for number in frontiers[side]:
            new = set(arrows.beyond(number, forward=forward)) - seen.keys()
            if not new:
                continue
            seen.update(dict.fromkeys(new, number))
            met = new & opposite_side.keys()
            if met:
                middle = min(met)
                return [*reversed(_walk_back(middle, came_from[0])), *_walk_back(middle, came_from[1])[1:]]
            reached.extend(new)
        frontiers[side] = reached
    return None


def _walk_back(number: int, came_from: dict[int, int]) -> list[int]:
    """Return the concepts from this one back to where the search began."""
    path = [number]
    while (number := came_from[number]) >= 0:
        path.append(number)
    return path
