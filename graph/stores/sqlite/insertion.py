"""Adding statements to an embedded store, a batch at a time inside one transaction.

The other names of concepts in an embedded store.

A name leads to one concept: a concept's own name is never an alias, and of two concepts with one alias the alphabetically
first has it. An alias counts once its concept is there; one that comes before its concept is left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain

from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import Added
from graph.stores.claim_records import DerivedColumns, RecordsByIdentity, changed_records, derive_columns, group_by_claim
from graph.stores.digest import alias_mark, claim_mark, evidence_mark
from graph.stores.serialization import (
    EVIDENCE_COLUMNS,
    EVIDENCE_TABLES,
    POLARITIES,
    RELATIONS,
    chunks,
    decode_evidence,
    decode_text,
    encode_text,
    searchable_text,
    signed_key,
    source_key,
)
from graph.stores.sqlite.claim_rows import record_row, recount, source_row, store_claims, store_records
from graph.stores.sqlite.interned_texts import REMEMBERED, InternedNames, drop_unused_sentences, placeholders

ALIAS_BATCH = 10_000


def add_aliases(connection: sqlite3.Connection, aliases: Iterable[Alias]) -> int:
    """Add what is new of `aliases`; return the sum of the marks that the digest moves by."""
    return sum(_add_alias_batch(connection, batch) for batch in chunks(aliases, ALIAS_BATCH))


def drop_shadowed_aliases(connection: sqlite3.Connection, names: Sequence[str]) -> int:
    """Delete the aliases that are now the `names` of concepts; return the sum of the marks that the digest moves by."""
    if not connection.execute("SELECT EXISTS (SELECT 1 FROM alias)").fetchone()[0]:
        return 0
    shadowed = _stored_aliases(connection, names)
    connection.executemany("DELETE FROM alias WHERE name = ?", [(encode_text(name),) for name in shadowed])
    return -sum(alias_mark(Alias(name, concept)) for name, concept in shadowed.items())


def _add_alias_batch(connection: sqlite3.Connection, aliases: Sequence[Alias]) -> int:
    names = InternedNames(connection, "concept")
    concepts = names.known(chain.from_iterable((alias.concept, alias.name) for alias in aliases))
    wanted: dict[str, str] = {}
    for alias in aliases:
        if alias.name and alias.name not in concepts and alias.concept in concepts:
            wanted[alias.name] = min(alias.concept, wanted.get(alias.name, alias.concept))
    stored = _stored_aliases(connection, wanted)
    changed = {name: concept for name, concept in wanted.items() if name not in stored or concept < stored[name]}
    connection.executemany(
        "REPLACE INTO alias (name, concept) VALUES (?, ?)",
        [(encode_text(name), concepts[concept]) for name, concept in changed.items()],
    )
    came = sum(alias_mark(Alias(name, concept)) for name, concept in changed.items())
    went = sum(alias_mark(Alias(name, stored[name])) for name in changed if name in stored)
    return came - went


def _stored_aliases(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, str]:
    """Return those of `names` that are aliases, with the names of their concepts."""
    concepts_by_alias: dict[str, str] = {}
    for chunk in chunks(names):
        query = f"""
            SELECT alias.name, concept.name FROM alias JOIN concept ON concept.id = alias.concept
            WHERE alias.name IN ({placeholders(len(chunk))})
        """
        rows = connection.execute(query, [encode_text(name) for name in chunk])
        concepts_by_alias.update((decode_text(name), decode_text(concept)) for name, concept in rows)
    return concepts_by_alias


BATCH = 10_000

ClaimKey = tuple[int, int, int, int]


def add_statements(connection: sqlite3.Connection, statements: Iterable[Statement]) -> tuple[Added, int]:
    """Add what is new of `statements`; return what was added and the sum of the marks that the digest moves by.

    Raises `ValueError` for a claim without a cause or an effect.
    """
    writing = _StatementWriter(connection)
    for batch in chunks(statements, BATCH):
        writing.write(group_by_claim(batch))
    return writing.added, writing.marks


class _StatementWriter:
    """The writes of one transaction: `added` and `marks` tell what they changed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.added = Added()
        self.marks = 0
        self._connection = connection
        self._concepts = InternedNames(connection, "concept")
        self._grounds = InternedNames(connection, "ground")
        self._rules = InternedNames(connection, "rule")
        self._sections = InternedNames(connection, "section")
        self._sources: dict[Source, int] = {}

    def write(self, claims: dict[Claim, RecordsByIdentity]) -> None:
        """Add what is new, complete what has gained its text, and count again what was touched."""
        concepts, new = self._write_concepts(claims)
        keys = [
            (concepts[claim.cause], concepts[claim.effect], RELATIONS[claim.relation], POLARITIES[claim.polarity])
            for claim in claims
        ]
        # A claim about a new concept is new, and need not be looked for.
        ids = self._claim_ids([key for key in keys if key[0] not in new and key[1] not in new])
        stored = self._stored({ids[key]: claim for key, claim in zip(keys, claims, strict=True) if key in ids})
        self._write_claims(claims, keys, ids, stored)

    def _write_concepts(self, claims: Iterable[Claim]) -> tuple[dict[str, int], frozenset[int]]:
        """Return the ids of the concepts of `claims`, and those of them that are new."""
        names = dict.fromkeys(chain.from_iterable((claim.cause, claim.effect) for claim in claims))
        concepts, new = self._concepts.ids(names)
        rows = ((concepts[name], searchable_text(name)) for name in new)
        self._connection.executemany("INSERT INTO concept_words (rowid, name) VALUES (?, ?)", rows)
        self.marks += drop_shadowed_aliases(self._connection, new)
        self.added += Added(concepts=len(new))
        return concepts, frozenset(concepts[name] for name in new)

    def _claim_ids(self, keys: Sequence[ClaimKey]) -> dict[ClaimKey, int]:
        """Return the ids of the claims with `keys` that are there already."""
        ids: dict[ClaimKey, int] = {}
        for chunk in chunks(keys):
            query = f"""
                WITH wanted (cause, effect, relation, polarity) AS (VALUES {placeholders(len(chunk), "(?, ?, ?, ?)")})
                SELECT claim.cause, claim.effect, claim.relation, claim.polarity, claim.id
                FROM wanted CROSS JOIN claim USING (cause, effect, relation, polarity)
            """
            for *key, number in self._connection.execute(query, list(chain.from_iterable(chunk))):
                cause, effect, relation, polarity = key
                ids[cause, effect, relation, polarity] = number
        return ids

    def _stored(self, claims: dict[int, Claim]) -> dict[int, RecordsByIdentity]:
        """Return all the records that are there already for `claims`, by the ids of the claims."""
        stored: dict[int, RecordsByIdentity] = {number: {} for number in claims}
        for chunk in chunks(claims):
            query = f"""
                SELECT evidence.claim, {EVIDENCE_COLUMNS} FROM {EVIDENCE_TABLES}
                WHERE evidence.claim IN ({placeholders(len(chunk))})
            """
            for number, *columns in self._connection.execute(query, chunk):
                record = decode_evidence(*columns)
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
        new_claims: list[tuple[int, int, int, int, int, DerivedColumns]] = []
        recounted: list[tuple[int, DerivedColumns]] = []
        changed: list[tuple[int, str, Evidence]] = []
        replaced, replaced_texts = 0, set[str]()
        for key, (claim, coming) in zip(keys, claims.items(), strict=True):
            number = ids.get(key)
            if number is None:
                number, next_id = next_id, next_id + 1
                fresh = coming
                new_claims.append((number, *key, derive_columns(fresh.values())))
                self.marks += claim_mark(claim)
            else:
                before = stored[number]
                fresh = changed_records(before, coming)
                gone = [identity for identity in fresh if identity in before]
                self.marks -= sum(evidence_mark(identity, before[identity]) for identity in gone)
                replaced += len(gone)
                replaced_texts.update(text for identity in gone if (text := before[identity].text) is not None)
                if fresh:
                    recounted.append((number, derive_columns((before | fresh).values())))
            for identity, record in fresh.items():
                self.marks += evidence_mark(identity, record)
                changed.append((number, identity, record))
        store_claims(self._connection, new_claims, self._grounds)
        recount(self._connection, self._grounds, recounted)
        self._write_evidence(changed)
        drop_unused_sentences(self._connection, replaced_texts)
        self.added += Added(claims=len(new_claims), evidence=len(changed) - replaced)

    def _write_evidence(self, changed: Sequence[tuple[int, str, Evidence]]) -> None:
        sources = self._source_ids(record.source for _, _, record in changed)
        rows = [record_row(number, signed_key(identity), sources[record.source], record) for number, identity, record in changed]
        store_records(self._connection, rows, self._rules, self._sections)

    def _source_ids(self, sources: Iterable[Source]) -> dict[Source, int]:
        """Return the ids of `sources`, which are then all there."""
        if len(self._sources) > REMEMBERED:
            self._sources.clear()
        new = [source for source in dict.fromkeys(sources) if source not in self._sources]
        self._sources.update((source, source_key(source)) for source in new)
        rows = (source_row(source, self._sources[source]) for source in new)
        self._connection.executemany(f"INSERT OR IGNORE INTO source VALUES ({placeholders(6)})", rows)
        return self._sources
