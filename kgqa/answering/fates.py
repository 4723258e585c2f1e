"""What becomes of the known causes of an effect in another world, lost, left or new, and whether the graph knows them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from graph.model import Edge
from graph.normalize import concept_name
from graph.protocols import GraphView
from kgqa.answering.proposition import CAUSING_LINKS
from kgqa.intervention.settings import InterventionWorld
from kgqa.linking.reading import ConceptLink

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
    """Return how probably the graph knows all causes of an effect, from how often each was told.

    The next source that tells a cause tells one that is not known yet about as often as causes were told only once so far: n1 of
    n (I. J. Good, The population frequencies of species, 1953), here (n1 + 1/2) of (n + 1). An effect of which one source tells
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
