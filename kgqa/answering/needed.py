"""Which conditions are necessary as far as the graph knows: those that every known way to the effect leads through."""

from __future__ import annotations

from collections.abc import Sequence

from graph.algorithms.necessity import necessary_causes
from graph.links import DRIVING_LINKS
from graph.model import Edge, Relation
from graph.protocols import GraphView
from kgqa.answering.ranking import EvidenceRecords, ListedName
from kgqa.answering.wording import concept_phrase, join_phrases

_WAYS_FOLLOWED = 30
"""How many of the other causes, and how many causes of each, the ways are followed from."""

_WAY_LENGTH = 3


class NecessityOrder:
    """Conditions without which no known way leads to the effect come first; the answer tells which those are."""

    def __init__(self, view: GraphView) -> None:
        self._view = view

    def arrange(self, candidates: Sequence[ListedName], records: EvidenceRecords) -> Sequence[ListedName]:
        """Return what was ranked in this order; equals stay in the order in which they are given."""
        necessary = self._necessary([edge for candidate in candidates for edge in candidate.edges])
        return sorted(candidates, key=lambda candidate: necessary.isdisjoint(candidate.concepts))

    def explain_order(self, first: Sequence[tuple[Edge, ...]], records: EvidenceRecords) -> str:
        """Return which of what is shown is necessary, or that none is known to be."""
        necessary = self._necessary([edge for edges in first for edge in edges])
        names = list(dict.fromkeys(edge.cause for edges in first for edge in edges if edge.cause in necessary))
        if not names and not any(edge.claim.relation is Relation.ENABLES for edges in first for edge in edges):
            return ""
        if not names:
            return "other known ways lead there as well, so that none is necessary by the graph alone"
        return f"every known way there leads through {join_phrases([concept_phrase(name) for name in names])}"

    def _necessary(self, edges: Sequence[Edge]) -> frozenset[str]:
        """Return the concepts on every way of a few steps to the effects of some edges from what is before their causes."""
        effects = dict.fromkeys(edge.effect for edge in edges)
        before = dict.fromkeys(
            far.cause
            for effect in effects
            for near in self._view.causes(effect)[:_WAYS_FOLLOWED]
            if DRIVING_LINKS.allow(near)
            for far in self._view.causes(near.cause)[:_WAYS_FOLLOWED]
            if DRIVING_LINKS.allow(far) and far.cause not in effects
        )
        direct = {near.cause for effect in effects for near in self._view.causes(effect) if DRIVING_LINKS.allow(near)}
        if len(direct) == 1:
            return frozenset(direct)
        sources = [name for name in before if name not in direct]
        # A cause that nothing known is before is a way of its own.
        if any(not self._view.causes(name) for name in direct):
            return frozenset()
        return frozenset(necessary_causes(self._view, sources, effects, _WAY_LENGTH, DRIVING_LINKS))
