"""The questions that an embedded store answers about its graph.

Names of concepts that are spelt nearly like a given one.
"""

from __future__ import annotations

import re
import sqlite3
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from graph.belief.belief import belief
from graph.model import Alias, Claim, Concept, Edge, Evidence, Ground, Stance, Statement
from graph.protocols import Stats
from graph.stores.name_similarity import OTHER_FIRST_LETTER, SAME_FIRST_LETTER, lengths_near, nearest_names
from graph.stores.serialization import (
    EVIDENCE_COLUMNS,
    EVIDENCE_ORDER,
    EVIDENCE_TABLES,
    POLARITIES,
    RELATIONS,
    STRENGTHS,
    decode_claim,
    decode_count,
    decode_evidence,
    decode_grounds,
    decode_text,
    encode_text,
    grounds_from_counts,
    searchable_text,
)

_DIGEST = re.compile("[0-9a-f]{32}")
_EDGE_COLUMNS = "relation, polarity, asserted, negated, hedged, strength, sense, ground.name"
_COUNTED = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)


def select_concept(connection: sqlite3.Connection, name: str) -> Concept | None:
    """Return the concept of exactly this name, or that has it as an alias."""
    row = connection.execute("SELECT id, name FROM concept WHERE name = ?", (encode_text(name),)).fetchone()
    if row is None:
        query = "SELECT concept.id, concept.name FROM alias JOIN concept ON concept.id = alias.concept WHERE alias.name = ?"
        row = connection.execute(query, (encode_text(name),)).fetchone()
    if row is None:
        return None
    number, stored_name = row
    aliases = connection.execute("SELECT name FROM alias WHERE concept = ? ORDER BY name", (number,))
    return Concept(decode_text(stored_name), tuple(decode_text(alias) for (alias,) in aliases))


def select_causes(connection: sqlite3.Connection, effect: str) -> list[Edge]:
    """Return the edges into `effect`, most believed first."""
    query = f"""
        SELECT concept.name, {_EDGE_COLUMNS} FROM claim JOIN concept ON concept.id = claim.cause
        LEFT JOIN ground ON ground.id = claim.ground
        WHERE claim.effect = (SELECT id FROM concept WHERE name = ?)
    """
    rows = connection.execute(query, (encode_text(effect),))
    return _rank_edges(rows, lambda cause, relation, polarity: decode_claim(cause, effect, relation, polarity))


def select_effects(connection: sqlite3.Connection, cause: str) -> list[Edge]:
    """Return the edges out of `cause`, most believed first."""
    query = f"""
        SELECT concept.name, {_EDGE_COLUMNS} FROM claim JOIN concept ON concept.id = claim.effect
        LEFT JOIN ground ON ground.id = claim.ground
        WHERE claim.cause = (SELECT id FROM concept WHERE name = ?)
    """
    rows = connection.execute(query, (encode_text(cause),))
    return _rank_edges(rows, lambda effect, relation, polarity: decode_claim(cause, effect, relation, polarity))


def select_edge(connection: sqlite3.Connection, claim: Claim) -> Edge | None:
    """Return the edge of exactly this claim, or `None`."""
    query = f"""
        SELECT {_EDGE_COLUMNS} FROM claim LEFT JOIN ground ON ground.id = claim.ground
        WHERE cause = (SELECT id FROM concept WHERE name = ?) AND effect = (SELECT id FROM concept WHERE name = ?)
        AND relation = ? AND polarity = ?
    """
    row = connection.execute(query, _claim_key(claim)).fetchone()
    return None if row is None else _decode_edge(claim, *row[2:])


def _claim_key(claim: Claim) -> tuple[str | bytes, str | bytes, int, int]:
    """Return what a claim is looked up by: the names of its ends as they are stored, and what it says of them."""
    return encode_text(claim.cause), encode_text(claim.effect), RELATIONS[claim.relation], POLARITIES[claim.polarity]


def _decode_edge(
    claim: Claim, asserted: object, negated: object, hedged: object, strength: object, sense: object, kept_grounds: object
) -> Edge:
    numbers = decode_count(asserted), decode_count(negated), decode_count(hedged)
    if kept_grounds is None:
        grounds = grounds_from_counts(zip(_COUNTED, numbers, strict=True))
        believed = belief(grounds)
    else:
        grounds, believed = _decode_belief(kept_grounds)
    signature = 0 if sense is None else decode_count(sense)
    return Edge(claim, believed, *numbers, STRENGTHS.member(strength), grounds, signature)


@lru_cache(maxsize=1 << 16)
def _decode_belief(kept_grounds: object) -> tuple[tuple[Ground, ...], float]:
    """Return grounds from how they are stored, and the belief that they make; most claims share theirs with many others."""
    grounds = decode_grounds(kept_grounds)
    return grounds, belief(grounds)


def _rank_edges(rows: Iterable[Sequence[Any]], claim: Callable[[object, object, object], Claim]) -> list[Edge]:
    """Return edges by belief, then support, then the name at the far end, then what they claim.

    `rows` begin with that name and what is claimed, of which `claim` makes the claim; the columns of the edge stand behind.
    """
    ranked = []
    for far, relation, polarity, *columns in rows:
        edge = _decode_edge(claim(far, relation, polarity), *columns)
        ranked.append(((-edge.belief, -edge.support, decode_text(far), relation, polarity), edge))
    ranked.sort(key=itemgetter(0))
    return [edge for _, edge in ranked]


def select_degree(connection: sqlite3.Connection, name: str) -> int:
    """Return how many claims are about the concept of exactly this name, on either side."""
    query = """
        SELECT (SELECT count(*) FROM claim WHERE cause = concept.id) + (SELECT count(*) FROM claim WHERE effect = concept.id)
        FROM concept WHERE name = ?
    """
    row = connection.execute(query, (encode_text(name),)).fetchone()
    return 0 if row is None else decode_count(row[0])


def select_evidence(connection: sqlite3.Connection, claim: Claim) -> list[Evidence]:
    """Return every record of `claim`, by source, place and rule."""
    query = f"""
        SELECT {EVIDENCE_COLUMNS} FROM {EVIDENCE_TABLES}
        WHERE evidence.claim = (
            SELECT id FROM claim
            WHERE cause = (SELECT id FROM concept WHERE name = ?) AND effect = (SELECT id FROM concept WHERE name = ?)
            AND relation = ? AND polarity = ?
        )
        ORDER BY {EVIDENCE_ORDER}
    """
    return [decode_evidence(*row) for row in connection.execute(query, _claim_key(claim))]


def select_names_by_words(connection: sqlite3.Connection, words: Sequence[str], limit: int) -> list[str]:
    """Return names that hold every one of `words` by stem, shortest first; a word without letters and digits counts nothing."""
    quoted = " ".join('"' + word.replace('"', " ") + '"' for word in dict.fromkeys(map(searchable_text, words)))
    query = """
        SELECT name FROM concept WHERE id IN (SELECT rowid FROM concept_words WHERE concept_words MATCH ?)
        ORDER BY length(name), name LIMIT ?
    """
    return [decode_text(name) for (name,) in connection.execute(query, (quoted, max(0, limit)))] if quoted else []


def select_names_by_prefix(connection: sqlite3.Connection, prefix: str, limit: int) -> list[str]:
    """Return at most `limit` names that begin with `prefix`: those of most claims first, then the shortest."""
    query = """
        SELECT name FROM concept WHERE name >= ? AND name < ? ORDER BY
        (SELECT count(*) FROM claim WHERE cause = concept.id) + (SELECT count(*) FROM claim WHERE effect = concept.id) DESC,
        length(name), name LIMIT ?
    """
    bounds = encode_text(prefix), encode_text(prefix + _LAST_CHARACTER)
    return [decode_text(name) for (name,) in connection.execute(query, (*bounds, max(0, limit)))]


def select_statements(connection: sqlite3.Connection) -> Iterator[Statement]:
    """Iterate over every claim with each of its records, sorted by cause, effect, what is claimed, source and place."""
    query = f"""
        SELECT cause.name, effect.name, claim.relation, claim.polarity, {EVIDENCE_COLUMNS}
        FROM concept AS cause
        CROSS JOIN claim ON claim.cause = cause.id
        CROSS JOIN concept AS effect ON effect.id = claim.effect
        CROSS JOIN {EVIDENCE_TABLES}
        WHERE evidence.claim = claim.id
        ORDER BY cause.name, effect.name, claim.relation, claim.polarity, {EVIDENCE_ORDER}
    """
    for row in connection.execute(query):
        yield Statement(decode_claim(*row[:4]), decode_evidence(*row[4:]))


def select_edges(connection: sqlite3.Connection) -> Iterator[Edge]:
    """Iterate over every claim as an edge, sorted by cause, effect and what is claimed."""
    query = f"""
        SELECT cause.name, effect.name, {_EDGE_COLUMNS}
        FROM concept AS cause
        CROSS JOIN claim ON claim.cause = cause.id
        CROSS JOIN concept AS effect ON effect.id = claim.effect
        LEFT JOIN ground ON ground.id = claim.ground
        ORDER BY cause.name, effect.name, claim.relation, claim.polarity
    """
    for row in connection.execute(query):
        yield _decode_edge(decode_claim(*row[:4]), *row[4:])


def select_aliases(connection: sqlite3.Connection) -> Iterator[Alias]:
    """Iterate over every alias, sorted by name."""
    query = "SELECT alias.name, concept.name FROM alias JOIN concept ON concept.id = alias.concept ORDER BY alias.name"
    for name, target in connection.execute(query):
        yield Alias(decode_text(name), decode_text(target))


def select_digest(connection: sqlite3.Connection) -> str:
    """Return the digest that the last write left."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'digest'").fetchone()
    stored_digest = "" if row is None else decode_text(row[0])
    if not _DIGEST.fullmatch(stored_digest):
        raise sqlite3.DataError(f"'{stored_digest}' is no digest")
    return stored_digest


def select_progress(connection: sqlite3.Connection, job: str) -> int:
    """Return how many items of `job` are done."""
    row = connection.execute("SELECT done FROM job WHERE name = ?", (encode_text(job),)).fetchone()
    return 0 if row is None else decode_count(row[0])


def select_stats(connection: sqlite3.Connection, url: str, version: str) -> Stats:
    """Return the counts of the graph.

    `sentences` are the evidence records that hold their sentence, `relations` counts claims, `sources` evidence records.
    """

    def count(query: str) -> int:
        return int(connection.execute(f"SELECT count(*) FROM ({query})").fetchone()[0])

    relations = connection.execute("SELECT relation, count(*) FROM claim GROUP BY relation ORDER BY relation")
    records = """
        SELECT source.kind, count(*) FROM evidence JOIN source ON source.id = evidence.source
        GROUP BY source.kind ORDER BY source.kind
    """
    return Stats(
        url=url,
        digest=select_digest(connection),
        concepts=count("SELECT id FROM concept"),
        edges=count("SELECT DISTINCT cause, effect FROM claim"),
        claims=count("SELECT id FROM claim"),
        evidence=count("SELECT claim FROM evidence"),
        sentences=count("SELECT 1 FROM record WHERE text IS NOT NULL"),
        relations={RELATIONS.member(code).value: number for code, number in relations},
        sources={decode_text(kind): number for kind, number in connection.execute(records)},
        version=version,
    )


_FIRST_LETTERS = string.ascii_lowercase + string.digits
_PREFIX_LENGTH = 3
"""Up to this letter a name goes on alike whose first letter was mistaken."""
_LAST_CHARACTER = "\U0010ffff"


def select_similar_names(connection: sqlite3.Connection, name: str, limit: int) -> list[str]:
    """Return at most `limit` names that are spelt like `name`, nearest first, then alphabetically.

    The distance is the number of letters that are put in, left out, changed or swapped with their neighbour. Only where no
    name with the same first letter is near are others looked at: those which go on alike after a slip in the first letter.
    """
    if not name or limit <= 0:
        return []
    near = nearest_names(
        name, _select_names_beginning(connection, name[0], lengths_near(name, SAME_FIRST_LETTER)), SAME_FIRST_LETTER
    )
    if not near:
        lengths = lengths_near(name, OTHER_FIRST_LETTER)
        candidates = {
            candidate for start in _mistaken_beginnings(name) for candidate in _select_names_beginning(connection, start, lengths)
        }
        near = nearest_names(name, sorted(candidates), OTHER_FIRST_LETTER)
    return near[:limit]


def _mistaken_beginnings(name: str) -> Iterator[str]:
    """Iterate over how a name may begin of which `name` has the first letter wrong, doubled, left out or in the second place."""
    for letter in _FIRST_LETTERS:
        yield letter + name[1:_PREFIX_LENGTH]
        yield letter + name[: _PREFIX_LENGTH - 1]
    yield name[1:_PREFIX_LENGTH]
    yield name[1:2] + name[0] + name[2:_PREFIX_LENGTH]


def _select_names_beginning(connection: sqlite3.Connection, start: str, lengths: range) -> list[str]:
    """Return the names of some lengths that begin with `start`; none for an empty one."""
    query = "SELECT name FROM concept WHERE length(name) BETWEEN ? AND ? AND name >= ? AND name < ?"
    between = (encode_text(start), encode_text(start + _LAST_CHARACTER))
    return [decode_text(row[0]) for row in connection.execute(query, (lengths[0], lengths[-1], *between))] if start else []
