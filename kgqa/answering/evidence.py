"""Which evidence an answer shows, for and against."""

from __future__ import annotations

from collections.abc import Iterable

from graph.model import Edge, Stance
from graph.protocols import GraphView
from kgqa.model import Cited

_AGAINST = frozenset({Stance.NEGATED})


def cited(view: GraphView, edges: Iterable[Edge], each: int = 3) -> tuple[tuple[Cited, ...], tuple[Cited, ...]]:
    """Return the evidence for and the evidence against some edges, up to `each` records of either side an edge.

    Records that assert come before those that hedge, ask or suppose, and records with a sentence before those without.
    """
    supporting: dict[Cited, None] = {}
    denying: dict[Cited, None] = {}
    for edge in edges:
        records = sorted(view.evidence(edge.claim), key=lambda one: (one.stance is not Stance.ASSERTED, one.text is None))
        for side, wanted in ((denying, True), (supporting, False)):
            chosen = [one for one in records if (one.stance in _AGAINST) is wanted][:each]
            side.update(dict.fromkeys(Cited(edge.claim, one) for one in chosen))
    return tuple(supporting), tuple(denying)
