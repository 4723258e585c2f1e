"""The order of a list for a population, a place or a time: what was said of it comes first."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Edge, Stance
from kgqa.answering.cases import count_matching_cases, question_circumstances
from kgqa.answering.ranking import EvidenceRecords, ListedName
from kgqa.model import Slots

_CIRCUMSTANCE_CANDIDATES = 40
"""How many of the best names are looked through for what their sources say it of."""


class CircumstanceOrder:
    """What sources say of the population, place or time of the question comes first; the answer tells which that is."""

    def __init__(self, slots: Slots) -> None:
        self._circumstances = question_circumstances(slots)

    def arrange(self, candidates: Sequence[ListedName], records: EvidenceRecords) -> Sequence[ListedName]:
        """Return what was found in this order; equals stay in the order in which they are given."""
        first = sorted(candidates[:_CIRCUMSTANCE_CANDIDATES], key=lambda candidate: -self._matched(candidate.edges, records))
        return [*first, *candidates[_CIRCUMSTANCE_CANDIDATES:]]

    def explain_order(self, first: Sequence[tuple[Edge, ...]], records: EvidenceRecords) -> str:
        """Return of how many of the names the sources say it under these circumstances."""
        what = " and ".join(f"'{phrase}'" for _, phrase in self._circumstances)
        matched = sum(self._matched(edges, records) > 0 for edges in first)
        if not what:
            return ""
        if not matched:
            return f"the sources do not say it of {what} in particular"
        if matched == len(first):
            return f"the sources say it of {what}"
        leading = "the first is" if matched == 1 else f"the first {matched} are"
        return f"only {leading} said of {what} in particular"

    def _matched(self, edges: Sequence[Edge], records: EvidenceRecords) -> int:
        """Return how many of the circumstances of the question the asserting record that fits them best is about."""
        asserting = (record for edge in edges for record in records.of(edge) if record.stance in (Stance.ASSERTED, Stance.HEDGED))
        return max((count_matching_cases(record, self._circumstances) for record in asserting), default=0)
