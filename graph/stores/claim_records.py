"""What a store makes of records before it writes them: which duplicates are kept, which aliases hold, which columns are derived.

The sense of a claim is a signature of 62 bits of the titles of the pages that state it. Each word of a title sets one bit (a
Bloom filter with one hash), so claims read on pages about similar things share bits; claims about "depression" the illness and
"depression" the slump do not.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Container, Iterable, Mapping
from functools import lru_cache

from graph.belief.independence import EvidenceCounts, count_evidence, source_and_rule
from graph.model import Alias, Claim, Evidence, Source, Stance, Statement, Strength
from graph.stores.codec import STRENGTHS, encode_grounds
from graph.stores.digest import alias_marks
from graph.text.segmentation import text_tokens
from graph.text.stop_words import STOP_WORDS

RecordsByIdentity = dict[str, Evidence]  # the records of a claim by identity: the hash of the record for its claim


def _fuller_record(first: Evidence, second: Evidence) -> Evidence:
    """Return the one to keep of two records of one identity: one with a text, else the one of the later revision.

    The other fields break ties, so that the same record is kept in every order of loading.
    """
    return first if first == second else max(first, second, key=_fullness)


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


def group_by_claim(statements: Iterable[Statement]) -> dict[Claim, RecordsByIdentity]:
    """Return the records of each claim, one for each identity; raises `ValueError` for a claim without cause or effect."""
    claims: dict[Claim, RecordsByIdentity] = {}
    for statement in statements:
        claim, evidence = statement.claim, statement.evidence
        if not claim.cause or not claim.effect:
            raise ValueError(f"a claim needs a cause and an effect: {claim!r}")
        records = claims.setdefault(claim, {})
        identity = evidence.hash(claim)
        records[identity] = _fuller_record(records[identity], evidence) if identity in records else evidence
    return claims


def changed_records(before: RecordsByIdentity, coming: RecordsByIdentity) -> RecordsByIdentity:
    """Return the records of `coming` that are new or fuller than those of `before`."""
    merged = {name: _fuller_record(before[name], record) if name in before else record for name, record in coming.items()}
    return {name: record for name, record in merged.items() if before.get(name) != record}


def aliases_to_add(aliases: Iterable[Alias], concepts: Container[str]) -> dict[str, str]:
    """Return the concept of each alias that holds.

    A name leads to one concept: a concept's own name is never an alias, and of two concepts with one alias the alphabetically
    first has it. An alias whose concept is not stored yet is left out.
    """
    targets: dict[str, str] = {}
    for alias in aliases:
        if alias.name and alias.name not in concepts and alias.concept in concepts:
            targets[alias.name] = min(alias.concept, targets.get(alias.name, alias.concept))
    return targets


def changed_aliases(targets: Mapping[str, str], stored: Mapping[str, str]) -> tuple[dict[str, str], int]:
    """Return the aliases that are not `stored` with their concept, and the change of the digest when they are written."""
    changed = {name: concept for name, concept in targets.items() if name not in stored or concept < stored[name]}
    return changed, alias_marks(changed.items()) - alias_marks((name, stored[name]) for name in changed if name in stored)


SENSE_BITS = 62
_TITLE_STEM_LETTERS = 7


def sense_signature(records: Iterable[Evidence]) -> int:
    """Return the sense of a claim with these records, 0..2^62-1; 0 if no title has a word that counts."""
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
"""The columns of a claim that follow from its records: `asserted`, `negated`, `hedged`, `strength`, `sense`, grounds as text."""


def derive_columns(records: Collection[Evidence]) -> DerivedColumns:
    """Return the columns that follow from the records of a claim."""
    if len(records) > 1:
        return _derived_columns(count_evidence(records), sense_signature(records))
    (record,) = records
    return _derive_from_single(record.stance, record.strength, *source_and_rule(record), sense_signature(records))


@lru_cache(maxsize=1 << 14)
def _derive_from_single(stance: Stance, strength: Strength, kind: str, rule: str, signature: int) -> DerivedColumns:
    # Most claims have a single record, and most of these are alike.
    return _derived_columns(count_evidence((Evidence(Source(kind), stance, strength, rule),)), signature)


def _derived_columns(counts: EvidenceCounts, signature: int) -> DerivedColumns:
    numbers = counts.asserted, counts.negated, counts.hedged, STRENGTHS[counts.strength]
    return (*numbers, signature, encode_grounds(counts.grounds))
