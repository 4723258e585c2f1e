"""The probability of an effect before and after an intervention, and the routes to it that are lost, gained and left.

The probability is by noisy-or, and by sampling which claims are true, in a region around the effect. A claim
is true with its belief, independently of others. A concept that is not given holds where a true claim from a cause that holds
brings it about, and no true claim from a cause that holds prevents it. Of concepts that cause one another in a circle the least
fixpoint is taken: a circle does not hold itself up. What a circle through a prevention leaves open counts half.

`noisy_or` (Pearl 1988, section 4.3.2) takes the causes of each concept for independent. It is exact where no two routes share a
claim; else, without preventions, it is never too low. `sample_probability` is right on average on every graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from operator import and_, or_
from typing import Generic, NamedTuple, TypeVar

from graph.algorithms.paths import best_paths
from graph.algorithms.reachability import AllowedEdges, concept_numbers, strong_components
from graph.intervene import Presence
from graph.intervene.overlay import PREVENTING_LINKS, SUPPORTING_LINKS, EditedTopology, Overlay, supporting_ends
from graph.model import Path
from graph.protocols import GraphView, Topology
from graph.topology import DRIVING_LINKS, Links

_PREVENTING_MASK = PREVENTING_LINKS.mask()
_RELEVANT_LINKS = Links(SUPPORTING_LINKS.kinds | PREVENTING_LINKS.kinds)


@dataclass(frozen=True, slots=True)
class RegionBound:
    """The limits of the walk from an effect: `length` edges, and so many `concepts` or, from given causes, `routes`."""

    length: int = 4
    concepts: int = 200
    routes: int = 50


DEFAULT_BOUND = RegionBound()  # the bound that answers use


class RegionLink(NamedTuple):
    """A claim inside a region: the cause, the belief in it, and whether it prevents its effect."""

    cause: str
    belief: float
    prevents: bool


@dataclass(frozen=True, slots=True)
class Region:
    """Some concepts of one world: the most believed links into each, and the `given` ones, which hold whatever causes them."""

    effects: tuple[str, ...]
    links: Mapping[str, tuple[RegionLink, ...]]
    given: frozenset[str]


@dataclass(frozen=True, slots=True)
class RegionScope:
    """The names of the concepts of a region, and whether they are all that influence the effect, or the nearest only."""

    names: tuple[str, ...]
    complete: bool


def ancestor_scope(worlds: Iterable[GraphView], effects: Collection[str], bound: RegionBound = DEFAULT_BOUND) -> RegionScope:
    """Return the causes of an effect in any of the worlds, nearest and most believed first, as far as the bound goes."""
    names: dict[str, None] = {}
    complete = True
    for view in worlds:
        topology = view.topology()
        arrows = AllowedEdges(topology, _RELEVANT_LINKS)
        visited = dict.fromkeys(concept_numbers(topology, effects))
        frontier = list(visited)
        for _ in range(bound.length):
            arrows.prepare(frontier, forward=False)
            causes = dict.fromkeys(end for number in frontier for end in arrows.beyond(number, forward=False))
            frontier = [end for end in causes if end not in visited]
            if len(visited) + len(frontier) > bound.concepts:
                frontier, complete = frontier[: max(0, bound.concepts - len(visited))], False
            visited.update(dict.fromkeys(frontier))
        complete = complete and all(end in visited for number in frontier for end in arrows.beyond(number, forward=False))
        names.update(dict.fromkeys(map(topology.name, visited)))
    return RegionScope(tuple(names), complete)


def connecting_scope(
    worlds: Iterable[GraphView], sources: Collection[str], effects: Collection[str], bound: RegionBound = DEFAULT_BOUND
) -> RegionScope:
    """Return what lies on the best routes from the sources to the effects in any world, and what can prevent a step of one."""
    names = dict.fromkeys((*effects, *sources))
    complete = True
    for view in worlds:
        starts = [*sources, *(name for name in _concepts_set_present(view) if name not in effects)]
        paths = best_paths(view, starts, effects, bound.length, bound.routes, SUPPORTING_LINKS)
        complete = complete and len(paths) < bound.routes
        inside = dict.fromkeys((*effects, *starts, *(name for path in paths for name in path.concepts)))
        topology = view.topology()
        numbers = set(concept_numbers(topology, inside))
        topology.prepare(numbers, forward=False)
        arrows = AllowedEdges(topology, PREVENTING_LINKS)
        for end in dict.fromkeys(end for number in numbers for end in arrows.beyond(number, forward=False)):
            if not numbers.isdisjoint(supporting_ends(topology.incoming(end))):
                inside[topology.name(end)] = None
        names.update(inside)
    return RegionScope(tuple(names), complete)


def region_of_scope(
    view: GraphView, scope: RegionScope, effects: Iterable[str], sources: Collection[str] | None = None
) -> Region:
    """Return the concepts of a scope as a world has them; given are what is set present and `sources`.

    Without `sources` all is given that stands unexplained: without causes, with a cause outside, or only causing one another.
    """
    topology = view.topology()
    numbers = {number: name for name in scope.names if (number := topology.number(name)) is not None}
    topology.prepare(numbers, forward=False)
    links: dict[str, tuple[RegionLink, ...]] = dict.fromkeys(scope.names, ())
    arrows = AllowedEdges(topology, _RELEVANT_LINKS)
    for number, name in numbers.items():
        best: dict[tuple[int, bool], RegionLink] = {}  # the most believed link of each cause that says the same
        for end, belief, kind in arrows.edges(number, forward=False):
            if end in numbers:
                prevents = bool(_PREVENTING_MASK[kind])
                best.setdefault((end, prevents), RegionLink(numbers[end], belief, prevents))
        links[name] = tuple(best.values())
    given = set(sources) if sources is not None else {numbers[number] for number in _unexplained_concepts(topology, numbers)}
    given.update(name for name in _concepts_set_present(view) if name in links)
    gone = view.gone if isinstance(view, Overlay) else frozenset()
    return Region(tuple(name for name in effects if name in links), links, frozenset(given - gone))


def _concepts_set_present(view: GraphView) -> list[str]:
    forced = view.forced if isinstance(view, Overlay) else {}
    return [name for name, setting in forced.items() if setting is Presence.PRESENT]


def _unexplained_concepts(topology: Topology, inside: Collection[int]) -> Iterator[int]:
    """Yield the concepts that the world without edits does not explain by others of them, or this world by a cause outside."""
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


FixpointValue = TypeVar("FixpointValue")


@dataclass(frozen=True, slots=True)
class Algebra(Generic[FixpointValue]):
    """The values of a fixpoint and their operations; of a circle at most `sweeps`, with a prevention `rounds`."""

    never: FixpointValue
    always: FixpointValue
    both: Callable[[FixpointValue, FixpointValue], FixpointValue]
    either: Callable[[FixpointValue, FixpointValue], FixpointValue]
    without: Callable[[FixpointValue, FixpointValue], FixpointValue]
    same: Callable[[FixpointValue, FixpointValue], bool]
    sweeps: int
    rounds: int


def fixpoint_bounds(
    region: Region, algebra: Algebra[FixpointValue], strength: Callable[[str, RegionLink], FixpointValue]
) -> tuple[dict[str, FixpointValue], dict[str, FixpointValue]]:
    """Return when each concept holds at least and at most: causes first, and the circles until nothing changes.

    The two differ only where a circle runs through a prevention: the alternating fixpoint (Van Gelder 1993).
    """
    never, same = algebra.never, algebra.same
    links = {name: [(link, strength(name, link)) for link in into] for name, into in region.links.items()}
    low, high = dict.fromkeys(links, never), dict.fromkeys(links, never)

    def value(name: str, driving: Mapping[str, FixpointValue], preventing: Mapping[str, FixpointValue]) -> FixpointValue:
        held, barred = algebra.always if name in region.given else never, never
        for link, weight in links[name]:
            if link.prevents:
                barred = algebra.either(barred, algebra.both(weight, preventing[link.cause]))
            else:
                held = algebra.either(held, algebra.both(weight, driving[link.cause]))
        return algebra.without(held, barred)

    def raise_to_fixpoint(
        names: Sequence[str], driving: dict[str, FixpointValue], preventing: Mapping[str, FixpointValue]
    ) -> bool:
        """Bring `driving` to its least fixpoint inside a component; return whether it has changed by that."""
        before = {name: driving[name] for name in names}
        driving.update(dict.fromkeys(names, never))
        for _ in range(algebra.sweeps if len(before) > 1 else 1):
            last = {name: driving[name] for name in names}
            for name in names:
                driving[name] = value(name, driving, preventing)
            if all(same(driving[name], last[name]) for name in names):
                break
        return not all(same(driving[name], before[name]) for name in names)

    for names in strong_components(links, lambda name: [link.cause for link in region.links[name]]):
        inside = set(names)
        turns = any(link.prevents and link.cause in inside for name in names for link in region.links[name])
        for _ in range(algebra.rounds if turns else 1):
            changes = [raise_to_fixpoint(names, high, low), raise_to_fixpoint(names, low, high)]
            if not any(changes):
                break
    return low, high


TOLERANCE = 1e-7  # the greatest change of a probability at which noisy-or stops to go round a circle
SAMPLES = 2000  # the default number of samples; the interval of 95 % is then at most .045 wide
_DIGITS = 40
_Z_95 = 1.96

_PROBABILITIES: Algebra[float] = Algebra(
    never=0.0,
    always=1.0,
    both=lambda first, second: first * second,
    either=lambda first, second: first + second - first * second,
    without=lambda first, second: first * (1.0 - second),
    same=lambda first, second: abs(first - second) <= TOLERANCE,
    sweeps=1000,
    rounds=8,
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The probability of an effect, 0..1: by noisy-or, and by sampling with its 95 % interval."""

    noisy_or: float
    sampled: float
    low: float
    high: float


def estimate_probability(region: Region, seed: int = 0, samples: int = SAMPLES) -> Estimate:
    """Return the probability that any effect of a region holds."""
    share = sample_probability(region, seed, samples)
    return Estimate(noisy_or(region), share, *wilson_95_interval(share, samples))


def noisy_or(region: Region) -> float:
    """Return the probability, 0..1, by noisy-or; circles are gone round until nothing changes by more than `TOLERANCE`."""
    settled = fixpoint_bounds(region, _PROBABILITIES, lambda _, link: link.belief)
    return sum(reduce(_PROBABILITIES.either, (bound[name] for name in region.effects), 0.0) for bound in settled) / 2


def sample_probability(region: Region, seed: int = 0, samples: int = SAMPLES) -> float:
    """Return the share of samples in which an effect holds; worlds that share claims share draws."""
    many = len(region.links) + 1
    sets: Algebra[int] = Algebra(0, (1 << samples) - 1, and_, or_, lambda first, second: first & ~second, int.__eq__, many, many)
    settled = fixpoint_bounds(region, sets, lambda effect, link: _draw_samples(effect, link, seed, samples))
    return sum(reduce(or_, (bound[name] for name in region.effects), 0).bit_count() for bound in settled) / (2 * samples)


def wilson_95_interval(share: float, samples: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of so many samples (Wilson 1927)."""
    spread = _Z_95 * _Z_95 / samples
    middle = (share + spread / 2) / (1 + spread)
    half = _Z_95 * sqrt(share * (1 - share) / samples + spread / (4 * samples)) / (1 + spread)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _draw_samples(effect: str, link: RegionLink, seed: int, samples: int) -> int:
    """Return the samples in which a claim is true, as bits: a uniform number is drawn digit by digit for all samples at once."""
    below, equal = 0, (1 << samples) - 1
    left = link.belief
    if left >= 1.0:
        return equal
    draws = random.Random("\0".join((str(seed), link.cause, effect, str(link.prevents))).encode("utf-8", "surrogatepass"))
    for _ in range(_DIGITS):
        if not left or not equal:
            break
        left *= 2
        digits = draws.getrandbits(samples)
        if left >= 1.0:
            left -= 1.0
            below |= equal & ~digits
            equal &= digits
        else:
            equal &= ~digits
    return below


_ROUTE_FACTOR = 4  # routes to compare, as a multiple of those wanted, so that those that an edit touches are among them


@dataclass(frozen=True, slots=True)
class EffectProbabilities:
    """The probability of an effect in two worlds, and what it was computed on; `complete` where no influence was left out."""

    before: Estimate
    after: Estimate
    concepts: int
    length: int
    complete: bool
    samples: int = SAMPLES
    seed: int = 0


@dataclass(frozen=True, slots=True)
class WorldDifference:
    """The routes to an effect that another world loses, gains and keeps, best first, and the probabilities."""

    lost: tuple[Path, ...]
    gained: tuple[Path, ...]
    surviving: tuple[Path, ...]
    chances: EffectProbabilities


def compare_worlds(
    before: GraphView,
    after: GraphView,
    effects: Collection[str],
    sources: Collection[str] | None = None,
    links: Links = DRIVING_LINKS,
    max_length: int = 4,
    limit: int = 5,
) -> WorldDifference:
    """Return how the world `after` differs from the world `before` for any of the `effects`.

    Routes are the best ones from `sources`, up to `limit` of each kind, or, without sources, all edges into the effects. A route
    is identified by its concepts; one that both worlds have survives, with the score that it has in `after`.
    """
    routes = [_best_routes(view, effects, sources, links, max_length, _ROUTE_FACTOR * limit) for view in (before, after)]
    had, has = ({path.concepts for path in paths} for paths in routes)
    lost = [path for path in routes[0] if path.concepts not in has and not _has_every_step(path, after, links)]
    gained = [path for path in routes[1] if path.concepts not in had and not _has_every_step(path, before, links)]
    surviving = [path for path in routes[1] if path not in gained]
    most = None if sources is None else limit
    both = effect_probabilities(before, after, effects, sources, RegionBound(max_length))
    return WorldDifference(tuple(lost[:most]), tuple(gained[:most]), tuple(surviving[:most]), both)


def effect_probabilities(
    before: GraphView,
    after: GraphView,
    effects: Collection[str],
    sources: Collection[str] | None = None,
    bound: RegionBound = DEFAULT_BOUND,
    samples: int = SAMPLES,
    seed: int = 0,
) -> EffectProbabilities:
    """Return the probability of an effect in each world, given the sources and what is set, or all that is not explained."""
    worlds = (before, after)
    scope = ancestor_scope(worlds, effects, bound) if sources is None else connecting_scope(worlds, sources, effects, bound)
    regions = (region_of_scope(view, scope, effects, sources) for view in worlds)
    first, second = (estimate_probability(region, seed, samples) for region in regions)
    return EffectProbabilities(first, second, len(scope.names), bound.length, scope.complete, samples, seed)


def _best_routes(
    view: GraphView, effects: Collection[str], sources: Collection[str] | None, links: Links, max_length: int, limit: int
) -> Sequence[Path]:
    if sources is not None:
        return best_paths(view, sources, effects, max_length, limit, links)
    best: dict[tuple[str, ...], Path] = {}
    for edge in (edge for name in effects for edge in view.causes(name) if links.allow(edge) and edge.cause not in effects):
        path = Path((edge,), edge.belief)
        best.setdefault(path.concepts, path)
    return sorted(best.values(), key=lambda path: (-path.score, path.concepts))


def _has_every_step(path: Path, view: GraphView, links: Links) -> bool:
    return all(any(links.allow(edge) and edge.effect == step.effect for edge in view.effects(step.cause)) for step in path.edges)
