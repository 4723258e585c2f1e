"""The questions that a graph in Neo4j answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from graph.model import Alias, Claim, Concept, Edge, Evidence, Polarity, Statement
from graph.protocols import Stats
from graph.stores.columns import POLARITIES, RELATIONS
from graph.stores.names import chunks
from graph.stores.neo4j.connecting import Connection
from graph.stores.neo4j.layout import VERSION
from graph.stores.neo4j.rows import (
    Row,
    claim_of,
    edge_of,
    evidence_of,
    evidence_order,
    names_of,
    rank,
    relation_of,
)
from graph.stores.neo4j.texts import in_order, kept, kept_name, name_of, order_of, text_of
from graph.stores.neo4j.words import stems

PAGE = 10_000
CAUSES_AT_ONCE = 500
_ASKED_PHRASES = 100
Told = tuple[Claim, str, Evidence]
"""A claim, the identity of a record, and the record."""


def concept(connection: Connection, name: str) -> Concept | None:
    """Return the concept of exactly this name, or that has it as an alias."""
    rows = connection.read("concept", name=kept_name(name)[0])
    if not rows:
        return None
    aliases = [name_of(*pair) for pair in rows[0]["aliases"]]
    return Concept(_named(rows[0]), tuple(sorted(aliases, key=order_of)))


def causes(connection: Connection, effect: str) -> list[Edge]:
    """Return the edges into `effect`, most believed first."""
    rows = connection.read("causes", name=kept_name(effect)[0])
    edges = [edge_of(_claimed(name_of(row["name"], row["whole"]), effect, row), row) for row in rows]
    return sorted(edges, key=lambda edge: rank(edge, edge.cause))


def effects(connection: Connection, cause: str) -> list[Edge]:
    """Return the edges out of `cause`, most believed first."""
    rows = connection.read("effects", name=kept_name(cause)[0])
    edges = [edge_of(_claimed(cause, name_of(row["name"], row["whole"]), row), row) for row in rows]
    return sorted(edges, key=lambda edge: rank(edge, edge.effect))


def edge(connection: Connection, claim: Claim) -> Edge | None:
    """Return the edge of exactly this claim, or `None`."""
    rows = connection.read("edge", cause=kept_name(claim.cause)[0], effect=kept_name(claim.effect)[0], hash=claim.hash)
    return edge_of(claim, rows[0]) if rows else None


def _claimed(cause: str, effect: str, row: Row) -> Claim:
    return Claim(cause, effect, relation_of(row["relation"]), Polarity(row["polarity"]))


def evidence(connection: Connection, claim: Claim) -> list[Evidence]:
    """Return every record of `claim`, by source, place and rule."""
    rows = connection.read("evidence", hashes=[claim.hash])
    records = [(row["hash"], evidence_of(row)) for row in rows]
    return [record for identity, record in sorted(records, key=lambda pair: evidence_order(pair[1], pair[0]))]


def search(connection: Connection, words: Sequence[str], limit: int) -> list[str]:
    """Return names that hold every one of `words` by stem, shortest first."""
    phrases = sorted({phrase for phrase in stems(list(dict.fromkeys(words))) if phrase.strip()}, key=lambda one: (-len(one), one))
    if not phrases or limit <= 0:
        return []
    asked = " AND ".join(f'"{phrase.strip()}"' for phrase in phrases[:_ASKED_PHRASES])
    return names_of(connection.read("search", query=asked, phrases=phrases, limit=limit))


def search_evidence(connection: Connection, words: Sequence[str], limit: int) -> list[Statement]:
    """Return records whose sentence holds any of `words` by stem, best first; a sentence comes once for each of its claims."""
    phrases = [_escaped(word) for word in dict.fromkeys(words) if any(map(str.isalnum, word))]
    if not phrases or limit <= 0:
        return []
    asked = " OR ".join(f'"{phrase}"' for phrase in phrases[:_ASKED_PHRASES])
    rows = connection.read("search_evidence", query=asked, limit=limit)
    found = [(row["score"], text_of(row["text"]), _told(row)) for row in rows]
    found.sort(key=lambda one: (-one[0], order_of(one[1]), *_told_order(one[2])))
    statements: dict[tuple[Claim, str], Statement] = {}
    for _, text, (claim, _, record) in found:
        statements.setdefault((claim, text), Statement(claim, record))
    return list(statements.values())[:limit]


def _escaped(text: str) -> str:
    """Return a word as it stands inside the quotes of a full-text query."""
    return kept(text).replace("\0", " ").replace("\\", "\\\\").replace('"', '\\"')


def told(connection: Connection) -> Iterator[list[Told]]:
    """Iterate over what is told of the claims, those of some causes at a time, sorted as in every store."""
    for names in chunks(names_in_order(connection), CAUSES_AT_ONCE):
        rows = connection.read("statements_of", names=[kept_name(name)[0] for name in names])
        yield _sorted_told(map(_told, rows))


def edges(connection: Connection) -> Iterator[tuple[Edge, Row]]:
    """Iterate over every edge with the columns of its row, in the order of the statements."""
    for names in chunks(names_in_order(connection), CAUSES_AT_ONCE):
        rows = connection.read("edges_of", names=[kept_name(name)[0] for name in names])
        pairs = [(edge_of(claim_of(row), row), row) for row in rows]
        yield from sorted(pairs, key=lambda pair: _claim_order(pair[0].claim))


def names_in_order(connection: Connection) -> Iterator[str]:
    """Iterate over the names of all concepts, sorted."""
    pages = _pages(connection, "names")
    return (name_of(row["name"], row["whole"]) for row in in_order(pages, _known_by, _named))


def aliases(connection: Connection) -> Iterator[Alias]:
    """Iterate over every alias, sorted by name."""
    for row in in_order(_pages(connection, "alias_names"), _known_by, _named):
        yield Alias(_named(row), name_of(row["concept"], row["concept_whole"]))


def _pages(connection: Connection, query: str) -> Iterator[Row]:
    after = ""
    while rows := connection.read(query, after=after, limit=PAGE):
        yield from rows
        after = rows[-1]["name"]


def _known_by(row: Row) -> str:
    return str(row["name"])


def _named(row: Row) -> str:
    return name_of(row["name"], row["whole"])


def _told(row: Row) -> Told:
    return claim_of(row), row["hash"], evidence_of(row)


def _sorted_told(records: Iterable[Told]) -> list[Told]:
    return sorted(records, key=_told_order)


def _told_order(one: Told) -> tuple[object, ...]:
    claim, identity, record = one
    return (*_claim_order(claim), *evidence_order(record, identity))


def _claim_order(claim: Claim) -> tuple[object, ...]:
    return order_of(claim.cause), order_of(claim.effect), RELATIONS[claim.relation], POLARITIES[claim.polarity]


def statements(connection: Connection) -> Iterator[Statement]:
    """Iterate over every claim with each of its records, sorted."""
    return (Statement(claim, record) for claim, _, record in chain.from_iterable(told(connection)))


def digest(connection: Connection) -> str:
    """Return the digest that the last write left."""
    return str(connection.read("graph")[0]["digest"])


def progress(connection: Connection, job: str) -> int:
    """Return how many items of `job` are done."""
    rows = connection.read("progress", job=kept_name(job)[0])
    return int(rows[0]["done"]) if rows else 0


def stats(connection: Connection) -> Stats:
    """Return the counts of the graph."""
    (counts,) = connection.read("counts")
    relations = {relation_of(row["relation"]): row["claims"] for row in connection.read("relations")}
    kinds = {text_of(row["kind"]): row["evidence"] for row in connection.read("sources")}
    return Stats(
        url=connection.url,
        digest=digest(connection),
        concepts=counts["concepts"],
        edges=counts["pairs"],
        claims=counts["claims"],
        evidence=counts["evidence"],
        sentences=counts["sentences"],
        relations={relation.value: relations[relation] for relation in RELATIONS if relation in relations},
        sources={kind: kinds[kind] for kind in sorted(kinds, key=order_of)},
        version=str(VERSION),
    )
