"""The rows of claims and records in an embedded store: making them, which one process can do for another, and writing them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from graph.model import Claim, Evidence, Source, stable_hash
from graph.stores import codec
from graph.stores.claim_records import DerivedColumns, derive_columns
from graph.stores.codec import chunks, decode_text, encode_text, searchable_text, signed_key
from graph.stores.digest import claim_mark, evidence_mark

CACHE_SIZE = 1_000_000
_RECOUNTED_AT_ONCE = 10_000


def placeholders(count: int, placeholder: str = "?") -> str:
    """Return `count` placeholders for the parameters of a query."""
    return ", ".join([placeholder] * count)


class InternedNames:
    """The numbered names of one table, cached during one transaction."""

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        self._connection = connection
        self._table = table
        self._ids: dict[str, int] = {}

    def known(self, names: Iterable[str]) -> dict[str, int]:
        """Return the ids of those `names` that are stored, and perhaps of others."""
        if len(self._ids) > CACHE_SIZE:
            self._ids.clear()
        for chunk in chunks(name for name in names if name not in self._ids):
            query = f"SELECT name, id FROM {self._table} WHERE name IN ({placeholders(len(chunk))})"
            rows = self._connection.execute(query, [encode_text(name) for name in chunk])
            self._ids.update((decode_text(name), number) for name, number in rows)
        return self._ids

    def ids(self, names: Iterable[str]) -> tuple[dict[str, int], list[str]]:
        """Return the ids of all `names`, and perhaps of others, and the names that were new and have been added."""
        unique = dict.fromkeys(names)
        ids = self.known(unique)
        new = [name for name in unique if name not in ids]
        if new:
            first = self._connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {self._table}").fetchone()[0]
            ids.update((name, first + place) for place, name in enumerate(new))
            rows = ((ids[name], encode_text(name)) for name in new)
            self._connection.executemany(f"INSERT INTO {self._table} (id, name) VALUES (?, ?)", rows)
        return ids, new


def sentence_key(text: str) -> int:
    """Return the key of a sentence, which depends on its text alone."""
    return signed_key(stable_hash((text,)))


def sentence_ids(connection: sqlite3.Connection, texts: Iterable[str]) -> dict[str, int]:
    """Return the ids of sentences; add those that are new, so that all can be searched."""
    keys = {text: sentence_key(text) for text in texts}
    known: dict[int, int] = {}
    for chunk in chunks(keys.values()):
        known.update(connection.execute(f"SELECT key, id FROM sentence WHERE key IN ({placeholders(len(chunk))})", chunk))
    new = [text for text, key in keys.items() if key not in known]
    if new:
        first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM sentence").fetchone()[0]
        known.update((keys[text], first + place) for place, text in enumerate(new))
        rows = ((known[keys[text]], keys[text], encode_text(text)) for text in new)
        connection.executemany("INSERT INTO sentence (id, key, text) VALUES (?, ?, ?)", rows)
        words = ((known[keys[text]], searchable_text(text)) for text in new)
        connection.executemany("INSERT INTO sentence_words (rowid, text) VALUES (?, ?)", words)
    return {text: known[key] for text, key in keys.items()}


def drop_unused_sentences(connection: sqlite3.Connection, texts: Iterable[str]) -> None:
    """Delete those of `texts` that no record uses any more."""
    unused = "SELECT id FROM sentence WHERE key = ? AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.sentence = sentence.id)"
    drop_words = "INSERT INTO sentence_words (sentence_words, rowid, text) VALUES ('delete', ?, ?)"
    for text in texts:
        for (number,) in connection.execute(unused, (sentence_key(text),)).fetchall():
            connection.execute(drop_words, (number, searchable_text(text)))
            connection.execute("DELETE FROM sentence WHERE id = ?", (number,))


def recount(connection: sqlite3.Connection, grounds: InternedNames, claims: Sequence[tuple[int, DerivedColumns]]) -> None:
    """Write the derived columns of claims, by their ids."""
    ids, _ = grounds.ids(columns[-1] for _, columns in claims)
    update = "UPDATE claim SET asserted = ?2, negated = ?3, hedged = ?4, strength = ?5, sense = ?6, ground = ?7 WHERE id = ?1"
    connection.executemany(update, ((number, *columns[:-1], ids[columns[-1]]) for number, columns in claims))


def recount_all(connection: sqlite3.Connection) -> None:
    """Derive the columns of every claim again, and drop the grounds that no claim has any more."""
    grounds = InternedNames(connection, "ground")
    query = f"SELECT evidence.claim, {codec.EVIDENCE_COLUMNS} FROM {codec.EVIDENCE_TABLES} ORDER BY evidence.claim"
    claims = (
        (number, derive_columns([codec.decode_evidence(*row[1:]) for row in rows]))
        for number, rows in groupby(connection.execute(query), key=itemgetter(0))
    )
    for chunk in chunks(claims, _RECOUNTED_AT_ONCE):
        recount(connection, grounds, chunk)
    connection.execute("DELETE FROM ground WHERE id NOT IN (SELECT ground FROM claim)")


ClaimRow = tuple[str, str, int, int, DerivedColumns]
"""The cause, the effect, the codes of relation and polarity, and the derived columns."""

NumberedClaimRow = tuple[int, int, int, int, int, DerivedColumns]
"""The id, the ids of cause and effect, the codes of relation and polarity, and the derived columns."""

RecordRow = tuple[int, int, int, str, int, int, int | None, int | None, str, str | None, bytes | None, str | None]
"""The columns of evidence, with the names of the rule and the section and the text of the sentence in place of their ids."""

SourceRow = tuple[codec.Cell, ...]  # the columns of a source

FlatClaims = tuple[list[ClaimRow], list[RecordRow], list[SourceRow], int]
"""Claims, their records, each with the position of its claim, the sources of the records, and the sum of all marks."""


def flatten_claims(claims: Mapping[Claim, Mapping[str, Evidence]]) -> FlatClaims:
    """Return claims with all of their records by identity as rows."""
    heads: list[ClaimRow] = []
    rows: list[RecordRow] = []
    sources: dict[Source, int] = {}
    marks = 0
    for place, (claim, records) in enumerate(claims.items()):
        codes = codec.RELATIONS[claim.relation], codec.POLARITIES[claim.polarity]
        heads.append((claim.cause, claim.effect, *codes, derive_columns(records.values())))
        marks += claim_mark(claim)
        for key, identity, record in sorted((signed_key(identity), identity, record) for identity, record in records.items()):
            marks += evidence_mark(identity, record)
            source = sources.get(record.source)
            if source is None:
                source = sources[record.source] = codec.source_key(record.source)
            rows.append(record_row(place, key, source, record))
    return heads, rows, [source_row(source, number) for source, number in sources.items()], marks


def record_row(claim: int, key: int, source: int, record: Evidence) -> RecordRow:
    """Return the row of a record of the claim and the source with these numbers."""
    place = record.start, record.end, record.section
    sketch = bytes.fromhex(record.sketch) if record.sketch else None
    codes = codec.STANCES[record.stance], codec.STRENGTHS[record.strength]
    return claim, key, source, record.rule, *codes, *place, codec.encode_context(record.context), sketch, record.text


def source_row(source: Source, number: int) -> SourceRow:
    """Return the row of a source."""
    return number, *map(encode_text, (source.kind, source.title, source.page_id, source.revision, source.url))


def store_records(
    connection: sqlite3.Connection, rows: Collection[RecordRow], rules: InternedNames, sections: InternedNames, first: int = 0
) -> None:
    """Store records, replacing those with the same keys; `first` is added to the numbers of their claims."""
    rule_ids, _ = rules.ids(row[3] for row in rows)
    section_ids, _ = sections.ids(row[8] for row in rows)
    texts: dict[str | None, int | None] = {None: None}
    texts.update(sentence_ids(connection, (row[11] for row in rows if row[11] is not None)))
    numbered = (
        (first + row[0], row[1], row[2], rule_ids[row[3]], *row[4:8], section_ids[row[8]], *row[9:11], texts[row[11]])
        for row in rows
    )
    query = f"""
        REPLACE INTO evidence (claim, key, source, rule, stance, strength, start, "end", section, context, sketch, sentence)
        VALUES ({placeholders(12)})
    """
    connection.executemany(query, numbered)


def store_claims(connection: sqlite3.Connection, rows: Collection[NumberedClaimRow], grounds: InternedNames) -> None:
    """Store new claims."""
    ids, _ = grounds.ids(row[5][-1] for row in rows)
    query = f"""
        INSERT INTO claim (id, cause, effect, relation, polarity, asserted, negated, hedged, strength, sense, ground)
        VALUES ({placeholders(11)})
    """
    connection.executemany(query, ((*row[:5], *row[5][:-1], ids[row[5][-1]]) for row in rows))
