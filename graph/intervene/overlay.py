"""A causal graph under edits, as a view: nothing is copied, and the graph below is untouched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from graph.intervene.edited_topology import EditedTopology
from graph.intervene.graph_edits import Add, Edit, Intervention, Presence, Remove
from graph.model import Claim, Concept, Edge, Evidence
from graph.protocols import GraphView, Topology


class Overlay:
    """A view of a causal graph under edits (Pearl's do-operator on the structure of the graph).

    A concept that is set, either way, has no causes: what it is no longer depends on them. One that is absent causes nothing,
    nor does what it alone held up (see `graph.intervene.edited_topology`). Edits of edges are made first, then concepts are
    set; of two
    edits of one thing the later one holds. An overlay over an overlay is one over the graph below with the edits of both.
    """

    def __init__(self, view: GraphView, edits: Iterable[Edit]) -> None:
        self.base: GraphView = view.base if isinstance(view, Overlay) else view
        self.edits: tuple[Edit, ...] = (*(view.edits if isinstance(view, Overlay) else ()), *edits)
        self.forced: dict[str, Presence] = {}
        self.changed: dict[Claim, Edge | None] = {}
        for edit in self.edits:
            if isinstance(edit, Intervention):
                self.forced[edit.concept] = edit.setting
                continue
            if not isinstance(edit, Add):
                self.changed[edit.claim] = None
            if not isinstance(edit, Remove):
                self.changed[edit.edge.claim] = edit.edge

    @cached_property
    def arrows(self) -> EditedTopology:
        """The arrows that the edits leave, with what falls; the graph below is looked at when they are first asked for."""
        return EditedTopology(self.base.topology(), self.forced, self.changed)

    @cached_property
    def gone(self) -> frozenset[str]:
        """The names of the concepts that are absent or that nothing holds up any more."""
        return frozenset(map(self.arrows.name, self.arrows.gone))

    def topology(self) -> Topology:
        """Return the arrows that the edits leave."""
        return self.arrows

    def concept(self, name: str) -> Concept | None:
        """Return the concept as the graph below has it, or one that only an added edge knows."""
        base_concept = self.base.concept(name)
        return Concept(name) if base_concept is None and name in self._added_names else base_concept

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect` that the edits leave, most believed first."""
        if effect in self.forced:
            return []
        added = [edge for edge in self.changed.values() if edge is not None and edge.effect == effect]
        return self._remaining_edges(self.base.causes(effect), added)

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause` that the edits leave, most believed first."""
        if cause in self.gone:
            return []
        added = [edge for edge in self.changed.values() if edge is not None and edge.cause == cause]
        return self._remaining_edges(self.base.effects(cause), added)

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of this claim, or `None` where the edits take it away."""
        edge = self.changed[claim] if claim in self.changed else self.base.edge(claim)
        return None if edge is None or self._is_cut(edge) else edge

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return the evidence that the graph below has; what was edited rests on none."""
        return () if claim in self.changed else self.base.evidence(claim)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return what the graph below finds, then concepts of added edges that hold every one of `words` as it is."""
        matches = list(self.base.search(words, limit))
        matches += [name for name in self._added_names if words and name not in matches and set(words) <= set(name.split())]
        return matches[:limit]

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return what the graph below finds similar."""
        return self.base.similar(name, limit)

    @cached_property
    def _added_names(self) -> dict[str, None]:
        edges = [edge for edge in self.changed.values() if edge is not None]
        return dict.fromkeys(name for edge in edges for name in (edge.cause, edge.effect))

    def _remaining_edges(self, below: Sequence[Edge], added: list[Edge]) -> list[Edge]:
        """Return those edges that the edits leave, in their order, with the added ones behind equals."""
        remaining = [edge for edge in below if edge.claim not in self.changed] + added
        return sorted((edge for edge in remaining if not self._is_cut(edge)), key=lambda edge: -edge.belief)

    def _is_cut(self, edge: Edge) -> bool:
        """Return whether setting concepts takes the edge away."""
        return edge.effect in self.forced or edge.cause in self.gone
