"""Which evidence records are one record, and which of two is kept."""

from __future__ import annotations

from graph.model import Evidence


def fuller(first: Evidence, second: Evidence) -> Evidence:
    """Return the one to keep of two records of one identity: with text before without, then of the later revision.

    What is left is settled by the other fields, so that the same record is kept in whatever order they come.
    """
    if first == second:
        return first
    return max(first, second, key=_fullness)


def _fullness(evidence: Evidence) -> tuple[object, ...]:
    source = evidence.source
    return (
        evidence.text is not None,
        bool(evidence.sketch),
        *(len(source.revision), source.revision, source.title, source.page_id, source.url, source.kind),
        *(-evidence.strength.rank, evidence.stance, evidence.rule, evidence.section, evidence.text or ""),
        *(-1 if evidence.start is None else evidence.start, -1 if evidence.end is None else evidence.end),
        *(len(evidence.context), evidence.context, evidence.sketch),
    )
