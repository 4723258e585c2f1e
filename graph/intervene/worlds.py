"""Two worlds and their difference: which routes to an effect are lost, gained and left, and how probable it is in each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from graph.algorithms.paths import best_paths
from graph.intervene.probability import SAMPLES, Estimate, estimate
from graph.intervene.region import PLAIN_BOUND, Bound, ancestors, between, region
from graph.links import DRIVING_LINKS, Links
from graph.model import Path
from graph.protocols import GraphView

_LOOKED_AT = 4
"""How many times as many routes as are wanted are looked at, so that those that an edit touches are among them."""


@dataclass(frozen=True, slots=True)
class Chances:
    """The probability of an effect in two worlds, and on what it was reckoned.

    `concepts` is their number, `length` how many edges away the farthest may be; `complete` says that nothing that bears on the
    effect was left out; `samples` and `seed` make the sampled figures again.
    """

    before: Estimate
    after: Estimate
    concepts: int
    length: int
    complete: bool
    samples: int = SAMPLES
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """What another world changes for an effect: routes that are no more, that are new, and that are left, best first."""

    lost: tuple[Path, ...]
    gained: tuple[Path, ...]
    surviving: tuple[Path, ...]
    chances: Chances


def difference(
    before: GraphView,
    after: GraphView,
    effects: Collection[str],
    sources: Collection[str] | None = None,
    links: Links = DRIVING_LINKS,
    max_length: int = 4,
    limit: int = 5,
) -> Difference:
    """Return how the world `after` differs from the world `before` for any of the `effects`.

    Routes are the best ones from `sources`, up to `limit` of each fate, or, without sources, all single edges: the causes of the
    effects. A route is known by its concepts; one that both worlds have is left, with the score that it has in `after`.
    """
    routes = [_routes(view, effects, sources, links, max_length, _LOOKED_AT * limit) for view in (before, after)]
    had, has = ({path.concepts for path in paths} for paths in routes)
    lost = [path for path in routes[0] if path.concepts not in has and not _still(path, after, links)]
    gained = [path for path in routes[1] if path.concepts not in had and not _still(path, before, links)]
    surviving = [path for path in routes[1] if path not in gained]
    most = None if sources is None else limit
    both = chances(before, after, effects, sources, Bound(max_length))
    return Difference(tuple(lost[:most]), tuple(gained[:most]), tuple(surviving[:most]), both)


def chances(
    before: GraphView,
    after: GraphView,
    effects: Collection[str],
    sources: Collection[str] | None = None,
    bound: Bound = PLAIN_BOUND,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Chances:
    """Return how probable it is in each of two worlds that any of the effects holds.

    With sources: if they are there and nothing else is, but for what is set. Without: if all that is not explained is there.
    """
    worlds = (before, after)
    scope = ancestors(worlds, effects, bound) if sources is None else between(worlds, sources, effects, bound)
    one, other = (estimate(region(view, scope, effects, sources), seed, samples) for view in worlds)
    return Chances(one, other, len(scope.names), bound.length, scope.complete, samples, seed)


def _routes(
    view: GraphView, effects: Collection[str], sources: Collection[str] | None, links: Links, max_length: int, limit: int
) -> Sequence[Path]:
    """Return the best routes to the effects in one world."""
    if sources is not None:
        return best_paths(view, sources, effects, max_length, limit, links)
    best: dict[tuple[str, ...], Path] = {}
    for edge in (edge for name in effects for edge in view.causes(name) if links.allow(edge) and edge.cause not in effects):
        path = Path((edge,), edge.belief)
        best.setdefault(path.concepts, path)
    return sorted(best.values(), key=lambda path: (-path.score, path.concepts))


def _still(path: Path, view: GraphView, links: Links) -> bool:
    """Return whether a world has every step of a path, too."""
    return all(any(links.allow(edge) and edge.effect == step.effect for edge in view.effects(step.cause)) for step in path.edges)
