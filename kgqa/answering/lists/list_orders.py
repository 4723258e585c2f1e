"""Orders of a list that a question asks for: by sources, by circumstances, by necessity; each with a note of what it goes by.

"The most common cause" is what a sentence itself calls so, then what most independent sources support. For a population, a place
or a time, what is said of it comes first. A condition is necessary where every known way to the effect leads through it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph.algorithms.cuts import necessary_causes
from graph.model import Edge, Relation, Stance
from graph.protocols import GraphView
from graph.text.stems import PREFIX_LETTERS
from graph.topology import DRIVING_LINKS
from kgqa.answer_model import Answer
from kgqa.answering.evidence_kind import count_matching_cases, question_circumstances
from kgqa.answering.lists.list_ranking import EvidenceRecords, ListedName, OrderNote, count_supporters
from kgqa.question import Slots
from kgqa.reasons import Missing, Need, Reason, Refusal, Remedy

_SUPERLATIVE_CUE = re.compile(
    r"\b(?:(?:most|more)\s+(?:common|frequent|important|usual|likely)|commonest|leading|main|primary|principal|major|chief|"
    r"biggest|largest|greatest|number[\s-]one|no\.\s*1|predominant)\s+(?:\w+\s+){0,2}?"
    r"(?:causes?|reasons?|sources?|factors?|drivers?|triggers?|effects?|results?|consequences?|complications?|treatments?)\b",
    re.IGNORECASE,
)
_SUPPORT_CANDIDATES = 40
"""How many of the best supported names are looked through for sentences that say it themselves."""

_CUE_DISTANCE = 60
"""How many characters behind the cue one of the two is named."""


@dataclass(frozen=True, slots=True)
class SupportNote(OrderNote):
    """That a list is ordered by sources; a sentence itself calls the first `stated` entries the main ones."""

    stated: int


class SupportOrder:
    """What a sentence itself calls the main or most common one comes first, then what most independent sources support."""

    def arrange(self, candidates: Sequence[ListedName], records: EvidenceRecords) -> Sequence[ListedName]:
        """Return the names in this order; equal names keep the order in which they are given."""
        by_support = sorted(candidates, key=lambda candidate: -candidate.support)
        first = sorted(
            by_support[:_SUPPORT_CANDIDATES],
            key=lambda candidate: (-states_superlative(candidate.edges, records), -count_supporters(candidate.edges, records)),
        )
        return [*first, *by_support[_SUPPORT_CANDIDATES:]]

    def explain_order(self, first: Sequence[tuple[Edge, ...]], records: EvidenceRecords) -> SupportNote:
        """Return how many entries stand first because a sentence says so."""
        return SupportNote(sum(states_superlative(edges, records) for edges in first))


def refuse_rarest(answer: Answer) -> Answer:
    """Return the refusal to name the rarest entry of a list: a graph holds claims, and not how often their effects happen."""
    return replace(
        answer,
        answer=None,
        conclusion=Refusal(Reason.RAREST, (answer.conclusion,)),
        findings=(),
        confidence=0.0,
        gaps=(Missing(Need.FREQUENCY, remedy=Remedy.FIGURES), *answer.gaps),
    )


def states_superlative(edges: Sequence[Edge], records: EvidenceRecords) -> bool:
    """Return whether a sentence that asserts one of the edges calls it the main, leading or most common one of its kind."""
    return any(
        record.text is not None and record.stance is Stance.ASSERTED and _cue_names_end(edge, record.text)
        for edge in edges
        for record in records.of(edge)
    )


def _cue_names_end(edge: Edge, text: str) -> bool:
    """Return whether a sentence says so of one of the ends of an edge, which then stands right behind it."""
    stems = [name.split()[-1][:PREFIX_LETTERS].lower() for name in (edge.cause, edge.effect)]
    behind = (text[match.end() : match.end() + _CUE_DISTANCE].lower() for match in _SUPERLATIVE_CUE.finditer(text))
    return any(stem in words for words in behind for stem in stems)


_CIRCUMSTANCE_CANDIDATES = 40
"""How many of the best names are looked through for what their sources say it of."""


@dataclass(frozen=True, slots=True)
class CircumstanceNote(OrderNote):
    """That the sources say it of the circumstances in `phrases` for the first `matched` of `total` entries."""

    phrases: tuple[str, ...]
    matched: int
    total: int


class CircumstanceOrder:
    """What sources say of the population, place or time of the question comes first."""

    def __init__(self, slots: Slots) -> None:
        self._circumstances = question_circumstances(slots)

    def arrange(self, candidates: Sequence[ListedName], records: EvidenceRecords) -> Sequence[ListedName]:
        """Return the names in this order; equal names keep the order in which they are given."""
        first = sorted(candidates[:_CIRCUMSTANCE_CANDIDATES], key=lambda candidate: -self._matched(candidate.edges, records))
        return [*first, *candidates[_CIRCUMSTANCE_CANDIDATES:]]

    def explain_order(self, first: Sequence[tuple[Edge, ...]], records: EvidenceRecords) -> CircumstanceNote | None:
        """Return of how many of the entries the sources say it under these circumstances; `None` without circumstances."""
        if not self._circumstances:
            return None
        matched = sum(self._matched(edges, records) > 0 for edges in first)
        return CircumstanceNote(tuple(phrase for _, phrase in self._circumstances), matched, len(first))

    def _matched(self, edges: Sequence[Edge], records: EvidenceRecords) -> int:
        """Return how many of the circumstances of the question the asserting record that fits them best is about."""
        asserting = (record for edge in edges for record in records.of(edge) if record.stance in (Stance.ASSERTED, Stance.HEDGED))
        return max((count_matching_cases(record, self._circumstances) for record in asserting), default=0)


_WAYS_FOLLOWED = 30
"""How many of the other causes, and how many causes of each, the ways are followed from."""

_WAY_LENGTH = 3


@dataclass(frozen=True, slots=True)
class NecessityNote(OrderNote):
    """The concepts that every known way to the effect leads through."""

    names: tuple[str, ...]


class NecessityOrder:
    """Conditions without which no known way leads to the effect come first."""

    def __init__(self, view: GraphView) -> None:
        self._view = view

    def arrange(self, candidates: Sequence[ListedName], records: EvidenceRecords) -> Sequence[ListedName]:
        """Return the names in this order; equal names keep the order in which they are given."""
        necessary = self._necessary([edge for candidate in candidates for edge in candidate.edges])
        return sorted(candidates, key=lambda candidate: necessary.isdisjoint(candidate.concepts))

    def explain_order(self, first: Sequence[tuple[Edge, ...]], records: EvidenceRecords) -> NecessityNote | None:
        """Return which entries are necessary; `None` where none is and none is said to enable the effect."""
        necessary = self._necessary([edge for edges in first for edge in edges])
        names = tuple(dict.fromkeys(edge.cause for edges in first for edge in edges if edge.cause in necessary))
        if not names and not any(edge.claim.relation is Relation.ENABLES for edges in first for edge in edges):
            return None
        return NecessityNote(names)

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
