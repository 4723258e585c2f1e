"""What becomes of the known causes of an effect in another world, lost, left or new, and whether the graph knows them all.

Which way an effect goes in a supposed world, and what that decides of what was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod

from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from kgqa.answer_model import AnswerChange, Verdict
from kgqa.answering.counterfactuals.influence import InfluenceSet
from kgqa.answering.verdicts.proposition import CAUSING_LINKS
from kgqa.interventions.graph_settings import InterventionWorld
from kgqa.linking.concept_links import ConceptLink
from kgqa.question import EffectOutcome

_CAUSES_COUNTED = 5
"""So many surviving causes at most speak for it that an effect still has one: what is read of one effect errs together."""

SUREST = 0.95
"""No verdict about a world that is only supposed is surer than that."""


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
    """Return the believed causes of some effects by name, the forms of one name together."""
    own = set(effects)
    every = (edge for name in own for edge in view.causes(name) if CAUSING_LINKS.allow(edge) and edge.cause not in own)
    return _best_by_name(every)


def _best_by_name(edges: Iterable[Edge]) -> dict[str, Edge]:
    """Return the most believed edge of each cause, by its name, most believed and best supported first."""
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

    @property
    def direction_text(self) -> str:
        """The direction in a few words: "less likely", "perhaps no known cause left"."""
        return f"{self.doubt.value} {self.direction.value}".strip()


def effect_outlook(influence_set: InfluenceSet, changes: CauseChanges, changed: AnswerChange) -> EffectOutlook:
    """Return which way an effect goes, and how sure that is."""
    cut = any(influence.part.cuts for influence in influence_set.influences)
    bare = cut and bool(changes.lost) and not changes.remaining and influence_set.less is not False
    if bare:
        return EffectOutlook(
            influence_set, changes, Direction.NONE, Doubt.PERHAPS if influence_set.leading.doubtful else Doubt.NONE
        )
    way = Direction.EITHER if influence_set.less is None else Direction.LESS if influence_set.less else Direction.MORE
    return EffectOutlook(influence_set, changes, way, _direction_doubt(changed, influence_set))


def _direction_doubt(changed: AnswerChange, influence_set: InfluenceSet) -> Doubt:
    """Return how uncertain the direction of a change is."""
    chances = changed.chances
    against = any(influence.opposed for influence in influence_set.influences)
    if chances is not None and influence_set.less is not None and against:
        before, after = (round(estimate.sampled, 2) for estimate in (chances.before, chances.after))
        if (after > before) if influence_set.less else (after < before):
            return Doubt.UNCLEAR
    return Doubt.PERHAPS if influence_set.leading.doubtful else Doubt.NONE


def outcome_verdict(outlook: EffectOutlook, outcome: EffectOutcome | None) -> Verdict:
    """Return the verdict on the outcome of the effect: whether it happens, where the question names no other outcome."""
    if outcome is EffectOutcome.CHANGES:
        return Verdict.YES
    if outcome in (EffectOutcome.MORE, EffectOutcome.LESS):
        return _direction_verdict(outlook, less=outcome is EffectOutcome.LESS)
    happens = _occurrence_verdict(outlook)
    if outcome is not EffectOutcome.GONE:
        return happens
    return {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}.get(happens, happens)


def rests_on_remaining(outlook: EffectOutlook) -> bool:
    """Return whether that the effect happens rests on the causes that are left, and not on what is supposed."""
    return bool(outlook.cause_changes.remaining) and outlook.direction is not Direction.MORE


def _direction_verdict(outlook: EffectOutlook, *, less: bool) -> Verdict:
    """Return whether an effect becomes less likely, or more."""
    if outlook.direction is Direction.EITHER or outlook.doubt is not Doubt.NONE:
        return Verdict.UNKNOWN
    return Verdict.YES if (outlook.direction is not Direction.MORE) is less else Verdict.NO


def _occurrence_verdict(outlook: EffectOutlook) -> Verdict:
    """Return whether an effect still happens: it does while a known cause is left, unless what is supposed prevents it."""
    if outlook.direction is Direction.NONE:
        return (
            Verdict.UNKNOWN
            if outlook.doubt is not Doubt.NONE or outlook.cause_changes.weak or outlook.cause_changes.dependent
            else Verdict.NO
        )
    if outlook.direction is Direction.MORE:
        return Verdict.UNKNOWN if outlook.doubt is not Doubt.NONE and not outlook.cause_changes.remaining else Verdict.YES
    if outlook.direction is Direction.LESS and _is_prevented(outlook):
        return Verdict.UNKNOWN if outlook.doubt is not Doubt.NONE else Verdict.NO
    return Verdict.YES if outlook.cause_changes.remaining else Verdict.UNKNOWN


def _is_prevented(outlook: EffectOutlook) -> bool:
    """Return whether what is supposed to be there is said to prevent the effect, by a claim and not by a chain."""
    leading = outlook.influence_set.leading
    first = leading.best.edges[0]
    return not leading.part.takes and len(leading.best.edges) == 1 and first.claim.relation is Relation.PREVENTS
