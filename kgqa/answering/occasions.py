"""The order of a list for a population, a place or a time: what was said of it comes first."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Edge, Stance
from kgqa.answering.cases import asked_for, cases_of
from kgqa.answering.ranking import Named, Records
from kgqa.model import Slots

_LOOKED_AT = 40
"""How many of the best names are looked through for what their sources say it of."""


class ByCircumstance:
    """What sources say of the population, place or time of the question comes first; the answer tells which that is."""

    def __init__(self, slots: Slots) -> None:
        self._asked = asked_for(slots)

    def ordered(self, found: Sequence[Named], records: Records) -> Sequence[Named]:
        """Return what was found in this order; equals stay in the order in which they are given."""
        first = sorted(found[:_LOOKED_AT], key=lambda one: -self._matched(one.edges, records))
        return [*first, *found[_LOOKED_AT:]]

    def told(self, first: Sequence[tuple[Edge, ...]], records: Records) -> str:
        """Return of how many of the names the sources say it under these circumstances."""
        what = " and ".join(f"'{phrase}'" for _, phrase in self._asked)
        matched = sum(self._matched(edges, records) > 0 for edges in first)
        if not what:
            return ""
        if not matched:
            return f"the sources do not say it of {what} in particular"
        if matched == len(first):
            return f"the sources say it of {what}"
        shown = "the first is" if matched == 1 else f"the first {matched} are"
        return f"only {shown} said of {what} in particular"

    def _matched(self, edges: Sequence[Edge], records: Records) -> int:
        """Return how many of the circumstances of the question the asserting record that fits them best is about."""
        said = (one for edge in edges for one in records.of(edge) if one.stance in (Stance.ASSERTED, Stance.HEDGED))
        return max((cases_of(one, self._asked) for one in said), default=0)
