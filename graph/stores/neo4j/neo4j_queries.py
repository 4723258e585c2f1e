"""The questions that a graph in Neo4j answers.

Names of concepts that are spelt nearly like a given one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from graph.model import Alias, Claim, Concept, Edge, Evidence, Polarity, Statement
from graph.protocols import Stats
from graph.stores.name_similarity import OTHER_FIRST_LETTER, SAME_FIRST_LETTER, nearest_names
from graph.stores.neo4j.cypher_files import LAYOUT_VERSION
from graph.stores.neo4j.neo4j_connection import Neo4jConnection
from graph.stores.neo4j.value_mapping import (
    LONGEST_NAME,
    QueryRow,
    claim_from_row,
    edge_from_row,
    edge_order,
    escape_text,
    evidence_from_row,
    evidence_order,
    index_stems,
    name_key_and_whole,
    names_from_rows,
    relation_from_name,
    sort_by_name,
    text_order,
    unescape_name,
    unescape_text,
)
from graph.stores.serialization import POLARITIES, RELATIONS, chunks

PAGE = 10_000
CAUSES_AT_ONCE = 500
_MOST_PHRASES = 100
ClaimRecord = tuple[Claim, str, Evidence]
"""A claim, the identity of a record, and the record."""


def fetch_concept(connection: Neo4jConnection, name: str) -> Concept | None:
    """Return the concept of exactly this name, or that has it as an alias."""
    rows = connection.read("concept", name=name_key_and_whole(name)[0])
    if not rows:
        return None
    aliases = [unescape_name(*pair) for pair in rows[0]["aliases"]]
    return Concept(_row_name(rows[0]), tuple(sorted(aliases, key=text_order)))


def fetch_causes(connection: Neo4jConnection, effect: str) -> list[Edge]:
    """Return the edges into `effect`, most believed first."""
    rows = connection.read("causes", name=name_key_and_whole(effect)[0])
    edges = [edge_from_row(_claim_between(unescape_name(row["name"], row["whole"]), effect, row), row) for row in rows]
    return sorted(edges, key=lambda edge: edge_order(edge, edge.cause))


def fetch_effects(connection: Neo4jConnection, cause: str) -> list[Edge]:
    """Return the edges out of `cause`, most believed first."""
    rows = connection.read("effects", name=name_key_and_whole(cause)[0])
    edges = [edge_from_row(_claim_between(cause, unescape_name(row["name"], row["whole"]), row), row) for row in rows]
    return sorted(edges, key=lambda edge: edge_order(edge, edge.effect))


def fetch_edge(connection: Neo4jConnection, claim: Claim) -> Edge | None:
    """Return the edge of exactly this claim, or `None`."""
    rows = connection.read(
        "edge", cause=name_key_and_whole(claim.cause)[0], effect=name_key_and_whole(claim.effect)[0], hash=claim.hash
    )
    return edge_from_row(claim, rows[0]) if rows else None


def _claim_between(cause: str, effect: str, row: QueryRow) -> Claim:
    return Claim(cause, effect, relation_from_name(row["relation"]), Polarity(row["polarity"]))


def fetch_evidence(connection: Neo4jConnection, claim: Claim) -> list[Evidence]:
    """Return every record of `claim`, by source, place and rule."""
    rows = connection.read("evidence", hashes=[claim.hash])
    records = [(row["hash"], evidence_from_row(row)) for row in rows]
    return [record for identity, record in sorted(records, key=lambda pair: evidence_order(pair[1], pair[0]))]


def fetch_names_by_words(connection: Neo4jConnection, words: Sequence[str], limit: int) -> list[str]:
    """Return names that hold every one of `words` by stem, shortest first."""
    phrases = sorted(
        {phrase for phrase in index_stems(list(dict.fromkeys(words))) if phrase.strip()}, key=lambda text: (-len(text), text)
    )
    if not phrases or limit <= 0:
        return []
    fulltext_query = " AND ".join(f'"{phrase.strip()}"' for phrase in phrases[:_MOST_PHRASES])
    return names_from_rows(connection.read("search", query=fulltext_query, phrases=phrases, limit=limit))


def fetch_evidence_by_words(connection: Neo4jConnection, words: Sequence[str], limit: int) -> list[Statement]:
    """Return records whose sentence holds any of `words` by stem, best first; a sentence comes once for each of its claims."""
    phrases = [_escape_word(word) for word in dict.fromkeys(words) if any(map(str.isalnum, word))]
    if not phrases or limit <= 0:
        return []
    fulltext_query = " OR ".join(f'"{phrase}"' for phrase in phrases[:_MOST_PHRASES])
    rows = connection.read("search_evidence", query=fulltext_query, limit=limit)
    matches = [(row["score"], unescape_text(row["text"]), _record_from_row(row)) for row in rows]
    matches.sort(key=lambda match: (-match[0], text_order(match[1]), *_record_order(match[2])))
    statements: dict[tuple[Claim, str], Statement] = {}
    for _, text, (claim, _, record) in matches:
        statements.setdefault((claim, text), Statement(claim, record))
    return list(statements.values())[:limit]


def _escape_word(text: str) -> str:
    """Return a word as it stands inside the quotes of a full-text query."""
    return escape_text(text).replace("\0", " ").replace("\\", "\\\\").replace('"', '\\"')


def fetch_claim_records(connection: Neo4jConnection) -> Iterator[list[ClaimRecord]]:
    """Iterate over what is told of the claims, those of some causes at a time, sorted as in every store."""
    for names in chunks(fetch_names(connection), CAUSES_AT_ONCE):
        rows = connection.read("statements_of", names=[name_key_and_whole(name)[0] for name in names])
        yield _sort_records(map(_record_from_row, rows))


def fetch_edges(connection: Neo4jConnection) -> Iterator[tuple[Edge, QueryRow]]:
    """Iterate over every edge with the columns of its row, in the order of the statements."""
    for names in chunks(fetch_names(connection), CAUSES_AT_ONCE):
        rows = connection.read("edges_of", names=[name_key_and_whole(name)[0] for name in names])
        pairs = [(edge_from_row(claim_from_row(row), row), row) for row in rows]
        yield from sorted(pairs, key=lambda pair: _claim_order(pair[0].claim))


def fetch_names(connection: Neo4jConnection) -> Iterator[str]:
    """Iterate over the names of all concepts, sorted."""
    pages = _pages(connection, "names")
    return (unescape_name(row["name"], row["whole"]) for row in sort_by_name(pages, _row_key, _row_name))


def fetch_aliases(connection: Neo4jConnection) -> Iterator[Alias]:
    """Iterate over every alias, sorted by name."""
    for row in sort_by_name(_pages(connection, "alias_names"), _row_key, _row_name):
        yield Alias(_row_name(row), unescape_name(row["concept"], row["concept_whole"]))


def _pages(connection: Neo4jConnection, query: str) -> Iterator[QueryRow]:
    after = ""
    while rows := connection.read(query, after=after, limit=PAGE):
        yield from rows
        after = rows[-1]["name"]


def _row_key(row: QueryRow) -> str:
    return str(row["name"])


def _row_name(row: QueryRow) -> str:
    return unescape_name(row["name"], row["whole"])


def _record_from_row(row: QueryRow) -> ClaimRecord:
    return claim_from_row(row), row["hash"], evidence_from_row(row)


def _sort_records(records: Iterable[ClaimRecord]) -> list[ClaimRecord]:
    return sorted(records, key=_record_order)


def _record_order(claim_record: ClaimRecord) -> tuple[object, ...]:
    claim, identity, record = claim_record
    return (*_claim_order(claim), *evidence_order(record, identity))


def _claim_order(claim: Claim) -> tuple[object, ...]:
    return text_order(claim.cause), text_order(claim.effect), RELATIONS[claim.relation], POLARITIES[claim.polarity]


def fetch_statements(connection: Neo4jConnection) -> Iterator[Statement]:
    """Iterate over every claim with each of its records, sorted."""
    return (Statement(claim, record) for claim, _, record in chain.from_iterable(fetch_claim_records(connection)))


def fetch_digest(connection: Neo4jConnection) -> str:
    """Return the digest that the last write left."""
    return str(connection.read("graph")[0]["digest"])


def fetch_progress(connection: Neo4jConnection, job: str) -> int:
    """Return how many items of `job` are done."""
    rows = connection.read("progress", job=name_key_and_whole(job)[0])
    return int(rows[0]["done"]) if rows else 0


def fetch_stats(connection: Neo4jConnection) -> Stats:
    """Return the counts of the graph."""
    (counts,) = connection.read("counts")
    relations = {relation_from_name(row["relation"]): row["claims"] for row in connection.read("relations")}
    kinds = {unescape_text(row["kind"]): row["evidence"] for row in connection.read("sources")}
    return Stats(
        url=connection.url,
        digest=fetch_digest(connection),
        concepts=counts["concepts"],
        edges=counts["pairs"],
        claims=counts["claims"],
        evidence=counts["evidence"],
        sentences=counts["sentences"],
        relations={relation.value: relations[relation] for relation in RELATIONS if relation in relations},
        sources={kind: kinds[kind] for kind in sorted(kinds, key=text_order)},
        version=str(LAYOUT_VERSION),
    )


CANDIDATES = 1000
_BEGINNING = 2
_LONGEST_WORD = 50
_MOST_WORDS = 20


def fetch_similar_names(connection: Neo4jConnection, name: str, limit: int) -> list[str]:
    """Return at most `limit` names that are spelt like `name`, nearest first.

    Candidates are the best thousand that share a word with it by at most two letters, and a thousand that begin alike; their
    distance is that of the embedded store.
    """
    words = [word for word in index_stems([name])[0].split() if len(word) <= _LONGEST_WORD][:_MOST_WORDS]
    if not words or limit <= 0 or len(name) > LONGEST_NAME:
        return []
    fulltext_query = " OR ".join(f"{word}~2" for word in words)
    lengths = {"shortest": int(len(name) * SAME_FIRST_LETTER), "longest": int(len(name) / SAME_FIRST_LETTER) + 1}
    rows = connection.read("alike", query=fulltext_query, beginning=escape_text(name)[:_BEGINNING], limit=CANDIDATES, **lengths)
    candidates = names_from_rows(rows)
    alike = [candidate for candidate in candidates if candidate[:1] == name[0]]
    return (nearest_names(name, alike, SAME_FIRST_LETTER) or nearest_names(name, candidates, OTHER_FIRST_LETTER))[:limit]
