"""Which evidence an answer shows, for and against."""

from __future__ import annotations

from collections.abc import Iterable

from graph.model import Edge, Evidence, Stance
from graph.protocols import GraphView
from kgqa.model import CitedEvidence

_AGAINST = frozenset({Stance.NEGATED})


def cite_evidence(
    view: GraphView, edges: Iterable[Edge], each: int = 3
) -> tuple[tuple[CitedEvidence, ...], tuple[CitedEvidence, ...]]:
    """Return the evidence for and the evidence against some edges, up to `each` records of either side an edge.

    Records that assert come before those that hedge, ask or suppose, then those with a sentence, then those with a place.
    """
    supporting: dict[CitedEvidence, None] = {}
    denying: dict[CitedEvidence, None] = {}
    for edge in edges:
        records = sorted(view.evidence(edge.claim), key=_display_order)
        for side, wanted in ((denying, True), (supporting, False)):
            chosen = [record for record in records if (record.stance in _AGAINST) is wanted][:each]
            side.update(dict.fromkeys(CitedEvidence(edge.claim, record) for record in chosen))
    return tuple(supporting), tuple(denying)


def _display_order(record: Evidence) -> tuple[bool, bool, bool]:
    """Return what decides which records are shown first; records that are equal in it stay in their order."""
    return record.stance is not Stance.ASSERTED, record.text is None, record.start is None
