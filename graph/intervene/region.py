"""The part of a world that a probability is reckoned on: concepts, what brings each about, and what is there anyway."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from graph.algorithms.paths import best_paths
from graph.algorithms.reachability import strong_components
from graph.intervene.edited_topology import PREVENTING_LINKS, SUPPORTING_LINKS, EditedTopology, supporting_ends
from graph.intervene.graph_edits import Presence
from graph.intervene.overlay import Overlay
from graph.protocols import GraphView, Row, Topology

_SUPPORTING_MASK, _PREVENTING_MASK = SUPPORTING_LINKS.mask(), PREVENTING_LINKS.mask()


@dataclass(frozen=True, slots=True)
class RegionBound:
    """How far the walk goes from an effect: `length` edges, and at most so many `concepts` or, from given causes, `routes`."""

    length: int = 4
    concepts: int = 200
    routes: int = 50


DEFAULT_BOUND = RegionBound()
"""The bound that answers use."""


class RegionLink(NamedTuple):
    """A claim inside a region: the cause, the belief in it, and whether it prevents its effect."""

    cause: str
    belief: float
    prevents: bool


@dataclass(frozen=True, slots=True)
class Region:
    """Some concepts of one world: the links into each, and which of them are `given`, that is there whatever causes them.

    Of several claims that say the same of two concepts the most believed one is there. `effects` are those that are asked for.
    """

    effects: tuple[str, ...]
    links: Mapping[str, tuple[RegionLink, ...]]
    given: frozenset[str]


@dataclass(frozen=True, slots=True)
class RegionScope:
    """The names of the concepts that a region has, and whether they are all that bears on the effect, or the nearest only."""

    names: tuple[str, ...]
    complete: bool


def ancestor_scope(worlds: Iterable[GraphView], effects: Collection[str], bound: RegionBound = DEFAULT_BOUND) -> RegionScope:
    """Return what bears on an effect in any of the worlds, nearest and most believed first, as far as the bound goes."""
    names: dict[str, None] = {}
    complete = True
    for view in worlds:
        topology = view.topology()
        visited = dict.fromkeys(number for name in effects if (number := topology.number(name)) is not None)
        frontier = list(visited)
        for _ in range(bound.length):
            topology.prepare(frontier, forward=False)
            causes = dict.fromkeys(end for number in frontier for end, _, _ in _relevant_edges(topology.incoming(number)))
            frontier = [end for end in causes if end not in visited]
            if len(visited) + len(frontier) > bound.concepts:
                frontier, complete = frontier[: max(0, bound.concepts - len(visited))], False
            visited.update(dict.fromkeys(frontier))
        complete = complete and all(
            end in visited for number in frontier for end, _, _ in _relevant_edges(topology.incoming(number))
        )
        names.update(dict.fromkeys(map(topology.name, visited)))
    return RegionScope(tuple(names), complete)


def connecting_scope(
    worlds: Iterable[GraphView], sources: Collection[str], effects: Collection[str], bound: RegionBound = DEFAULT_BOUND
) -> RegionScope:
    """Return what lies on the best routes from the sources to the effects in any of the worlds, with what prevents a step of one.

    What prevents a step counts where the sources bring it about, or where it is set.
    """
    names = dict.fromkeys((*effects, *sources))
    complete = True
    for view in worlds:
        forced = (
            [name for name, setting in view.forced.items() if setting is Presence.PRESENT] if isinstance(view, Overlay) else []
        )
        starts = [*sources, *(name for name in forced if name not in effects)]
        paths = best_paths(view, starts, effects, bound.length, bound.routes, SUPPORTING_LINKS)
        complete = complete and len(paths) < bound.routes
        inside = dict.fromkeys((*effects, *starts, *(name for path in paths for name in path.concepts)))
        topology = view.topology()
        numbers = {number for name in inside if (number := topology.number(name)) is not None}
        topology.prepare(numbers, forward=False)
        rows = [topology.incoming(number) for number in numbers]
        preventing = dict.fromkeys(end for row in rows for end, _, kind in _relevant_edges(row) if _PREVENTING_MASK[kind])
        for end in preventing:
            if not numbers.isdisjoint(supporting_ends(topology.incoming(end))):
                inside[topology.name(end)] = None
        names.update(inside)
    return RegionScope(tuple(names), complete)


def region_of_scope(
    view: GraphView, scope: RegionScope, effects: Iterable[str], sources: Collection[str] | None = None
) -> Region:
    """Return the concepts of a scope as a world has them.

    With `sources`, they and what is set present are given, and nothing else. Without, given is what is set present and all that
    stands and that no concept of the scope explains: what has no causes, what has a cause outside the scope, and concepts that
    only cause one another.
    """
    topology = view.topology()
    numbers = {number: name for name in scope.names if (number := topology.number(name)) is not None}
    topology.prepare(numbers, forward=False)
    links: dict[str, tuple[RegionLink, ...]] = dict.fromkeys(scope.names, ())
    links.update((name, tuple(_region_links(topology.incoming(number), numbers))) for number, name in numbers.items())
    given = set(sources) if sources is not None else {numbers[number] for number in _unexplained_concepts(topology, numbers)}
    given.update(name for name in _concepts_set_present(view) if name in links)
    gone = view.gone if isinstance(view, Overlay) else frozenset()
    return Region(tuple(name for name in effects if name in links), links, frozenset(given - gone))


def _concepts_set_present(view: GraphView) -> list[str]:
    forced = view.forced if isinstance(view, Overlay) else {}
    return [name for name, setting in forced.items() if setting is Presence.PRESENT]


def _unexplained_concepts(topology: Topology, inside: Collection[int]) -> Iterator[int]:
    """Yield the concepts that the world as it is without edits does not explain by others of them.

    A cause outside counts only where this world has it, too.
    """
    below = topology.below if isinstance(topology, EditedTopology) else None
    causes: dict[int, set[int]] = {}
    for number in inside:
        row = topology.incoming(number)
        causes[number] = set(supporting_ends(row if below is None else below(number, forward=False)))
        if not causes[number] or not all(end in inside for end in supporting_ends(row)):
            yield number
    for component in strong_components(causes, lambda number: [end for end in causes[number] if end in causes]):
        if all(causes[number].issubset(component) for number in component):
            yield from component


def _region_links(row: Row, inside: Mapping[int, str]) -> Iterable[RegionLink]:
    """Return the links of a row from concepts inside: the most believed one of each cause that says the same."""
    best: dict[tuple[int, bool], RegionLink] = {}
    for end, belief, kind in _relevant_edges(row):
        if end in inside:
            prevents = bool(_PREVENTING_MASK[kind])
            best.setdefault((end, prevents), RegionLink(inside[end], belief, prevents))
    return best.values()


def _relevant_edges(row: Row) -> Iterator[tuple[int, float, int]]:
    """Yield far end, belief and kind of the edges of a row that bring their effect about or prevent it, most believed first."""
    for end, belief, kind in zip(row.ends, row.beliefs, row.kinds, strict=True):
        if belief <= 0.0:
            return
        if _SUPPORTING_MASK[kind] or _PREVENTING_MASK[kind]:
            yield end, belief, kind
