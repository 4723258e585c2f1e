"""Statements as rows of plain values, with names in place of their numbers: what one process can hand to another."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from graph.model import Claim, Evidence, Source
from graph.stores.claim_records import DerivedColumns, derive_columns
from graph.stores.digest import claim_mark, evidence_mark
from graph.stores.serialization import (
    EVIDENCE_COLUMNS,
    EVIDENCE_TABLES,
    POLARITIES,
    RELATIONS,
    STANCES,
    STRENGTHS,
    Cell,
    chunks,
    decode_evidence,
    encode_context,
    encode_text,
    signed_key,
    source_key,
)
from graph.stores.sqlite.interned_texts import InternedNames, placeholders, sentence_ids

_RECOUNTED_AT_ONCE = 10_000


def with_ground_ids(grounds: InternedNames, rows: Sequence[tuple[*tuple[int, ...], str]]) -> Iterator[tuple[int, ...]]:
    """Yield rows that end in the text of grounds with the id of the grounds in its place; grounds that are new are added."""
    ids, _ = grounds.ids(dict.fromkeys(row[-1] for row in rows))
    return ((*row[:-1], ids[row[-1]]) for row in rows)


def recount(connection: sqlite3.Connection, grounds: InternedNames, claims: Sequence[tuple[int, DerivedColumns]]) -> None:
    """Write what was derived anew for claims, by their ids."""
    update = "UPDATE claim SET asserted = ?2, negated = ?3, hedged = ?4, strength = ?5, sense = ?6, ground = ?7 WHERE id = ?1"
    connection.executemany(update, with_ground_ids(grounds, [(number, *columns) for number, columns in claims]))


def recount_all(connection: sqlite3.Connection) -> None:
    """Derive again what stands beside every claim, and drop the grounds that no claim has any more."""
    grounds = InternedNames(connection, "ground")
    for some in chunks(_derive_all(connection), _RECOUNTED_AT_ONCE):
        recount(connection, grounds, some)
    connection.execute("DELETE FROM ground WHERE id NOT IN (SELECT ground FROM claim)")


def _derive_all(connection: sqlite3.Connection) -> Iterator[tuple[int, DerivedColumns]]:
    """Iterate over the ids of the claims, each with what its records make."""
    query = f"SELECT evidence.claim, {EVIDENCE_COLUMNS} FROM {EVIDENCE_TABLES} ORDER BY evidence.claim"
    for number, rows in groupby(connection.execute(query), key=itemgetter(0)):
        yield number, derive_columns([decode_evidence(*row[1:]) for row in rows])


ClaimRow = tuple[str, str, int, int, DerivedColumns]
"""The cause, the effect, the codes of relation and polarity, and what is derived."""

RecordRow = tuple[int, int, int, str, int, int, int | None, int | None, str, str | None, bytes | None, str | None]
"""The columns of evidence, with the names of the rule and the section and the text of the sentence in place of their ids."""

SourceRow = tuple[Cell, ...]
"""The columns of a source."""

FlatClaims = tuple[list[ClaimRow], list[RecordRow], list[SourceRow], int]
"""Claims, their records, each with the place of its claim among them, the sources of these, and the sum of the marks of all."""


def flatten_claims(claims: Mapping[Claim, Mapping[str, Evidence]]) -> FlatClaims:
    """Return claims with all of their records by identity as rows."""
    heads: list[ClaimRow] = []
    rows: list[RecordRow] = []
    sources: dict[Source, int] = {}
    marks = 0
    for place, (claim, records) in enumerate(claims.items()):
        heads.append(
            (claim.cause, claim.effect, RELATIONS[claim.relation], POLARITIES[claim.polarity], derive_columns(records.values()))
        )
        marks += claim_mark(claim)
        keyed = [(signed_key(identity), identity, record) for identity, record in records.items()]
        keyed.sort()
        for key, identity, record in keyed:
            marks += evidence_mark(identity, record)
            source = sources.get(record.source)
            if source is None:
                source = sources[record.source] = source_key(record.source)
            rows.append(record_row(place, key, source, record))
    return heads, rows, [source_row(source, number) for source, number in sources.items()], marks


def record_row(claim: int, key: int, source: int, record: Evidence) -> RecordRow:
    """Return the row of a record of the claim and the source with these numbers."""
    return (
        claim,
        key,
        source,
        record.rule,
        STANCES[record.stance],
        STRENGTHS[record.strength],
        record.start,
        record.end,
        record.section,
        encode_context(record.context),
        bytes.fromhex(record.sketch) if record.sketch else None,
        record.text,
    )


def source_row(source: Source, number: int) -> SourceRow:
    """Return the row of a source."""
    return (
        number,
        encode_text(source.kind),
        encode_text(source.title),
        encode_text(source.page_id),
        encode_text(source.revision),
        encode_text(source.url),
    )


def store_records(
    connection: sqlite3.Connection, rows: Collection[RecordRow], rules: InternedNames, sections: InternedNames, first: int = 0
) -> None:
    """Store records, in place of those that have their keys; `first` is added to the numbers of their claims."""
    rule_ids, _ = rules.ids(dict.fromkeys(row[3] for row in rows))
    section_ids, _ = sections.ids(dict.fromkeys(row[8] for row in rows))
    texts: dict[str | None, int] = {}
    texts.update(sentence_ids(connection, dict.fromkeys(row[11] for row in rows if row[11] is not None)))
    numbered = (
        (first + row[0], row[1], row[2], rule_ids[row[3]], *row[4:8], section_ids[row[8]], *row[9:11], texts.get(row[11]))
        for row in rows
    )
    query = f"""
        REPLACE INTO evidence (claim, key, source, rule, stance, strength, start, "end", section, context, sketch, sentence)
        VALUES ({placeholders(12)})
    """
    connection.executemany(query, numbered)


def store_claims(
    connection: sqlite3.Connection, rows: Collection[tuple[int, int, int, int, int, DerivedColumns]], grounds: InternedNames
) -> None:
    """Store new claims: their ids, the ids of cause and effect, the codes of relation and polarity, and what is derived."""
    ids, _ = grounds.ids(dict.fromkeys(row[5][-1] for row in rows))
    query = f"""
        INSERT INTO claim (id, cause, effect, relation, polarity, asserted, negated, hedged, strength, sense, ground)
        VALUES ({placeholders(11)})
    """
    connection.executemany(query, ((*row[:5], *row[5][:-1], ids[row[5][-1]]) for row in rows))
