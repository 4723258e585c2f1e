"""How what is supposed bears on an effect: the routes from each supposition to it, and whether they make more or less of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph.algorithms.paths import best_paths
from graph.intervene.overlay import PREVENTING_LINKS
from graph.model import Edge, Path
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, Links
from kgqa.answer_model import ChangedRoute
from kgqa.answering.chains.chain_validity import MIN_VALIDITY, chain_validity
from kgqa.answering.contracts import is_prevention
from kgqa.answering.counterfactuals.world_comparison import MAX_ROUTE_LENGTH
from kgqa.interventions.graph_settings import AppliedSetting, EdgeSetting, InterventionWorld
from kgqa.linking.concept_links import ConceptLink

_OPPOSITION = 0.5
_TRIED = 3
_BOTH_WAYS = Links(DRIVING_LINKS.kinds | PREVENTING_LINKS.kinds, DRIVING_LINKS.above)


@dataclass(frozen=True, slots=True)
class Influence:
    """The routes from one supposition to an effect, best first: those that make more of it, and those that make less of it.

    `valid` is how probably the best one holds from end to end (1 for a single claim), `contrary` the best of the other kind that
    is likely enough to be shown, and `resistance` how probably any of the other kind holds. What is taken away pulls by the
    routes that are lost, what is put in by those that are there then.
    """

    part: AppliedSetting
    driving: Sequence[Path]
    hindering: Sequence[Path]
    valid: float = 1.0
    contrary: Path | None = None
    resistance: float = 0.0

    @property
    def best(self) -> Path:
        """The best route of either kind."""
        return max((*self.driving, *self.hindering), key=lambda path: path.score)

    @property
    def drives(self) -> bool:
        """Whether the best route makes more of the effect."""
        return bool(self.driving) and self.best.score <= self.driving[0].score

    @property
    def less(self) -> bool:
        """Whether the supposition makes less of the effect: it takes away what makes more, or puts in what makes less."""
        return self.drives is self.part.takes

    @property
    def doubtful(self) -> bool:
        """Whether the best route is indirect and below the validity that a chain needs as an answer."""
        return len(self.best.edges) > 1 and self.valid < MIN_VALIDITY

    @property
    def opposed(self) -> bool:
        """Whether a route of the other kind is not to be dismissed: more likely to hold than not."""
        return self.resistance >= _OPPOSITION

    @property
    def routes(self) -> tuple[ChangedRoute, ...]:
        """All routes, those that make more of the effect first."""
        driving = (ChangedRoute(path.concepts) for path in self.driving)
        return (*driving, *(ChangedRoute(path.concepts, lessens=True) for path in self.hindering))


@dataclass(frozen=True, slots=True)
class InfluenceSet:
    """How an effect was read, and the pulls on it; a supposition from which no route leads to it has none."""

    reading: ConceptLink
    influences: tuple[Influence, ...]
    idle: tuple[AppliedSetting, ...] = ()

    @property
    def leading(self) -> Influence:
        """The pull with the best route."""
        return max(self.influences, key=lambda influence: influence.best.score * influence.valid)

    @property
    def less(self) -> bool | None:
        """Whether all pulls make less of the effect, or more of it; `None` where they pull either way."""
        ways = {influence.less for influence in self.influences}
        return ways.pop() if len(ways) == 1 else None


def find_influences(view: GraphView, world: InterventionWorld, read: Iterable[ConceptLink], limit: int) -> InfluenceSet | None:
    """Return how what is supposed bears on the first reading of the effect to which anything of it leads; `None` for none.

    The effect is nothing that is itself set, and no other spelling of what was asked.
    """
    itself = {name for part in world.parts if part.effect is None for name in part.concepts}
    for reading in read:
        if reading.how == "spelling" or set(reading.concepts) & itself:
            continue
        some = [(part, *_influence_routes(view, world, part, reading, limit)) for part in world.parts]
        influences = tuple(
            _influence(part, driving, hindering, view) for part, driving, hindering in some if driving or hindering
        )
        if influences:
            return InfluenceSet(
                reading, influences, tuple(part for part, driving, hindering in some if not (driving or hindering))
            )
    return None


def _influence(part: AppliedSetting, driving: Sequence[Path], hindering: Sequence[Path], view: GraphView) -> Influence:
    """Return the pull of some routes, with how probably the best one is valid."""
    influence = Influence(part, driving, hindering)
    opposing = hindering if influence.drives else driving
    resistance = max((_route_validity(path, view) for path in opposing[:_TRIED]), default=0.0)
    contrary = next((path for path in opposing[:_TRIED] if _route_validity(path, view) >= MIN_VALIDITY), None)
    return Influence(part, driving, hindering, _route_validity(influence.best, view), contrary, resistance)


def _route_validity(path: Path, view: GraphView) -> float:
    """Return how probably a route holds from end to end, as far as that depends on its junctions."""
    return chain_validity(path, view) if len(path.edges) > 1 else 1.0


def _influence_routes(
    view: GraphView, world: InterventionWorld, part: AppliedSetting, effect: ConceptLink, limit: int
) -> tuple[Sequence[Path], Sequence[Path]]:
    """Return the routes of one supposition that make more of an effect, and those that make less of it."""
    where = view if part.takes else world.view
    if part.effect is not None:
        through = _routes_through(where, part, effect, limit)
        return [path for path in through if not _makes_less(path)][:limit], [path for path in through if _makes_less(path)][
            :limit
        ]
    driving = best_paths(where, part.concepts, effect.concepts, MAX_ROUTE_LENGTH, limit, DRIVING_LINKS)
    every = best_paths(where, part.concepts, effect.concepts, MAX_ROUTE_LENGTH, 4 * limit, _BOTH_WAYS)
    twice = [path for path in every if not _makes_less(path) and any(map(is_prevention, path.edges))]
    more = sorted((*driving, *twice), key=lambda path: -path.score)
    return more[:limit], [path for path in every if _makes_less(path)][:limit]


def _routes_through(view: GraphView, part: AppliedSetting, effect: ConceptLink, limit: int) -> list[Path]:
    """Return the routes to an effect that begin with the claim that a setting is about, best first."""
    if part.effect is None or not isinstance(part.setting, EdgeSetting):
        return []
    ends = set(part.effect.concepts)
    between = [edge for name in part.concepts for edge in view.effects(name) if edge.effect in ends and _BOTH_WAYS.allow(edge)]
    paths = [Path((edge,), edge.belief) for edge in between if edge.effect in effect.concepts]
    targets = [name for name in effect.concepts if name not in ends]
    if targets and between:
        for path in best_paths(view, part.effect.concepts, targets, MAX_ROUTE_LENGTH - 1, limit, _BOTH_WAYS):
            paths += [_prepend_edge(edge, path) for edge in between if edge.effect == path.edges[0].cause]
    return sorted(paths, key=lambda path: -path.score)


def _prepend_edge(edge: Edge, path: Path) -> Path:
    """Return a path behind an edge."""
    return Path((edge, *path.edges), edge.belief * path.score)


def _makes_less(path: Path) -> bool:
    """Return whether a route makes less of its effect: by an odd number of preventing steps."""
    return sum(map(is_prevention, path.edges)) % 2 == 1
