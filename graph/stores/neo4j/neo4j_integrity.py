"""Whether a graph in Neo4j is sound: each problem as a sentence with a remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import groupby, islice
from operator import itemgetter

from graph.errors import StoreReadOnly
from graph.model import Claim, Evidence
from graph.stores.codec import chunks
from graph.stores.digest import alias_marks, claim_mark, digest_after, evidence_mark
from graph.stores.neo4j import neo4j_queries as queries
from graph.stores.neo4j.cypher_files import schema_names
from graph.stores.neo4j.neo4j_connection import Neo4jConnection, has_indexes
from graph.stores.neo4j.value_mapping import QueryRow, derived_row, index_stems, name_key

_MEND = "empty the database and copy the graph into it again"
_MOST_PROBLEMS = 20
_ATTEMPTS = 3
_WORDS_AT_ONCE = 5_000


def neo4j_problems(connection: Neo4jConnection) -> list[str]:
    """Verify indexes, joints, digest, counts and words; return what is wrong, 20 of a kind at most.

    A graph is read in pages: one that is written meanwhile is verified again, a few times. A problem is reported if it is still
    there after every writer has ended.
    """
    findings: list[str] = []
    examiners: tuple[Callable[[Neo4jConnection], Iterator[str]], ...] = (_indexes, _unjoined_nodes, _records, _words)
    for attempt in range(_ATTEMPTS):
        before = queries.fetch_digest(connection)
        findings = [problem for examine in examiners for problem in islice(examine(connection), _MOST_PROBLEMS)]
        if not findings or (attempt and queries.fetch_digest(connection) == before):
            return findings
        with suppress(StoreReadOnly):
            connection.write("lock")  # returns when the writers before it have ended
    return ["the graph is being written; verify it when that has ended"]


def _indexes(connection: Neo4jConnection) -> Iterator[str]:
    if not has_indexes(connection):
        yield f"one of these indexes is missing: {', '.join(schema_names())}; kgqa load and kgqa copy make them"


def _unjoined_nodes(connection: Neo4jConnection) -> Iterator[str]:
    (unfit,) = connection.read("unfit")
    for what, number in unfit.items():
        if number:
            yield f"{number:,} {what} are not joined to what they belong to; {_MEND}"


def _records(connection: Neo4jConnection) -> Iterator[str]:
    """Compare the digest and the edges with the records that they follow from."""
    edges = (row for _, row in queries.fetch_edges(connection))
    marks = alias_marks(queries.fetch_aliases(connection))
    claims = (group for some in queries.fetch_claim_records(connection) for group in groupby(some, key=itemgetter(0)))
    for claim, claim_records in claims:
        records = {identity: record for _, identity, record in claim_records}
        marks += claim_mark(claim) + sum(evidence_mark(record.hash(claim), record) for record in records.values())
        for identity, record in records.items():
            if identity != record.hash(claim):
                yield f"evidence that '{claim.cause}' bears on '{claim.effect}' is not under its hash; {_MEND}"
        if wrong := _edge_differences(next(edges, None), claim, records):
            yield f"the edge of '{claim.cause}' and '{claim.effect}' is not that of their evidence ({wrong}); {_MEND}"
            return
    if next(edges, None) is not None:
        yield f"an edge has no claim; {_MEND}"
    digest, made = queries.fetch_digest(connection), digest_after("0", marks)
    if digest != made:
        yield f"the digest is {digest}, but the records make {made}; {_MEND}"


def _edge_differences(edge: QueryRow | None, claim: Claim, records: dict[str, Evidence]) -> str:
    if edge is None:
        return "there is none"
    return ", ".join(name for name, value in derived_row(claim, records.values()).items() if edge[name] != value)


def _words(connection: Neo4jConnection) -> Iterator[str]:
    for names in chunks(queries.fetch_names(connection), _WORDS_AT_ONCE):
        keys = list(map(name_key, names))
        stored_words = {row["name"]: row["words"] for row in connection.read("words_of", names=keys)}
        if any(stored_words.get(key) != words for key, words in zip(keys, index_stems(names), strict=True)):
            yield f"searching by words does not find what it must; {_MEND}"
            return
