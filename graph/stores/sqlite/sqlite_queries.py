"""The questions that an embedded store answers about its graph."""

from __future__ import annotations

import re
import sqlite3
import string
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter

from graph.belief.belief import belief
from graph.model import Alias, Claim, Concept, Edge, Evidence, Statement
from graph.protocols import Stats
from graph.stores import codec
from graph.stores.closable_store import ClosableStore
from graph.stores.codec import decode_count, decode_text, encode_text
from graph.stores.name_similarity import OTHER_FIRST_LETTER, SAME_FIRST_LETTER, near_lengths, nearest_names
from graph.stores.sqlite.sqlite_connection import translate_sqlite_errors

_EDGE_COLUMNS = "asserted, negated, hedged, strength, sense, ground.name"
_CLAIM_COLUMNS = "cause.name, effect.name, claim.relation, claim.polarity"
_CLAIM_TABLES = """
    concept AS cause
    CROSS JOIN claim ON claim.cause = cause.id
    CROSS JOIN concept AS effect ON effect.id = claim.effect
"""
_IS_CLAIM = """
    cause = (SELECT id FROM concept WHERE name = ?) AND effect = (SELECT id FROM concept WHERE name = ?)
    AND relation = ? AND polarity = ?
"""
_DEGREE = "(SELECT count(*) FROM claim WHERE cause = concept.id) + (SELECT count(*) FROM claim WHERE effect = concept.id)"
_SOURCE_IDENTITY = "coalesce(nullif(page_id, ''), nullif(url, ''), title)"
_LAST_CHARACTER = "\U0010ffff"
_MISTYPED_LETTERS = string.ascii_lowercase + string.digits
# The letters, from the first one, that are compared when the first one may be wrong.
_PREFIX_LENGTH = 3


def select_edges_at(connection: sqlite3.Connection, name: str, *, forward: bool) -> list[Edge]:
    """Return the edges out of the concept `name`, or into it: by belief, support, name at the far end, and what they claim."""
    near, far = ("cause", "effect") if forward else ("effect", "cause")
    query = f"""
        SELECT concept.name, relation, polarity, {_EDGE_COLUMNS} FROM claim JOIN concept ON concept.id = claim.{far}
        LEFT JOIN ground ON ground.id = claim.ground
        WHERE claim.{near} = (SELECT id FROM concept WHERE name = ?)
    """
    ranked = []
    for stored_far, relation, polarity, *columns in connection.execute(query, (encode_text(name),)):
        cause, effect = (name, stored_far) if forward else (stored_far, name)
        edge = _decode_edge(codec.decode_claim(cause, effect, relation, polarity), *columns)
        ranked.append(((-edge.belief, -edge.support, decode_text(stored_far), relation, polarity), edge))
    ranked.sort(key=itemgetter(0))
    return [edge for _, edge in ranked]


def _decode_edge(
    claim: Claim, asserted: object, negated: object, hedged: object, strength: object, sense: object, stored_grounds: object
) -> Edge:
    numbers = decode_count(asserted), decode_count(negated), decode_count(hedged)
    if stored_grounds is None:
        grounds = codec.grounds_from_counts(*numbers)
        believed = belief(grounds)
    else:
        grounds, believed = codec.decode_belief(stored_grounds)
    signature = 0 if sense is None else decode_count(sense)
    return Edge(claim, believed, *numbers, codec.STRENGTHS.member(strength), grounds, signature)


def select_aliases(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Iterate over every alias and its concept, sorted by alias."""
    query = "SELECT alias.name, concept.name FROM alias JOIN concept ON concept.id = alias.concept ORDER BY alias.name"
    return ((decode_text(name), decode_text(concept)) for name, concept in connection.execute(query))


def select_digest(connection: sqlite3.Connection) -> str:
    """Return the digest that the last write left."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'digest'").fetchone()
    stored_digest = "" if row is None else decode_text(row[0])
    if not re.fullmatch("[0-9a-f]{32}", stored_digest):
        raise sqlite3.DataError(f"'{stored_digest}' is no digest")
    return stored_digest


@contextmanager
def consistent_snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Let everything that the block reads be of one state of the store."""
    begun = not connection.in_transaction
    if begun:
        connection.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        # SQLite has rolled back by itself after some failures.
        if begun and connection.in_transaction:
            connection.execute("ROLLBACK")


class SqliteQueries(ClosableStore):
    """The reading half of a `GraphStore` over an SQLite database.

    Every method raises an error of `graph.errors` if the database fails, and `ValueError` if the store is closed.
    """

    def __init__(self, url: str, connection: sqlite3.Connection, *, writable: bool) -> None:
        self.url = url
        self._open: sqlite3.Connection | None = connection
        self._writable = writable

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection, and turn its errors into those of `graph.errors`."""
        if self._open is None:
            raise ValueError(f"the graph '{self.url}' is closed")
        with translate_sqlite_errors(self.url, writing=self._writable):
            yield self._open

    def concept(self, name: str) -> Concept | None:
        """Return the concept of exactly this name, or that has it as an alias, or `None`."""
        by_alias = "SELECT concept.id, concept.name FROM alias JOIN concept ON concept.id = alias.concept WHERE alias.name = ?"
        with self._reading() as connection:
            for query in ("SELECT id, name FROM concept WHERE name = ?", by_alias):
                row = connection.execute(query, (encode_text(name),)).fetchone()
                if row is not None:
                    aliases = connection.execute("SELECT name FROM alias WHERE concept = ? ORDER BY name", row[:1])
                    return Concept(decode_text(row[1]), tuple(decode_text(alias) for (alias,) in aliases))
        return None

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect`, most believed first."""
        with self._reading() as connection:
            return select_edges_at(connection, effect, forward=False)

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause`, most believed first."""
        with self._reading() as connection:
            return select_edges_at(connection, cause, forward=True)

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None`."""
        query = f"SELECT {_EDGE_COLUMNS} FROM claim LEFT JOIN ground ON ground.id = claim.ground WHERE {_IS_CLAIM}"
        with self._reading() as connection:
            row = connection.execute(query, _claim_key(claim)).fetchone()
            return None if row is None else _decode_edge(claim, *row)

    def _degree(self, name: str) -> int:
        with self._reading() as connection:
            row = connection.execute(f"SELECT {_DEGREE} FROM concept WHERE name = ?", (encode_text(name),)).fetchone()
            return 0 if row is None else decode_count(row[0])

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every record of `claim`, by source, place and rule."""
        query = f"""
            SELECT {codec.EVIDENCE_COLUMNS} FROM {codec.EVIDENCE_TABLES}
            WHERE evidence.claim = (SELECT id FROM claim WHERE {_IS_CLAIM}) ORDER BY {codec.EVIDENCE_ORDER}
        """
        with self._reading() as connection:
            return [codec.decode_evidence(*row) for row in connection.execute(query, _claim_key(claim))]

    def search_evidence(self, words: Sequence[str], limit: int = 20) -> Sequence[Statement]:
        """Return records whose sentence contains any of `words` by stem, best first; a sentence comes once for each claim.

        Sentences rank by BM25 (Robertson and others 1994, as in FTS5), then alphabetically, which makes the order independent of
        the order of loading.
        """
        matches = " OR ".join(_quoted_words(words))
        query = f"""
            WITH found (id, score, words) AS MATERIALIZED (
                SELECT sentence.id, bm25(sentence_words) AS score, sentence.text
                FROM sentence_words JOIN sentence ON sentence.id = sentence_words.rowid
                WHERE sentence_words MATCH ? ORDER BY score, sentence.text LIMIT ?
            )
            SELECT {_CLAIM_COLUMNS}, {codec.EVIDENCE_COLUMNS}
            FROM found
            CROSS JOIN {codec.EVIDENCE_TABLES}
            CROSS JOIN claim ON claim.id = evidence.claim
            CROSS JOIN concept AS cause ON cause.id = claim.cause
            CROSS JOIN concept AS effect ON effect.id = claim.effect
            WHERE evidence.sentence = found.id
            ORDER BY found.score, found.words, {_CLAIM_COLUMNS}, {codec.EVIDENCE_ORDER}
        """
        statements: dict[tuple[object, ...], Statement] = {}
        with self._reading() as connection:
            if not matches or limit <= 0:
                return []
            for row in connection.execute(query, (matches, limit)):
                statement = Statement(codec.decode_claim(*row[:4]), codec.decode_evidence(*row[4:]))
                statements.setdefault((statement.claim, statement.evidence.text), statement)
                if len(statements) == limit:
                    break
        return list(statements.values())

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that contain every one of `words` by stem, shortest first, then alphabetically."""
        matches = " ".join(_quoted_words(words))
        query = """
            SELECT name FROM concept WHERE id IN (SELECT rowid FROM concept_words WHERE concept_words MATCH ?)
            ORDER BY length(name), name LIMIT ?
        """
        with self._reading() as connection:
            return _names(connection, query, matches, max(0, limit)) if matches else []

    def beginning_with(self, prefix: str, limit: int) -> Sequence[str]:
        """Return names of concepts that begin with `prefix`: those of most claims first, then the shortest."""
        query = f"SELECT name FROM concept WHERE name >= ? AND name < ? ORDER BY {_DEGREE} DESC, length(name), name LIMIT ?"
        with self._reading() as connection:
            return _names(connection, query, encode_text(prefix), encode_text(prefix + _LAST_CHARACTER), max(0, limit))

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelled like `name`, nearest first; empty if none is near.

        The distance is the number of letters that are inserted, left out, changed or swapped with their neighbour. Names with
        another first letter count only if no name with the same one is near, and if they continue in the same way.
        """
        with self._reading() as connection:
            if not name or limit <= 0:
                return []
            near = _nearest_names_beginning(connection, name, {name[0]}, SAME_FIRST_LETTER)
            return (near or _nearest_names_beginning(connection, name, _corrected_prefixes(name), OTHER_FIRST_LETTER))[:limit]

    def progress(self, job: str) -> int:
        """Return how many items of `job` are done: 0 for an unknown job."""
        with self._reading() as connection:
            row = connection.execute("SELECT done FROM job WHERE name = ?", (encode_text(job),)).fetchone()
            return 0 if row is None else decode_count(row[0])

    def statements(self) -> Iterator[Statement]:
        """Iterate over every claim with each of its records, sorted by cause, effect, what is claimed, source and place."""
        query = f"""
            SELECT {_CLAIM_COLUMNS}, {codec.EVIDENCE_COLUMNS} FROM {_CLAIM_TABLES} CROSS JOIN {codec.EVIDENCE_TABLES}
            WHERE evidence.claim = claim.id ORDER BY {_CLAIM_COLUMNS}, {codec.EVIDENCE_ORDER}
        """
        with self._reading() as connection:
            for row in connection.execute(query):
                yield Statement(codec.decode_claim(*row[:4]), codec.decode_evidence(*row[4:]))

    def edges(self) -> Iterator[Edge]:
        """Iterate over every claim as an edge, in the order of `statements`."""
        query = f"""
            SELECT {_CLAIM_COLUMNS}, {_EDGE_COLUMNS} FROM {_CLAIM_TABLES} LEFT JOIN ground ON ground.id = claim.ground
            ORDER BY {_CLAIM_COLUMNS}
        """
        with self._reading() as connection:
            for row in connection.execute(query):
                yield _decode_edge(codec.decode_claim(*row[:4]), *row[4:])

    def claim_of_hash(self, digits: str) -> Claim | None:
        """Return the claim with this hash, or `None`: every claim is hashed, 100,000 in half a second."""
        from graph.stores.sqlite.index.claim_hashes import claim_hashes

        with self._reading() as connection:
            number = next((number for number, claim_hash in claim_hashes(connection) if claim_hash == digits), None)
        return None if number is None else self._claim_of_id(number)

    def _claim_of_id(self, number: int) -> Claim | None:
        ends = "CROSS JOIN concept AS cause ON cause.id = claim.cause CROSS JOIN concept AS effect ON effect.id = claim.effect"
        query = f"SELECT {_CLAIM_COLUMNS} FROM claim {ends} WHERE claim.id = ?"
        with self._reading() as connection:
            row = connection.execute(query, (number,)).fetchone()
            return None if row is None else codec.decode_claim(*row)

    def statements_of_source(self, kind: str, identity: str, limit: int) -> Sequence[Statement]:
        """Return records of the sources of a kind with this page id (or URL, or title), in the order of `statements`."""
        query = f"""
            SELECT {_CLAIM_COLUMNS}, {codec.EVIDENCE_COLUMNS} FROM {codec.EVIDENCE_TABLES}
            CROSS JOIN claim ON claim.id = evidence.claim
            CROSS JOIN concept AS cause ON cause.id = claim.cause
            CROSS JOIN concept AS effect ON effect.id = claim.effect
            WHERE evidence.source IN (SELECT id FROM source WHERE kind = ? AND {_SOURCE_IDENTITY} = ?)
            ORDER BY {_CLAIM_COLUMNS}, {codec.EVIDENCE_ORDER} LIMIT ?
        """
        with self._reading() as connection:
            rows = connection.execute(query, (encode_text(kind), encode_text(identity), max(0, limit)))
            return [Statement(codec.decode_claim(*row[:4]), codec.decode_evidence(*row[4:])) for row in rows]

    def aliases(self) -> Iterator[Alias]:
        """Iterate over every alias, sorted by name."""
        with self._reading() as connection:
            for name, concept in select_aliases(connection):
                yield Alias(name, concept)

    def digest(self) -> str:
        """Return 32 hexadecimal digits that depend on the claims, evidence and aliases alone."""
        with self._reading() as connection:
            return select_digest(connection)

    def stats(self) -> Stats:
        """Return counts and the digest, all of one state of the store."""
        relations = "SELECT relation, count(*) FROM claim GROUP BY relation ORDER BY relation"
        kinds = """
            SELECT source.kind, count(*) FROM evidence JOIN source ON source.id = evidence.source
            GROUP BY source.kind ORDER BY source.kind
        """
        with self._reading() as connection, consistent_snapshot(connection):

            def count(query: str) -> int:
                return int(connection.execute(f"SELECT count(*) FROM ({query})").fetchone()[0])

            return Stats(
                url=self.url,
                digest=select_digest(connection),
                concepts=count("SELECT id FROM concept"),
                edges=count("SELECT DISTINCT cause, effect FROM claim"),
                claims=count("SELECT id FROM claim"),
                evidence=count("SELECT claim FROM evidence"),
                sentences=count("SELECT 1 FROM record WHERE text IS NOT NULL"),
                relations={codec.RELATIONS.member(code).value: number for code, number in connection.execute(relations)},
                sources={decode_text(kind): number for kind, number in connection.execute(kinds)},
                version=str(connection.execute("PRAGMA user_version").fetchone()[0]),
            )


def _claim_key(claim: Claim) -> tuple[str | bytes, str | bytes, int, int]:
    """Return the parameters of `_IS_CLAIM`."""
    codes = codec.RELATIONS[claim.relation], codec.POLARITIES[claim.polarity]
    return encode_text(claim.cause), encode_text(claim.effect), *codes


def _quoted_words(words: Sequence[str]) -> list[str]:
    """Return words as terms of a full-text query; a word without letters and digits matches nothing."""
    return ['"' + word.replace('"', " ") + '"' for word in dict.fromkeys(map(codec.searchable_text, words))]


def _names(connection: sqlite3.Connection, query: str, *parameters: codec.Cell) -> list[str]:
    return [decode_text(name) for (name,) in connection.execute(query, parameters)]


def _nearest_names_beginning(connection: sqlite3.Connection, name: str, prefixes: set[str], least: float) -> list[str]:
    """Return the names with one of these prefixes that agree with `name` by a share of `least`, nearest first."""
    query = "SELECT name FROM concept WHERE length(name) BETWEEN ? AND ? AND name >= ? AND name < ?"
    lengths = near_lengths(name, least)
    candidates: set[str] = set()
    for prefix in filter(None, prefixes):
        bounds = encode_text(prefix), encode_text(prefix + _LAST_CHARACTER)
        candidates.update(_names(connection, query, lengths[0], lengths[-1], *bounds))
    return nearest_names(name, list(candidates), least)


def _corrected_prefixes(name: str) -> set[str]:
    """Return how names begin of which `name` has the first letter wrong, doubled, left out or in the second place."""
    rest = name[1:_PREFIX_LENGTH]
    prefixes = {letter + end for letter in _MISTYPED_LETTERS for end in (rest, name[: _PREFIX_LENGTH - 1])}
    return prefixes | {rest, name[1:2] + name[0] + name[2:_PREFIX_LENGTH]}
