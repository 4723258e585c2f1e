"""Adding statements and aliases to an embedded store, a batch at a time inside one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain

from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import Added
from graph.stores import claim_records, codec
from graph.stores.claim_records import DerivedColumns, RecordsByIdentity, derive_columns
from graph.stores.codec import chunks, decode_text, encode_text
from graph.stores.digest import alias_marks, claim_mark, evidence_mark
from graph.stores.sqlite import claim_rows
from graph.stores.sqlite.claim_rows import InternedNames, placeholders

BATCH = 10_000

ClaimKey = tuple[int, int, int, int]


def add_aliases(connection: sqlite3.Connection, aliases: Iterable[Alias]) -> int:
    """Add what is new of `aliases`; return the change of the sum of the marks in the digest."""
    marks = 0
    for batch in chunks(aliases, BATCH):
        names = chain.from_iterable((alias.concept, alias.name) for alias in batch)
        concepts = InternedNames(connection, "concept").known(names)
        targets = claim_records.aliases_to_add(batch, concepts)
        changed, change = claim_records.changed_aliases(targets, _stored_aliases(connection, targets))
        rows = ((encode_text(name), concepts[concept]) for name, concept in changed.items())
        connection.executemany("REPLACE INTO alias (name, concept) VALUES (?, ?)", rows)
        marks += change
    return marks


def _stored_aliases(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, str]:
    concepts_by_alias: dict[str, str] = {}
    for chunk in chunks(names):
        query = f"""
            SELECT alias.name, concept.name FROM alias JOIN concept ON concept.id = alias.concept
            WHERE alias.name IN ({placeholders(len(chunk))})
        """
        rows = connection.execute(query, [encode_text(name) for name in chunk])
        concepts_by_alias.update((decode_text(name), decode_text(concept)) for name, concept in rows)
    return concepts_by_alias


def add_statements(connection: sqlite3.Connection, statements: Iterable[Statement]) -> tuple[Added, int]:
    """Add what is new of `statements`; return what was added and the change of the sum of the marks in the digest.

    Raises `ValueError` for a claim without a cause or an effect.
    """
    writer = _StatementWriter(connection)
    for batch in chunks(statements, BATCH):
        writer.write(claim_records.group_by_claim(batch))
    return writer.added, writer.marks


class _StatementWriter:
    """The writes of one transaction: `added` and `marks` hold what they changed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.added = Added()
        self.marks = 0
        self._connection = connection
        self._concepts, self._grounds, self._rules, self._sections = (
            InternedNames(connection, table) for table in ("concept", "ground", "rule", "section")
        )
        self._sources: dict[Source, int] = {}

    def write(self, claims: dict[Claim, RecordsByIdentity]) -> None:
        """Add new claims and records, replace records by fuller ones, and derive the columns of the changed claims again."""
        concepts, new = self._write_concepts(claims)
        keys = [
            (concepts[claim.cause], concepts[claim.effect], codec.RELATIONS[claim.relation], codec.POLARITIES[claim.polarity])
            for claim in claims
        ]
        # A claim about a new concept is new and need not be looked up.
        ids = self._claim_ids([key for key in keys if key[0] not in new and key[1] not in new])
        stored = self._stored_records({ids[key]: claim for key, claim in zip(keys, claims, strict=True) if key in ids})
        self._write_claims(claims, keys, ids, stored)

    def _write_concepts(self, claims: Iterable[Claim]) -> tuple[dict[str, int], frozenset[int]]:
        """Return the ids of the concepts of `claims`, and those of them that are new."""
        concepts, new = self._concepts.ids(chain.from_iterable((claim.cause, claim.effect) for claim in claims))
        rows = ((concepts[name], codec.searchable_text(name)) for name in new)
        self._connection.executemany("INSERT INTO concept_words (rowid, name) VALUES (?, ?)", rows)
        if self._connection.execute("SELECT EXISTS (SELECT 1 FROM alias)").fetchone()[0]:
            shadowed = _stored_aliases(self._connection, new)
            self._connection.executemany("DELETE FROM alias WHERE name = ?", [(encode_text(name),) for name in shadowed])
            self.marks -= alias_marks(shadowed.items())
        self.added += Added(concepts=len(new))
        return concepts, frozenset(concepts[name] for name in new)

    def _claim_ids(self, keys: Sequence[ClaimKey]) -> dict[ClaimKey, int]:
        ids: dict[ClaimKey, int] = {}
        for chunk in chunks(keys):
            query = f"""
                WITH wanted (cause, effect, relation, polarity) AS (VALUES {placeholders(len(chunk), "(?, ?, ?, ?)")})
                SELECT claim.cause, claim.effect, claim.relation, claim.polarity, claim.id
                FROM wanted CROSS JOIN claim USING (cause, effect, relation, polarity)
            """
            rows = self._connection.execute(query, list(chain.from_iterable(chunk)))
            ids.update(((cause, effect, relation, polarity), number) for cause, effect, relation, polarity, number in rows)
        return ids

    def _stored_records(self, claims: dict[int, Claim]) -> dict[int, RecordsByIdentity]:
        stored: dict[int, RecordsByIdentity] = {number: {} for number in claims}
        for chunk in chunks(claims):
            query = f"""
                SELECT evidence.claim, {codec.EVIDENCE_COLUMNS} FROM {codec.EVIDENCE_TABLES}
                WHERE evidence.claim IN ({placeholders(len(chunk))})
            """
            for number, *columns in self._connection.execute(query, chunk):
                record = codec.decode_evidence(*columns)
                stored[number][record.hash(claims[number])] = record
        return stored

    def _write_claims(
        self,
        claims: dict[Claim, RecordsByIdentity],
        keys: Sequence[ClaimKey],
        ids: dict[ClaimKey, int],
        stored: dict[int, RecordsByIdentity],
    ) -> None:
        next_id = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM claim").fetchone()[0]
        new_claims: list[claim_rows.NumberedClaimRow] = []
        recounted: list[tuple[int, DerivedColumns]] = []
        changed: list[tuple[int, str, Evidence]] = []
        replaced: list[Evidence] = []
        for key, (claim, coming) in zip(keys, claims.items(), strict=True):
            number = ids.get(key)
            if number is None:
                number, next_id = next_id, next_id + 1
                fresh = coming
                new_claims.append((number, *key, derive_columns(fresh.values())))
                self.marks += claim_mark(claim)
            else:
                before = stored[number]
                fresh = claim_records.changed_records(before, coming)
                gone = [identity for identity in fresh if identity in before]
                self.marks -= sum(evidence_mark(identity, before[identity]) for identity in gone)
                replaced += [before[identity] for identity in gone]
                if fresh:
                    recounted.append((number, derive_columns((before | fresh).values())))
            for identity, record in fresh.items():
                self.marks += evidence_mark(identity, record)
                changed.append((number, identity, record))
        claim_rows.store_claims(self._connection, new_claims, self._grounds)
        claim_rows.recount(self._connection, self._grounds, recounted)
        self._write_evidence(changed)
        claim_rows.drop_unused_sentences(self._connection, {record.text for record in replaced if record.text is not None})
        self.added += Added(claims=len(new_claims), evidence=len(changed) - len(replaced))

    def _write_evidence(self, changed: Sequence[tuple[int, str, Evidence]]) -> None:
        if len(self._sources) > claim_rows.CACHE_SIZE:
            self._sources.clear()
        new = dict.fromkeys(record.source for _, _, record in changed if record.source not in self._sources)
        self._sources.update((source, codec.source_key(source)) for source in new)
        sources = (claim_rows.source_row(source, self._sources[source]) for source in new)
        self._connection.executemany(f"INSERT OR IGNORE INTO source VALUES ({placeholders(6)})", sources)
        rows = [
            claim_rows.record_row(number, codec.signed_key(identity), self._sources[record.source], record)
            for number, identity, record in changed
        ]
        claim_rows.store_records(self._connection, rows, self._rules, self._sections)
