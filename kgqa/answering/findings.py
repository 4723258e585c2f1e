"""Paths as findings: what an answer lists."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from graph.model import Edge, Path
from graph.normalize import concept_name
from kgqa.answering.wording import verb
from kgqa.model import Finding


def arrows(path: Path) -> str:
    """Return a path in short: "smoking → lung cancer → death"."""
    return " → ".join(path.concepts)


def path_finding(path: Path, scale: float = 1.0) -> Finding:
    """Return a path as a finding: its text shows the arrows, its wording and support are those of its weakest step."""
    weakest = max(path.edges, key=lambda edge: edge.strength.rank)
    return Finding(
        text=arrows(path),
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


def distinct(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings without those that say the same as an earlier one of forms of the same names ("flood", "floods")."""
    found: dict[tuple[str, ...], Finding] = {}
    for one in findings:
        steps = ((concept_name(edge.cause), verb(edge), concept_name(edge.effect)) for edge in one.path.edges)
        answered = one.text if one.text != arrows(one.path) else ""
        found.setdefault((answered, *chain.from_iterable(steps)), one)
    return tuple(found.values())
