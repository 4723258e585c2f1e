"""Which evidence records are one record, and which of two is kept.

What is derived from the evidence of a claim and stands beside it: numbers of groups, wording, sense, grounds.

In which sense a claim uses its words, as far as the titles of the pages that state it tell: a signature of 62 bits.

Each word of a title sets one bit (a Bloom filter with one hash). Claims read on pages about like things share bits; claims about
"depression" the illness and "depression" the slump do not.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable
from functools import lru_cache

from graph.belief.independence import EvidenceCounts, count_evidence, source_and_rule
from graph.model import Claim, Evidence, Source, Stance, Statement, Strength
from graph.stores.serialization import STRENGTHS, encode_grounds
from graph.text.stop_words import STOP_WORDS
from graph.text.tokens import text_tokens

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


SENSE_BITS = 62
_TITLE_STEM_LETTERS = 7


def sense_signature(records: Iterable[Evidence]) -> int:
    """Return the signature of the records of a claim, 0..2^62-1; 0 where no page has a title that tells."""
    signature = 0
    for title in {record.source.title for record in records}:
        signature |= _title_signature(title)
    return signature


@lru_cache(maxsize=1 << 14)
def _title_signature(title: str) -> int:
    signature = 0
    for word in text_tokens(title.lower(), "long words"):
        if word not in STOP_WORDS["page titles"]:
            signature |= 1 << zlib.crc32(word[:_TITLE_STEM_LETTERS].encode("utf-8", "replace")) % SENSE_BITS
    return signature


DerivedColumns = tuple[int, int, int, int, int, str]
"""The columns of a claim from `asserted` to `strength`, its `sense`, and the text of its grounds for their id."""


def derive_columns(records: Collection[Evidence]) -> DerivedColumns:
    """Return what is derived from the records of a claim."""
    if len(records) > 1:
        return _derived_columns(count_evidence(records), sense_signature(records))
    (record,) = records
    return _derive_from_single(record.stance, record.strength, *source_and_rule(record), sense_signature(records))


@lru_cache(maxsize=1 << 14)
def _derive_from_single(stance: Stance, strength: Strength, kind: str, rule: str, signature: int) -> DerivedColumns:
    """Return what is derived from a single record: most claims have no more, and most of these are alike."""
    return _derived_columns(count_evidence((Evidence(Source(kind), stance, strength, rule),)), signature)


def _derived_columns(numbers: EvidenceCounts, signature: int) -> DerivedColumns:
    counts = numbers.asserted, numbers.negated, numbers.hedged, STRENGTHS[numbers.strength]
    return (*counts, signature, encode_grounds(numbers.grounds))
