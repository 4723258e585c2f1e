"""A causal graph under edits, as a view: nothing is copied, and the graph below is untouched.

A concept stands while a cause that stands can bring it about. The graph as it is describes what can be, so all of it stands, and
only what descends from an edit can fall. A concept without claims that explain it stands by itself; any other one needs a cause
that stands: the least fixpoint, in which concepts that cause one another in a circle do not hold themselves up. Claims that
prevent or merely associate hold nothing up, and a belief counts as long as it is more than 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from graph.algorithms.reachability import reachable_vertices
from graph.intervene import Add, Edit, Intervention, Presence, Remove
from graph.intervene.changed_topology import ChangedTopology
from graph.model import Claim, Concept, Edge, Evidence
from graph.protocols import GraphView, Row, Topology
from graph.topology import ACTING_LINKS, DRIVING_LINKS, EMPTY_ROW, LESSENING_LINKS, Links

SUPPORTING_LINKS = Links(DRIVING_LINKS.kinds)  # the claims that can bring their effect about, however little they are believed
PREVENTING_LINKS = Links(ACTING_LINKS.kinds & LESSENING_LINKS.kinds)  # the claims that lessen their effect
_SUPPORTING_MASK = SUPPORTING_LINKS.mask()

# The rows that a distant store fetches ahead, of the least believed causes: the walk begins with them, as they have fewer causes.
_PREFETCHED_ROWS = 16


def supporting_ends(row: Row) -> Iterator[int]:
    """Yield the far ends of the edges of a row that can bring their effect about, most believed first."""
    for end, belief, kind in zip(row.ends, row.beliefs, row.kinds, strict=True):
        if belief <= 0.0:
            return
        if _SUPPORTING_MASK[kind]:
            yield end


def fallen_concepts(world: EditedTopology) -> frozenset[int]:
    """Return the concepts that are absent or without a cause that stands; the walk goes only where something falls."""
    gone = {number for number, setting in world.forced.items() if setting is Presence.ABSENT}
    standing = {number for number, setting in world.forced.items() if setting is Presence.PRESENT}
    threatened = [*world.edited, *(end for number in gone for end in supporting_ends(world.below(number, forward=True)))]
    world.prepare(threatened, forward=False)
    while threatened:
        number = threatened.pop()
        if number in gone or number in standing:
            continue
        falling = _falling_with(world, number, gone, standing)
        gone |= falling
        world.prepare(falling, forward=True)
        threatened.extend(end for concept in falling for end in supporting_ends(world.below(concept, forward=True)))
        threatened.extend(end for concept in falling for end in supporting_ends(world.outgoing(concept)))
    return frozenset(gone)


def _falling_with(world: EditedTopology, number: int, gone: set[int], standing: set[int]) -> set[int]:
    """Return what falls with a concept, itself included, or nothing where it stands; what stands is added to `standing`.

    The walk goes back along causes until one stands. Where there is none, every concept met can only be held up by others met:
    by those that do not descend from an edit, and what they lead to.
    """
    causes: dict[int, list[int]] = {}
    waiting = [number]
    while waiting:
        here = waiting.pop()
        if here in causes:
            continue
        if here in standing or next(supporting_ends(world.below(here, forward=False)), None) is None:
            standing.update((here, number))
            return set()
        causes[here] = [end for end in supporting_ends(world.incoming(here)) if end not in gone]
        waiting.extend(causes[here])
        world.prepare(causes[here][-_PREFETCHED_ROWS:], forward=False)
    effects: dict[int, list[int]] = {}
    for effect, before in causes.items():
        for end in before:
            effects.setdefault(end, []).append(effect)
    descending = world.edited & causes.keys()
    descending |= {concept for concept in causes if not gone.isdisjoint(supporting_ends(world.below(concept, forward=False)))}
    held = reachable_vertices(effects, causes.keys() - reachable_vertices(effects, descending))
    standing |= held
    return causes.keys() - held


class EditedTopology(ChangedTopology):
    """The arrows that the edits leave, with the numbers and degrees of `base`; concepts that are `gone` cause nothing."""

    def __init__(self, base: Topology, forced: Mapping[str, Presence], changed: Mapping[Claim, Edge | None]) -> None:
        super().__init__(base, changed)
        self.forced = {self.number_of(name): setting for name, setting in forced.items()}
        self.edited = frozenset(self._into.union(self.forced))  # where the edits begin
        self.gone: frozenset[int] = frozenset(number for number, setting in self.forced.items() if setting is Presence.ABSENT)
        self.prepare(self.forced, forward=False)
        for number in self.forced:
            self._out_of.update(self.below(number, forward=False).ends)
        self.gone = fallen_concepts(self)
        for number in self.gone:
            self._into.update(self.below(number, forward=True).ends)
        self._rows.clear()

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first; none where it is gone."""
        return EMPTY_ROW if number in self.gone else super().outgoing(number)

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first; none where it is set."""
        return EMPTY_ROW if number in self.forced else super().incoming(number)

    def hidden(self, *, forward: bool) -> Collection[int]:
        """Return the far ends that no row has: nothing causes what is set, and what is gone causes nothing."""
        return self.forced if forward else self.gone


class Overlay:
    """A view of a causal graph under edits (Pearl's do-operator), after those of `view` where it is an overlay.

    A concept that is set, either way, has no causes. One that is absent causes nothing, nor does what it alone held up. Concepts
    are set after the edits of edges; of two edits of one thing the later one holds.
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
        """The arrows that the edits leave, computed at the first use."""
        return EditedTopology(self.base.topology(), self.forced, self.changed)

    @cached_property
    def gone(self) -> frozenset[str]:
        """The names of the concepts that are absent or have fallen."""
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
        return self._remaining_edges(self.base.causes(effect), [edge for edge in self._new_edges if edge.effect == effect])

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause` that the edits leave, most believed first."""
        if cause in self.gone:
            return []
        return self._remaining_edges(self.base.effects(cause), [edge for edge in self._new_edges if edge.cause == cause])

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of this claim, or `None` where the edits take it away."""
        edge = self.changed[claim] if claim in self.changed else self.base.edge(claim)
        return None if edge is None or self._is_cut(edge) else edge

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return the evidence that the graph below has; an edited claim has none."""
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
    def _new_edges(self) -> list[Edge]:
        return [edge for edge in self.changed.values() if edge is not None]

    @cached_property
    def _added_names(self) -> dict[str, None]:
        return dict.fromkeys(name for edge in self._new_edges for name in (edge.cause, edge.effect))

    def _remaining_edges(self, below: Sequence[Edge], added: list[Edge]) -> list[Edge]:
        """Return those edges that the edits leave, in their order, with the added ones after equals."""
        remaining = [edge for edge in below if edge.claim not in self.changed] + added
        return sorted((edge for edge in remaining if not self._is_cut(edge)), key=lambda edge: -edge.belief)

    def _is_cut(self, edge: Edge) -> bool:
        return edge.effect in self.forced or edge.cause in self.gone
