"""Which way an effect goes in a supposed world, by the routes that lead to it and by what becomes of its known causes.

A route from a supposition makes more or less of the effect; a cause is lost, left or new, and the graph may not know all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from math import prod

from graph.algorithms.paths import best_paths
from graph.intervene.overlay import PREVENTING_LINKS
from graph.model import Edge, Path, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from graph.topology import DRIVING_LINKS, Links
from kgqa.answer_model import AnswerChange, ChangedRoute, Verdict
from kgqa.answering.chains.chain_validity import MIN_VALIDITY, chain_validity, explains
from kgqa.answering.counterfactuals.answer_changes import MAX_ROUTE_LENGTH, edges_between
from kgqa.answering.counterfactuals.event_names import is_particular
from kgqa.answering.findings import count_decreases
from kgqa.answering.verdicts.verification_query import CAUSING_LINKS
from kgqa.interventions.graph_settings import AppliedSetting, EdgeSetting, InterventionWorld
from kgqa.linking.concept_links import SPELLING, SURE_LINK, ConceptLink
from kgqa.question import EffectOutcome

_OPPOSITION = 0.5
"""How probable a route of the other kind must be not to be dismissed: more likely to hold than not."""
_TRIED = 3
_BOTH_WAYS = Links(DRIVING_LINKS.kinds | PREVENTING_LINKS.kinds, DRIVING_LINKS.above)

_CAUSES_COUNTED = 5
"""So many surviving causes at most speak for it that an effect still has one: what is read of one effect errs together."""
SUREST, SUREST_SINGLE = 0.95, 0.5
"""No verdict about a world that is only supposed is surer than that, and none that one event would still have come about."""


@dataclass(frozen=True, slots=True)
class Influence:
    """The routes from one supposition to an effect: those that make more of it, and those that make less of it.

    `best` is the route of either kind with the highest product of score and validity, `valid` how probably it holds from end to
    end (1 for a single claim), `contrary` the best of the other kind that is likely enough to be shown, and `resistance` how
    probably any of the other kind holds. What is taken away pulls by the routes that are lost, what is put in by those that are
    there then.
    """

    part: AppliedSetting
    driving: Sequence[Path]
    hindering: Sequence[Path]
    best: Path
    valid: float = 1.0
    contrary: Path | None = None
    resistance: float = 0.0

    @property
    def drives(self) -> bool:
        """Whether the best route makes more of the effect."""
        return self.best in self.driving

    @property
    def less(self) -> bool:
        """Whether the supposition makes less of the effect: it takes away what makes more, or puts in what makes less."""
        return self.drives is self.part.takes

    @property
    def doubtful(self) -> bool:
        """Whether the best route is indirect and below the validity that a chain needs as an answer."""
        return len(self.best.edges) > 1 and not explains(self.valid, self.best)

    @property
    def unproven(self) -> bool:
        """Whether the best route is indirect and below the validity that a verdict needs."""
        return len(self.best.edges) > 1 and self.valid < MIN_VALIDITY

    @property
    def routes(self) -> tuple[ChangedRoute, ...]:
        """All routes, those that make more of the effect first."""
        driving = (ChangedRoute(path.concepts) for path in self.driving)
        return (*driving, *(ChangedRoute(path.concepts, lessens=True) for path in self.hindering))


@dataclass(frozen=True, slots=True)
class InfluenceSet:
    """How an effect was read, and the influences on it; `idle` are the suppositions from which no route leads to it."""

    reading: ConceptLink
    influences: tuple[Influence, ...]
    idle: tuple[AppliedSetting, ...] = ()

    @property
    def leading(self) -> Influence:
        """The influence with the best route."""
        return max(self.weighty, key=lambda influence: influence.best.score * influence.valid)

    @property
    def stated(self) -> bool:
        """Whether a claim about the effect itself says how it changes, and no chain or other reading of it."""
        return len(self.leading.best.edges) == 1 and self.reading.score >= SURE_LINK

    @property
    def is_single(self) -> bool:
        """Whether the effect has a name of its own, as what happens once has: its causes worked together then."""
        return any(word[:1].isupper() and not word.isupper() for word in self.reading.phrase.split()) or any(
            map(is_particular, self.reading.concepts[0].split())
        )

    @property
    def weighty(self) -> tuple[Influence, ...]:
        """The influences that count: of each supposition those of claims, where there are such, and else all."""
        by_text: dict[str, list[Influence]] = {}
        for influence in self.influences:
            by_text.setdefault(influence.part.setting.text, []).append(influence)
        claimed = ([each for each in group if len(each.best.edges) == 1] or group for group in by_text.values())
        return tuple(chain.from_iterable(claimed))

    @property
    def less(self) -> bool | None:
        """Whether all that count make less of the effect, or more of it; `None` where some make less and some more."""
        ways = {influence.less for influence in self.weighty}
        return ways.pop() if len(ways) == 1 else None


def find_influences(view: GraphView, world: InterventionWorld, read: Iterable[ConceptLink], limit: int) -> InfluenceSet | None:
    """Return how what is supposed bears on the first reading of the effect to which anything of it leads; `None` for none.

    The effect is nothing that is itself set, and no other spelling of what was asked.
    """
    itself = {name for part in world.parts if part.effect is None for name in part.concepts}
    for reading in read:
        if reading.how == SPELLING or set(reading.concepts) & itself:
            continue
        influences = []
        idle = []
        for part in world.parts:
            driving, hindering = _influence_routes(view, world, part, reading, limit)
            if not driving and not hindering:
                idle.append(part)
                continue
            validities = {path: _route_validity(path, view) for path in (*driving[:_TRIED], *hindering[:_TRIED])}
            best = max(validities, key=lambda path: path.score * validities[path])
            opposing = hindering[:_TRIED] if best in driving else driving[:_TRIED]
            contrary = next((path for path in opposing if explains(validities[path], path)), None)
            resistance = max((validities[path] for path in opposing), default=0.0)
            influences.append(Influence(part, driving, hindering, best, validities[best], contrary, resistance))
        if influences:
            return InfluenceSet(reading, tuple(influences), tuple(idle))
    return None


def _route_validity(path: Path, view: GraphView) -> float:
    return chain_validity(path, view) if len(path.edges) > 1 else 1.0


def _influence_routes(
    view: GraphView, world: InterventionWorld, part: AppliedSetting, effect: ConceptLink, limit: int
) -> tuple[Sequence[Path], Sequence[Path]]:
    """Return the routes of a supposition that make more of an effect, and those that do less (an odd number of decreases)."""
    where = view if part.takes else world.view
    if part.effect is not None:
        every: Sequence[Path] = _routes_through(where, part, effect, limit)
        more = [path for path in every if not count_decreases(path) % 2]
    else:
        driving = best_paths(where, part.concepts, effect.concepts, MAX_ROUTE_LENGTH, limit, DRIVING_LINKS)
        every = best_paths(where, part.concepts, effect.concepts, MAX_ROUTE_LENGTH, 4 * limit, _BOTH_WAYS)
        twice = [path for path in every if (decreases := count_decreases(path)) and not decreases % 2]
        more = sorted((*driving, *twice), key=lambda path: -path.score)
    return more[:limit], [path for path in every if count_decreases(path) % 2][:limit]


def _routes_through(view: GraphView, part: AppliedSetting, effect: ConceptLink, limit: int) -> list[Path]:
    if part.effect is None or not isinstance(part.setting, EdgeSetting):
        return []
    between = list(filter(_BOTH_WAYS.allow, edges_between(part.concepts, part.effect.concepts, view)))
    paths = [Path((edge,), edge.belief) for edge in between if edge.effect in effect.concepts]
    targets = [name for name in effect.concepts if name not in part.effect.concepts]
    if targets and between:
        for path in best_paths(view, part.effect.concepts, targets, MAX_ROUTE_LENGTH - 1, limit, _BOTH_WAYS):
            before = (edge for edge in between if edge.effect == path.edges[0].cause)
            paths += [Path((edge, *path.edges), edge.belief * path.score) for edge in before]
    return sorted(paths, key=lambda path: -path.score)


@dataclass(frozen=True, slots=True)
class CauseChanges:
    """The causes of an effect by what becomes of them: the edges that say so, most believed first, one for each cause.

    A cause is one that is believed by more than a half to bring the effect about; `weak` are those left that are believed less.
    `through` are names of those left that are also said to cause what is gone: perhaps they only worked by way of it.
    """

    lost: tuple[Edge, ...]
    left: tuple[Edge, ...]
    gained: tuple[Edge, ...]
    weak: tuple[Edge, ...]
    through: frozenset[str] = frozenset()

    @property
    def remaining(self) -> tuple[Edge, ...]:
        """The causes that the other world has, and that do not depend on what is gone, new ones first."""
        return tuple(edge for edge in (*self.gained, *self.left) if edge.cause not in self.through)

    @property
    def dependent(self) -> tuple[Edge, ...]:
        """The causes that are left, but perhaps only worked by way of what is gone."""
        return tuple(edge for edge in self.left if edge.cause in self.through)


def cause_changes(view: GraphView, world: InterventionWorld, effect: ConceptLink) -> CauseChanges:
    """Return what becomes of the causes of an effect in a world."""
    before, after = (_believed_causes(graph_view, effect.concepts) for graph_view in (view, world.view))
    weak = _best_by_name(
        edge
        for name in effect.concepts
        for edge in world.view.causes(name)
        if 0.0 < edge.belief <= CAUSING_LINKS.above and (edge.claim.relation, edge.claim.polarity) in CAUSING_LINKS.kinds
    )
    return CauseChanges(
        lost=tuple(edge for name, edge in before.items() if name not in after),
        left=tuple(edge for name, edge in after.items() if name in before),
        gained=tuple(edge for name, edge in after.items() if name not in before),
        weak=tuple(edge for name, edge in weak.items() if name not in after),
        through=frozenset(
            edge.cause
            for part in world.parts
            if part.cuts and part.effect is None
            for name in part.reading.concepts
            for edge in view.causes(name)
            if CAUSING_LINKS.allow(edge)
        ),
    )


def probability_of_any(remaining: Sequence[Edge]) -> float:
    """Return how probably at least one of some causes brings the effect about, as far as their beliefs say, at most .95."""
    most = sorted((edge.belief for edge in remaining), reverse=True)[:_CAUSES_COUNTED]
    return min(SUREST, 1.0 - prod(1.0 - belief for belief in most))


def closure_probability(view: GraphView, effect: ConceptLink) -> float:
    """Return how probably the graph knows all causes of an effect, from how many sources state each.

    The next source for a cause states a new one about as often as causes have a single source so far: n1 of
    n (I. J. Good, The population frequencies of species, 1953), here (n1 + 1/2) of (n + 1). An effect with one source for
    one cause may have any number of others.
    """
    support_counts = [edge.support for edge in _believed_causes(view, effect.concepts).values()]
    once, every = sum(1 for number in support_counts if number <= 1), sum(max(1, number) for number in support_counts)
    return min(SUREST, 1.0 - (once + 0.5) / (every + 1.0))


def _believed_causes(view: GraphView, effects: Iterable[str]) -> dict[str, Edge]:
    own = set(effects)
    return _best_by_name(
        edge for name in own for edge in view.causes(name) if CAUSING_LINKS.allow(edge) and edge.cause not in own
    )


def _best_by_name(edges: Iterable[Edge]) -> dict[str, Edge]:
    best: dict[str, Edge] = {}
    for edge in sorted(edges, key=lambda edge: (-edge.belief, -edge.support, edge.cause)):
        best.setdefault(concept_name(edge.cause) or edge.cause, edge)
    return best


class Direction(Enum):
    """Which way an effect goes: no known cause is left, it becomes less likely, more likely, or is pulled either way."""

    NONE = "no known cause left"
    LESS = "less likely"
    MORE = "more likely"
    EITHER = "pulled either way"


class Doubt(Enum):
    """How uncertain a direction is: the only route is doubtful, or the probability over all routes moves the other way."""

    NONE = ""
    PERHAPS = "perhaps"
    UNCLEAR = "not clearly"


@dataclass(frozen=True, slots=True)
class EffectOutlook:
    """What a supposed world makes of an effect: what bears on it, what becomes of its causes, and which way it goes."""

    influence_set: InfluenceSet
    cause_changes: CauseChanges
    direction: Direction
    doubt: Doubt


def effect_outlook(influence_set: InfluenceSet, changes: CauseChanges, changed: AnswerChange) -> EffectOutlook:
    """Return which way an effect goes, and how sure that is."""
    less, leading = influence_set.less, influence_set.leading
    doubt = Doubt.PERHAPS if leading.doubtful else Doubt.NONE
    cut = any(influence.part.cuts for influence in influence_set.influences)
    if cut and changes.lost and not changes.remaining and less is not False:
        return EffectOutlook(influence_set, changes, Direction.NONE, doubt)
    if less is None:
        return EffectOutlook(influence_set, changes, Direction.EITHER, doubt)
    if changed.chances is not None and any(influence.resistance >= _OPPOSITION for influence in influence_set.influences):
        before, after = (round(estimate.sampled, 2) for estimate in (changed.chances.before, changed.chances.after))
        if (after > before) if less else (after < before):
            doubt = Doubt.UNCLEAR
    return EffectOutlook(influence_set, changes, Direction.LESS if less else Direction.MORE, doubt)


def rests_on_remaining(outlook: EffectOutlook) -> bool:
    """Return whether that the effect happens rests on the causes that are left, and not on what is supposed."""
    return bool(outlook.cause_changes.remaining) and outlook.direction is not Direction.MORE


def outcome_verdict(outlook: EffectOutlook, outcome: EffectOutcome | None) -> Verdict:
    """Return the verdict on the outcome of the effect: whether it happens, where the question names no other outcome."""
    if outcome is EffectOutcome.CHANGES:
        return Verdict.YES
    if outcome in (EffectOutcome.MORE, EffectOutcome.LESS):
        if outlook.direction is Direction.EITHER or _is_unsure(outlook):
            return Verdict.UNKNOWN
        goes = EffectOutcome.MORE if outlook.direction is Direction.MORE else EffectOutcome.LESS
        return Verdict.YES if goes is outcome else Verdict.NO
    happens = _occurrence_verdict(outlook)
    if outcome is not EffectOutcome.GONE:
        return happens
    return {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}.get(happens, happens)


def _is_unsure(outlook: EffectOutlook) -> bool:
    return outlook.doubt is not Doubt.NONE or outlook.influence_set.leading.unproven


def _occurrence_verdict(outlook: EffectOutlook) -> Verdict:
    """Return whether an effect still happens: it does while a known cause is left, unless what is supposed prevents it."""
    changes, doubtful = outlook.cause_changes, _is_unsure(outlook)
    if outlook.direction is Direction.NONE:
        return Verdict.UNKNOWN if doubtful or changes.weak or changes.dependent else Verdict.NO
    if outlook.direction is Direction.MORE:
        return Verdict.UNKNOWN if doubtful and not changes.remaining else Verdict.YES
    # What is supposed to be there may be said to prevent the effect, by a claim and not by a chain.
    leading = outlook.influence_set.leading
    claim = leading.best.edges[0].claim
    prevented = not leading.part.takes and len(leading.best.edges) == 1 and claim.relation is Relation.PREVENTS
    if outlook.direction is Direction.LESS and prevented:
        return Verdict.UNKNOWN if doubtful else Verdict.NO
    return Verdict.YES if changes.remaining else Verdict.UNKNOWN
