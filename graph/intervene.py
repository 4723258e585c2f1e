"""Interventions: a view of a causal graph in which a concept is forced to be absent or present; the graph is untouched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph.model import Claim, Concept, Edge, Evidence
from graph.protocols import GraphView


class Presence(StrEnum):
    """What an intervention, or the "if" of a question, makes of a concept."""

    ABSENT = "absent"
    PRESENT = "present"


@dataclass(frozen=True, slots=True)
class Intervention:
    """do(`concept` = `setting`)."""

    concept: str
    setting: Presence


@dataclass(frozen=True, slots=True)
class Overlay:
    """A view of a causal graph under interventions (Pearl's do-operator on the structure of the graph).

    Either setting cuts the edges into the concept: what it is no longer depends on its causes. An absent concept also
    loses its outgoing edges: it causes nothing.
    """

    base: GraphView
    interventions: frozenset[Intervention]

    def concept(self, name: str) -> Concept | None:
        """Return the concept as the graph below has it."""
        return self.base.concept(name)

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect` that the interventions leave, strongest first."""
        return [edge for edge in self.base.causes(effect) if not self._cut(edge)]

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause` that the interventions leave, strongest first."""
        return [edge for edge in self.base.effects(cause) if not self._cut(edge)]

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return the evidence that the graph below has."""
        return self.base.evidence(claim)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return what the graph below finds."""
        return self.base.search(words, limit)

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return what the graph below finds similar."""
        return self.base.similar(name, limit)

    def _cut(self, edge: Edge) -> bool:
        """Return whether an intervention takes the edge away."""
        return any(
            edge.effect == done.concept or (edge.cause == done.concept and done.setting is Presence.ABSENT)
            for done in self.interventions
        )
