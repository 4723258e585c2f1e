"""What a command added to a graph, for people and as JSON."""

from __future__ import annotations

from graph.protocols import Added
from kgqa.cli.terminal import count_text


def added_text(added: Added) -> str:
    """Return what was added as a list of counts."""
    records = count_text(added.evidence, "evidence record")
    return f"{count_text(added.claims, 'claim')}, {records}, {count_text(added.concepts, 'concept')}"


def added_record(added: Added) -> dict[str, int]:
    """Return what was added as a JSON object."""
    return {"concepts": added.concepts, "claims": added.claims, "evidence": added.evidence}
