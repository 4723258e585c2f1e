"""Paths as findings: what an answer lists."""

from __future__ import annotations

from graph.model import Edge, Path
from kgqa.model import Finding


def path_finding(path: Path, scale: float = 1.0) -> Finding:
    """Return a path as a finding: its text shows the arrows, its wording and support are those of its weakest step."""
    weakest = max(path.edges, key=lambda edge: edge.strength.rank)
    return Finding(
        text=" → ".join(path.concepts),
        confidence=path.score * scale,
        relation=weakest.claim.relation,
        polarity=weakest.claim.polarity,
        strength=weakest.strength,
        support=min(edge.support for edge in path.edges),
        path=path,
    )


def was_set(edge: Edge) -> bool:
    """Return whether an edge is believed because it was set so, and not because of any evidence."""
    return not (edge.support or edge.against or edge.hedged or edge.grounds)


def edge_finding(edge: Edge) -> Finding:
    """Return a single edge as a finding."""
    return path_finding(Path((edge,), edge.belief))
