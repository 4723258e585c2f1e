"""What a command added to a graph, for people and as JSON."""

from __future__ import annotations

from graph.protocols import Added
from kgqa.cli.terminal import number_of


def added_text(added: Added) -> str:
    """Return what was added as a list of counts."""
    records = number_of(added.evidence, "evidence record")
    return f"{number_of(added.claims, 'claim')}, {records}, {number_of(added.concepts, 'concept')}"


def added_record(added: Added) -> dict[str, int]:
    """Return what was added as a JSON object."""
    return {"concepts": added.concepts, "claims": added.claims, "evidence": added.evidence}
