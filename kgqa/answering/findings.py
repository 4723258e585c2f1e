"""Paths as findings: what an answer lists."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from graph.model import Edge, Path
from graph.normalize import concept_name
from kgqa.answering.wording import claim_verb
from kgqa.model import Finding


def format_path(path: Path) -> str:
    """Return a path in short: "smoking → lung cancer → death"."""
    return " → ".join(path.concepts)


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
