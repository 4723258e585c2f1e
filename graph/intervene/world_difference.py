"""The difference of two worlds: the routes to an effect that are lost, gained and left, and its probability in each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from graph.algorithms.paths import best_paths
from graph.intervene.probability import (
    DEFAULT_BOUND,
    SAMPLES,
    Estimate,
    RegionBound,
    ancestor_scope,
    connecting_scope,
    estimate_probability,
    region_of_scope,
)
from graph.model import Path
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, Links

_ROUTE_FACTOR = 4
"""The number of routes to compare, as a multiple of those wanted, so that those that an edit touches are among them."""


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

    Routes are the best ones from `sources`, up to `limit` of each kind, or, without sources, all single edges: the causes of the
    effects. A route is identified by its concepts; one that both worlds have survives, with the score that it has in `after`.
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
