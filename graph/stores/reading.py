"""The questions that an embedded store answers about its graph."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from graph.belief import belief
from graph.model import Alias, Claim, Concept, Edge, Evidence, Ground, Stance, Statement
from graph.protocols import Stats
from graph.stores.columns import (
    EVIDENCE_COLUMNS,
    EVIDENCE_ORDER,
    EVIDENCE_TABLES,
    POLARITIES,
    RELATIONS,
    STRENGTHS,
    claim_of,
    count_of,
    evidence_of,
    grounds_of,
    grounds_of_counts,
    indexed,
    kept,
    text_of,
)

_DIGEST = re.compile("[0-9a-f]{32}")
_EDGE_COLUMNS = "relation, polarity, asserted, negated, hedged, strength, sense, ground.name"
_COUNTED = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)


def concept(connection: sqlite3.Connection, name: str) -> Concept | None:
    """Return the concept of exactly this name, or that has it as an alias."""
    row = connection.execute("SELECT id, name FROM concept WHERE name = ?", (kept(name),)).fetchone()
    if row is None:
        query = "SELECT concept.id, concept.name FROM alias JOIN concept ON concept.id = alias.concept WHERE alias.name = ?"
        row = connection.execute(query, (kept(name),)).fetchone()
    if row is None:
        return None
    number, found = row
    aliases = connection.execute("SELECT name FROM alias WHERE concept = ? ORDER BY name", (number,))
    return Concept(text_of(found), tuple(text_of(alias) for (alias,) in aliases))


def causes(connection: sqlite3.Connection, effect: str) -> list[Edge]:
    """Return the edges into `effect`, most believed first."""
    query = f"""
        SELECT concept.name, {_EDGE_COLUMNS} FROM claim JOIN concept ON concept.id = claim.cause
        LEFT JOIN ground ON ground.id = claim.ground
        WHERE claim.effect = (SELECT id FROM concept WHERE name = ?)
    """
    rows = connection.execute(query, (kept(effect),))
    return _ranked(rows, lambda cause, relation, polarity: claim_of(cause, effect, relation, polarity))


def effects(connection: sqlite3.Connection, cause: str) -> list[Edge]:
    """Return the edges out of `cause`, most believed first."""
    query = f"""
        SELECT concept.name, {_EDGE_COLUMNS} FROM claim JOIN concept ON concept.id = claim.effect
        LEFT JOIN ground ON ground.id = claim.ground
        WHERE claim.cause = (SELECT id FROM concept WHERE name = ?)
    """
    rows = connection.execute(query, (kept(cause),))
    return _ranked(rows, lambda effect, relation, polarity: claim_of(cause, effect, relation, polarity))


def edge(connection: sqlite3.Connection, claim: Claim) -> Edge | None:
    """Return the edge of exactly this claim, or `None`."""
    query = f"""
        SELECT {_EDGE_COLUMNS} FROM claim LEFT JOIN ground ON ground.id = claim.ground
        WHERE cause = (SELECT id FROM concept WHERE name = ?) AND effect = (SELECT id FROM concept WHERE name = ?)
        AND relation = ? AND polarity = ?
    """
    row = connection.execute(query, _key_of(claim)).fetchone()
    return None if row is None else _edge(claim, *row[2:])


def _key_of(claim: Claim) -> tuple[str | bytes, str | bytes, int, int]:
    """Return what a claim is looked up by: the names of its ends as they are stored, and what it says of them."""
    return kept(claim.cause), kept(claim.effect), RELATIONS[claim.relation], POLARITIES[claim.polarity]


def _edge(
    claim: Claim, asserted: object, negated: object, hedged: object, strength: object, sense: object, kept_grounds: object
) -> Edge:
    numbers = count_of(asserted), count_of(negated), count_of(hedged)
    if kept_grounds is None:
        grounds = grounds_of_counts(zip(_COUNTED, numbers, strict=True))
        believed = belief(grounds)
    else:
        grounds, believed = _believed(kept_grounds)
    signature = 0 if sense is None else count_of(sense)
    return Edge(claim, believed, *numbers, STRENGTHS.member(strength), grounds, signature)


@lru_cache(maxsize=1 << 16)
def _believed(kept_grounds: object) -> tuple[tuple[Ground, ...], float]:
    """Return grounds from how they are stored, and the belief that they make; most claims share theirs with many others."""
    grounds = grounds_of(kept_grounds)
    return grounds, belief(grounds)


def _ranked(rows: Iterable[Sequence[Any]], claim: Callable[[object, object, object], Claim]) -> list[Edge]:
    """Return edges by belief, then support, then the name at the far end, then what they claim.

    `rows` begin with that name and what is claimed, of which `claim` makes the claim; the columns of the edge stand behind.
    """
    ranked = []
    for far, relation, polarity, *columns in rows:
        edge = _edge(claim(far, relation, polarity), *columns)
        ranked.append(((-edge.belief, -edge.support, text_of(far), relation, polarity), edge))
    ranked.sort(key=itemgetter(0))
    return [edge for _, edge in ranked]


def degree(connection: sqlite3.Connection, name: str) -> int:
    """Return how many claims are about the concept of exactly this name, on either side."""
    query = """
        SELECT (SELECT count(*) FROM claim WHERE cause = concept.id) + (SELECT count(*) FROM claim WHERE effect = concept.id)
        FROM concept WHERE name = ?
    """
    row = connection.execute(query, (kept(name),)).fetchone()
    return 0 if row is None else count_of(row[0])


def evidence(connection: sqlite3.Connection, claim: Claim) -> list[Evidence]:
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
    return [evidence_of(*row) for row in connection.execute(query, _key_of(claim))]


def search(connection: sqlite3.Connection, words: Sequence[str], limit: int) -> list[str]:
    """Return names that hold every one of `words` by stem, shortest first; a word without letters and digits counts nothing."""
    quoted = " ".join('"' + word.replace('"', " ") + '"' for word in dict.fromkeys(map(indexed, words)))
    query = """
        SELECT name FROM concept WHERE id IN (SELECT rowid FROM concept_words WHERE concept_words MATCH ?)
        ORDER BY length(name), name LIMIT ?
    """
    return [text_of(name) for (name,) in connection.execute(query, (quoted, max(0, limit)))] if quoted else []


def statements(connection: sqlite3.Connection) -> Iterator[Statement]:
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
        yield Statement(claim_of(*row[:4]), evidence_of(*row[4:]))


def edges(connection: sqlite3.Connection) -> Iterator[Edge]:
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
        yield _edge(claim_of(*row[:4]), *row[4:])


def aliases(connection: sqlite3.Connection) -> Iterator[Alias]:
    """Iterate over every alias, sorted by name."""
    query = "SELECT alias.name, concept.name FROM alias JOIN concept ON concept.id = alias.concept ORDER BY alias.name"
    for name, target in connection.execute(query):
        yield Alias(text_of(name), text_of(target))


def digest(connection: sqlite3.Connection) -> str:
    """Return the digest that the last write left."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'digest'").fetchone()
    found = "" if row is None else text_of(row[0])
    if not _DIGEST.fullmatch(found):
        raise sqlite3.DataError(f"'{found}' is no digest")
    return found


def progress(connection: sqlite3.Connection, job: str) -> int:
    """Return how many items of `job` are done."""
    row = connection.execute("SELECT done FROM job WHERE name = ?", (kept(job),)).fetchone()
    return 0 if row is None else count_of(row[0])


def stats(connection: sqlite3.Connection, url: str, version: str) -> Stats:
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
        digest=digest(connection),
        concepts=count("SELECT id FROM concept"),
        edges=count("SELECT DISTINCT cause, effect FROM claim"),
        claims=count("SELECT id FROM claim"),
        evidence=count("SELECT claim FROM evidence"),
        sentences=count("SELECT 1 FROM record WHERE text IS NOT NULL"),
        relations={RELATIONS.member(code).value: number for code, number in relations},
        sources={text_of(kind): number for kind, number in connection.execute(records)},
        version=version,
    )
