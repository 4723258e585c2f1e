"""Paths as findings: what an answer lists.

Which evidence an answer shows, for and against.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from graph.model import Edge, Evidence, Path, Stance
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from kgqa.answers import CitedEvidence, Finding
from kgqa.wording.answer_phrases import format_path
from kgqa.wording.claim_clauses import claim_verb


def path_finding(path: Path, scale: float = 1.0) -> Finding:
    """Return a path as a finding: its text shows the arrows, its wording and support are those of its weakest step."""
    weakest = max(path.edges, key=lambda edge: edge.strength.rank)
    return Finding(
        text=format_path(path),
        confidence=path.score * scale,
        relation=weakest.claim.relation,
        polarity=weakest.claim.polarity,
        strength=weakest.strength,
        support=min(edge.support for edge in path.edges),
        path=path,
    )


def was_set_by_hand(edge: Edge) -> bool:
    """Return whether an edge is believed because it was set so, and not because of any evidence."""
    return not (edge.support or edge.against or edge.hedged or edge.grounds)


def edge_finding(edge: Edge) -> Finding:
    """Return a single edge as a finding."""
    return path_finding(Path((edge,), edge.belief))


def distinct_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings without those that say the same as an earlier one of forms of the same names ("flood", "floods")."""
    by_steps: dict[tuple[str, ...], Finding] = {}
    for finding in findings:
        steps = ((concept_name(edge.cause), claim_verb(edge), concept_name(edge.effect)) for edge in finding.path.edges)
        answered = finding.text if finding.text != format_path(finding.path) else ""
        by_steps.setdefault((answered, *chain.from_iterable(steps)), finding)
    return tuple(by_steps.values())


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
