"""The questions that a graph in Neo4j answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

from graph.model import Alias, Claim, Concept, Edge, Evidence, Statement
from graph.protocols import Stats
from graph.stores.closable_store import ClosableStore
from graph.stores.codec import POLARITIES, RELATIONS, chunks
from graph.stores.name_similarity import OTHER_FIRST_LETTER, SAME_FIRST_LETTER, nearest_names
from graph.stores.neo4j import value_mapping as mapping
from graph.stores.neo4j.cypher_files import LAYOUT_VERSION
from graph.stores.neo4j.neo4j_connection import Neo4jConnection, translate_value_errors
from graph.stores.neo4j.value_mapping import LONGEST_NAME, QueryRow, name_key, text_order, unescape_name

_PAGE = 10_000
_CAUSES_AT_ONCE = 500
_MOST_PHRASES = 100
_SIMILAR_CANDIDATES = 1000
_PREFIX_LENGTH = 2
_LONGEST_WORD = 50
_MOST_WORDS = 20

ClaimRecord = tuple[Claim, str, Evidence]  # a claim, the identity of a record, and the record


class Neo4jQueries(ClosableStore):
    """The reading half of a `GraphStore` over a database of a Neo4j server.

    Every method raises an error of `graph.errors` if the server fails, and `ValueError` if the store is closed.
    """

    def __init__(self, connection: Neo4jConnection) -> None:
        self.url = connection.url
        self._open: Neo4jConnection | None = connection

    @property
    def _connection(self) -> Neo4jConnection:
        if self._open is None:
            raise ValueError(f"the graph '{self.url}' is closed")
        return self._open

    @contextmanager
    def _reading(self) -> Iterator[Neo4jConnection]:
        """Give the connection, and raise `StoreDamaged` for values that no store has."""
        connection = self._connection
        with translate_value_errors(self.url):
            yield connection

    def concept(self, name: str) -> Concept | None:
        """Return the concept of exactly this name, or that has it as an alias, or `None`."""
        with self._reading() as connection:
            for row in connection.read("concept", name=name_key(name)):
                aliases = [unescape_name(*pair) for pair in row["aliases"]]
                return Concept(_row_name(row), tuple(sorted(aliases, key=text_order)))
        return None

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect`, most believed first."""
        return self._edges_at(effect, forward=False)

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause`, most believed first."""
        return self._edges_at(cause, forward=True)

    def _edges_at(self, name: str, *, forward: bool) -> list[Edge]:
        with self._reading() as connection:
            edges = []
            for row in connection.read("effects" if forward else "causes", name=name_key(name)):
                far = _row_name(row)
                claim = mapping.claim_between(name, far, row) if forward else mapping.claim_between(far, name, row)
                edges.append(mapping.edge_from_row(claim, row))
            return sorted(edges, key=lambda edge: mapping.edge_order(edge, edge.effect if forward else edge.cause))

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None`."""
        with self._reading() as connection:
            rows = connection.read("edge", cause=name_key(claim.cause), effect=name_key(claim.effect), hash=claim.hash)
            return mapping.edge_from_row(claim, rows[0]) if rows else None

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every record of `claim`, by source, place and rule."""
        return self.evidence_of([claim])[claim]

    def evidence_of(self, claims: Iterable[Claim]) -> dict[Claim, Sequence[Evidence]]:
        """Return the records of some claims, each in the order of `evidence`."""
        with self._reading() as connection:
            claims_by_hash = {claim.hash: claim for claim in claims}
            records: dict[Claim, list[tuple[Evidence, str]]] = {claim: [] for claim in claims_by_hash.values()}
            for row in connection.read("evidence", hashes=list(claims_by_hash)):
                records[claims_by_hash[row["claim"]]].append((mapping.evidence_from_row(row), row["hash"]))
            return {
                claim: [record for record, _ in sorted(pairs, key=lambda pair: mapping.evidence_order(*pair))]
                for claim, pairs in records.items()
            }

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that contain every one of `words` by stem, shortest first, then alphabetically."""
        return self.search_stems([stems_of(words)], limit)[0]

    def search_stems(self, searches: Sequence[Iterable[str]], limit: int) -> Sequence[list[str]]:
        """Return the names that hold every phrase of stems, for many searches at once, each in the order of `search`."""
        with self._reading() as connection:
            names: list[list[str]] = [[] for _ in searches]
            phrases = [sorted(stems, key=lambda text: (-len(text), text)) for stems in searches]
            places = [place for place, own in enumerate(phrases) if own and limit > 0]
            queries = [" AND ".join(f'"{phrase.strip()}"' for phrase in phrases[place][:_MOST_PHRASES]) for place in places]
            if queries:
                parameters = {"queries": queries, "phrases": [phrases[place] for place in places], "limit": limit}
                for row in connection.read("search", **parameters):
                    names[places[row["place"]]].append(_row_name(row))
            return names

    def search_evidence(self, words: Sequence[str], limit: int = 20) -> Sequence[Statement]:
        """Return records whose sentence contains any of `words` by stem, best first (BM25); a sentence once for each claim."""
        with self._reading() as connection:
            phrases = [_escape_word(word) for word in dict.fromkeys(words) if any(map(str.isalnum, word))]
            if not phrases or limit <= 0:
                return []
            query = " OR ".join(f'"{phrase}"' for phrase in phrases[:_MOST_PHRASES])
            rows = connection.read("search_evidence", query=query, limit=limit)
            matches = [(row["score"], mapping.unescape_text(row["text"]), _claim_record(row)) for row in rows]
            matches.sort(key=lambda match: (-match[0], text_order(match[1]), *_record_order(match[2])))
            statements: dict[tuple[Claim, str], Statement] = {}
            for _, text, (claim, _, record) in matches:
                statements.setdefault((claim, text), Statement(claim, record))
            return list(statements.values())[:limit]

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelled like `name`, nearest first; empty if none is near.

        Candidates are the best thousand names that share a word with it but for two letters, and a thousand that begin like it;
        their distance is that of the embedded store.
        """
        with self._reading() as connection:
            words = [word for word in mapping.index_stems([name])[0].split() if len(word) <= _LONGEST_WORD][:_MOST_WORDS]
            if not words or limit <= 0 or len(name) > mapping.LONGEST_NAME:
                return []
            rows = connection.read(
                "alike",
                query=" OR ".join(f"{word}~2" for word in words),
                beginning=mapping.escape_text(name)[:_PREFIX_LENGTH],
                limit=_SIMILAR_CANDIDATES,
                shortest=int(len(name) * SAME_FIRST_LETTER),
                longest=int(len(name) / SAME_FIRST_LETTER) + 1,
            )
            candidates = [_row_name(row) for row in rows]
            alike = [candidate for candidate in candidates if candidate[:1] == name[0]]
            return (nearest_names(name, alike, SAME_FIRST_LETTER) or nearest_names(name, candidates, OTHER_FIRST_LETTER))[:limit]

    def progress(self, job: str) -> int:
        """Return how many items of `job` are done: 0 for an unknown job."""
        with self._reading() as connection:
            rows = connection.read("progress", job=name_key(job))
            return int(rows[0]["done"]) if rows else 0

    def statements(self) -> Iterator[Statement]:
        """Iterate over every claim with each of its records, sorted by cause, effect, source and place."""
        with self._reading() as connection:
            for claim, _, record in chain.from_iterable(fetch_claim_records(connection)):
                yield Statement(claim, record)

    def edges(self) -> Iterator[Edge]:
        """Iterate over every claim as an edge, in the order of `statements`."""
        with self._reading() as connection:
            yield from (edge for edge, _ in fetch_edges(connection))

    def claim_of_hash(self, digits: str) -> Claim | None:
        """Return the claim with this hash, or `None`."""
        with self._reading() as connection:
            rows = connection.read("claim_of_hash", hash=digits)
            return mapping.claim_from_row(rows[0]) if rows else None

    def statements_of_source(self, kind: str, identity: str, limit: int) -> Sequence[Statement]:
        """Return records of the sources of a kind with this page id (or URL, or title), in the order of `statements`."""
        with self._reading() as connection:
            rows = connection.read("statements_of_source", kind=mapping.escape_text(kind), identity=mapping.escape_text(identity))
            records = sorted(map(_claim_record, rows), key=_record_order)
            return [Statement(claim, record) for claim, _, record in records[: max(0, limit)]]

    def beginning_with(self, prefix: str, limit: int) -> Sequence[str]:
        """Return names of concepts that begin with `prefix`: those of most claims first, then the shortest."""
        with self._reading() as connection:
            rows = connection.read("beginning_with", beginning=mapping.escape_text(prefix)[:LONGEST_NAME], limit=max(0, limit))
            return [name for name in map(_row_name, rows) if name.startswith(prefix)]

    def aliases(self) -> Iterator[Alias]:
        """Iterate over every alias, sorted by name."""
        with self._reading() as connection:
            for name, concept in fetch_aliases(connection):
                yield Alias(name, concept)

    def digest(self) -> str:
        """Return 32 hexadecimal digits that depend on the claims, evidence and aliases alone."""
        with self._reading() as connection:
            return fetch_digest(connection)

    def stats(self) -> Stats:
        """Return counts and the digest."""
        with self._reading() as connection:
            (counts,) = connection.read("counts")
            relations = {mapping.relation_from_name(row["relation"]): row["claims"] for row in connection.read("relations")}
            kinds = {mapping.unescape_text(row["kind"]): row["evidence"] for row in connection.read("sources")}
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


def stems_of(words: Sequence[str]) -> frozenset[str]:
    """Return the phrases of stems that names must hold to be found by these words."""
    return frozenset(phrase for phrase in mapping.index_stems(list(dict.fromkeys(words))) if phrase.strip())


def fetch_digest(connection: Neo4jConnection) -> str:
    """Return the digest that the last write left."""
    return str(connection.read("graph")[0]["digest"])


def fetch_claim_records(connection: Neo4jConnection) -> Iterator[list[ClaimRecord]]:
    """Iterate over the records of all claims, those of some causes at a time, sorted as in every store."""
    for names in chunks(fetch_names(connection), _CAUSES_AT_ONCE):
        rows = connection.read("statements_of", names=list(map(name_key, names)))
        yield sorted(map(_claim_record, rows), key=_record_order)


def fetch_edges(connection: Neo4jConnection) -> Iterator[tuple[Edge, QueryRow]]:
    """Iterate over every edge with the columns of its row, in the order of the statements."""
    for names in chunks(fetch_names(connection), _CAUSES_AT_ONCE):
        rows = connection.read("edges_of", names=list(map(name_key, names)))
        pairs = [(mapping.edge_from_row(mapping.claim_from_row(row), row), row) for row in rows]
        yield from sorted(pairs, key=lambda pair: _claim_order(pair[0].claim))


def fetch_names(connection: Neo4jConnection) -> Iterator[str]:
    """Iterate over the names of all concepts, sorted."""
    return map(_row_name, _rows_by_name(connection, "names"))


def fetch_aliases(connection: Neo4jConnection) -> Iterator[tuple[str, str]]:
    """Iterate over every alias and its concept, sorted by alias."""
    for row in _rows_by_name(connection, "alias_names"):
        yield _row_name(row), unescape_name(row["concept"], row["concept_whole"])


def _rows_by_name(connection: Neo4jConnection, query: str) -> Iterator[QueryRow]:
    def pages() -> Iterator[QueryRow]:
        after = ""
        while rows := connection.read(query, after=after, limit=_PAGE):
            yield from rows
            after = rows[-1]["name"]

    return mapping.sort_by_name(pages(), lambda row: str(row["name"]), _row_name)


def _row_name(row: QueryRow) -> str:
    return unescape_name(row["name"], row["whole"])


def _claim_record(row: QueryRow) -> ClaimRecord:
    return mapping.claim_from_row(row), row["hash"], mapping.evidence_from_row(row)


def _record_order(claim_record: ClaimRecord) -> tuple[object, ...]:
    claim, identity, record = claim_record
    return (*_claim_order(claim), *mapping.evidence_order(record, identity))


def _claim_order(claim: Claim) -> tuple[object, ...]:
    return text_order(claim.cause), text_order(claim.effect), RELATIONS[claim.relation], POLARITIES[claim.polarity]


def _escape_word(text: str) -> str:
    """Return a word as it is written inside the quotes of a full-text query."""
    return mapping.escape_text(text).replace("\0", " ").replace("\\", "\\\\").replace('"', '\\"')
