"""Which evidence records are one record, and which of two is kept."""

from __future__ import annotations

from collections.abc import Iterable

from graph.model import Claim, Evidence, Statement

RecordsByIdentity = dict[str, Evidence]
"""The records of a claim by identity: the hash of the record for its claim."""


def fuller_record(first: Evidence, second: Evidence) -> Evidence:
    """Return the one to keep of two records of one identity: with text before without, then of the later revision.

    What is left is settled by the other fields, so that the same record is kept in whatever order they come.
    """
    if first == second:
        return first
    return max(first, second, key=_fullness)


def group_by_claim(statements: Iterable[Statement]) -> dict[Claim, RecordsByIdentity]:
    """Return the records of each claim: one for each identity, the fuller one."""
    claims: dict[Claim, RecordsByIdentity] = {}
    for statement in statements:
        claim, evidence = statement.claim, statement.evidence
        if not claim.cause or not claim.effect:
            raise ValueError(f"a claim needs a cause and an effect: {claim!r}")
        records = claims.setdefault(claim, {})
        identity = evidence.hash(claim)
        records[identity] = fuller_record(records[identity], evidence) if identity in records else evidence
    return claims


def changed_records(before: RecordsByIdentity, coming: RecordsByIdentity) -> RecordsByIdentity:
    """Return those of the records `coming` that are new or fuller than what was there `before`."""
    merged = {name: fuller_record(before[name], record) if name in before else record for name, record in coming.items()}
    return {name: record for name, record in merged.items() if before.get(name) != record}


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
