"""A graph in Neo4j as a view for one question: what is probably looked up next is fetched with what is looked up now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from graph.model import Claim, Concept, Edge, Evidence
from graph.protocols import Topology
from graph.stores.neo4j import value_mapping as mapping
from graph.stores.neo4j.neo4j_connection import Neo4jConnection
from graph.stores.neo4j.neo4j_queries import Neo4jQueries, stems_of
from graph.stores.neo4j.neo4j_topology import Neo4jTopology
from graph.stores.neo4j.value_mapping import QueryRow, name_key, text_order, unescape_name
from graph.topology import edge_row

_MOST_NAMES = 500
_MOST_CLAIMS = 300
_MOST_SEARCHED = 100  # names that a search gives
_MOST_SEARCHES = 100
_MOST_EDGES = 400
"""The most edges of a side that are fetched with a concept that is looked up; a larger side is fetched when it is needed."""
_MOST_EXPECTED_EDGES = 24
"""The most edges of a side that are fetched with a concept that is expected to be looked up."""
_MOST_NEIGHBOURS = 150
_FEW_EDGES = 3
_FEW_ROWS = 20
_COLUMNS = ("relation", "polarity", "support", "against", "hedged", "strength", "sense", "grounds")


class BulkView:
    """A `GraphView` that keeps what it has fetched, and fetches many things in one query.

    With a concept come its aliases, its edges and the degrees of their far ends; with the evidence of a claim that of the other
    edges of its ends; with either the names that are expected: those that a search has found, and those told to `expect`.
    """

    def __init__(self, store: Neo4jQueries, connection: Neo4jConnection) -> None:
        self._store = store
        self._connection = connection
        self._expected_names: dict[str, None] = {}
        self._expected_searches: dict[frozenset[str], None] = {}
        self._expected_claims: dict[Claim, None] = {}
        self._concepts: dict[str, Concept | None] = {}
        self._degrees: dict[str, int] = {}
        self._edges: dict[tuple[str, bool], Sequence[Edge]] = {}
        self._neighbours: dict[str, list[str]] = {}
        self._asked_neighbours: set[int] = set()
        self._evidence: dict[Claim, Sequence[Evidence]] = {}
        self._searches: dict[frozenset[str], Sequence[str]] = {}
        self._complete_searches: dict[frozenset[str], list[tuple[str, str]]] = {}

    def expect(self, names: Iterable[str]) -> None:
        """Fetch the concepts of these names, which are probably looked up, with the next concept that is."""
        self._expected_names.update(dict.fromkeys(name for name in names if name and name not in self._concepts))

    def concept(self, name: str) -> Concept | None:
        """Return the concept of exactly this name, or that has it as an alias, or `None`."""
        if name not in self._concepts:
            self._fetch_concepts(name)
        return self._concepts[name]

    def degree(self, name: str) -> int:
        """Return how many claims are about the concept of exactly this name; 0 if there is none."""
        if name not in self._degrees:
            self.concept(name)
        return self._degrees.get(name, 0)

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect`, most believed first."""
        return self._edges_at(effect, forward=False)

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause`, most believed first."""
        return self._edges_at(cause, forward=True)

    def _edges_at(self, name: str, *, forward: bool) -> Sequence[Edge]:
        if (name, forward) not in self._edges and name not in self._concepts:
            self._fetch_concepts(name)
        if (name, forward) not in self._edges and self.degree(name):
            self._fetch_concepts(name, self.degree(name))
        return self._edges.get((name, forward), ())

    def known_edges(self, name: str, *, forward: bool) -> Sequence[Edge] | None:
        """Return the edges on one side of a concept, most believed first, if they are fetched already."""
        return self._edges.get((name, forward))

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None`."""
        for edges in self._edges_of_ends(claim):
            return next((edge for edge in edges if edge.claim == claim), None)
        return self._store.edge(claim)

    def _edges_of_ends(self, claim: Claim) -> list[Sequence[Edge]]:
        sides = (self._edges.get((claim.effect, False)), self._edges.get((claim.cause, True)))
        return [side for side in sides if side is not None]

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every record of `claim`, by source, place and rule."""
        if claim not in self._evidence:
            probable = (edge.claim for edges in self._edges_of_ends(claim) for edge in edges)
            claims = dict.fromkeys([claim])
            claims.update(dict.fromkeys(islice((near for near in probable if near not in self._evidence), _MOST_CLAIMS)))
            claims.update(self._expected_claims)
            self._expected_claims = {}
            self._evidence.update(self._store.evidence_of(claims))
        return self._evidence[claim]

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that contain every one of `words` by stem, shortest first, then alphabetically."""
        stems = stems_of(words)
        if not stems or limit <= 0:
            return []
        names = self._searched(stems, limit)
        if names is None:
            self._fetch_searches(stems, max(limit, _MOST_SEARCHED))
            names = self._searches[stems]
        self.expect(names[:limit])
        return names[:limit]

    def expect_searches(self, searches: Iterable[Sequence[str]]) -> None:
        """Do these searches, which are probable, with the next one that is done."""
        self._expected_searches.update(dict.fromkeys(filter(None, map(stems_of, searches))))

    def _fetch_searches(self, stems: frozenset[str], most: int) -> None:
        expected = [search for search in self._expected_searches if self._searched(search, most) is None]
        self._expected_searches.clear()
        searches = list(dict.fromkeys([stems, *expected[:_MOST_SEARCHES]]))
        for search, names in zip(searches, self._store.search_stems(searches, most), strict=True):
            self._searches[search] = names
            if len(names) < most:
                self._complete_searches[search] = list(zip(names, mapping.index_stems(names), strict=True))

    def _searched(self, stems: frozenset[str], limit: int) -> Sequence[str] | None:
        """Return what earlier searches tell of one: the same, or one for fewer stems that gave every name."""
        names = self._searches.get(stems)
        if names is not None and (stems in self._complete_searches or len(names) >= limit):
            return names
        for fewer, rows in self._complete_searches.items():
            if fewer <= stems:
                return [name for name, words in rows if all(stem in words for stem in stems)]
        return None

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelled like `name`, nearest first."""
        return self._store.similar(name, limit)

    def topology(self) -> Topology:
        """Return the arrows of the graph; its rows are fetched when they are needed."""
        return BulkTopology(self, self._connection)

    def expect_neighbours(self, name: str) -> None:
        """Expect all far ends of the edges of which `name` is one: a walk goes to each of them."""
        self.expect(self._neighbours.get(name, ()))

    def _fetch_concepts(self, name: str, most_edges: int = _MOST_EDGES) -> None:
        neighbours = self._neighbours.get(name)
        if neighbours is not None and id(neighbours) in self._asked_neighbours:
            self.expect(neighbours)  # the second of them that is looked up: each probably is
        elif neighbours is not None:
            self._asked_neighbours.add(id(neighbours))
        unknown = (probable for probable in self._expected_names if probable != name and probable not in self._concepts)
        expected = list(islice(unknown, _MOST_NAMES))
        for probable in expected:
            del self._expected_names[probable]
        names = [name, *expected]
        names_by_key = {name_key(probable): probable for probable in names}
        most = [most_edges, *(_MOST_EXPECTED_EDGES for _ in expected)]
        self._concepts.update(dict.fromkeys(names))
        for row in self._connection.read("neighbours", names=list(names_by_key), most=most):
            self._keep(names_by_key[row["asked"]], row, most_edges if row["asked"] == name_key(name) else _MOST_EXPECTED_EDGES)

    def _keep(self, known_as: str, row: QueryRow, most: int) -> None:
        aliases = sorted((unescape_name(*pair) for pair in row["aliases"]), key=text_order)
        concept = Concept(unescape_name(row["name"], row["whole"]), tuple(aliases))
        self._concepts[known_as] = self._concepts[concept.name] = concept
        self._degrees[concept.name] = row["effects"] + row["causes"]
        for forward, count, entries in ((True, "effects", "outgoing"), (False, "causes", "incoming")):
            if row[count] <= most and (concept.name, forward) not in self._edges:
                edges = [self._edge(concept.name, entry, forward=forward) for entry in row[entries]]
                edges.sort(key=lambda edge: mapping.edge_order(edge, edge.effect if forward else edge.cause))
                self._edges[concept.name, forward] = edges
                neighbours = [edge.effect if forward else edge.cause for edge in edges[:_MOST_NEIGHBOURS]]
                self._neighbours.update(dict.fromkeys(neighbours, neighbours))
                if len(edges) <= _FEW_EDGES:
                    self._expected_claims.update(dict.fromkeys(edge.claim for edge in edges if edge.claim not in self._evidence))

    def _edge(self, name: str, entry: Sequence[Any], *, forward: bool) -> Edge:
        key, whole, degree, *values = entry
        far, row = unescape_name(key, whole), dict(zip(_COLUMNS, values, strict=True))
        self._degrees[far] = degree
        return mapping.edge_from_row(
            mapping.claim_between(name, far, row) if forward else mapping.claim_between(far, name, row), row
        )


class BulkTopology(Neo4jTopology):
    """The arrows of a `BulkView`: what that has fetched is not fetched again."""

    def __init__(self, view: BulkView, connection: Neo4jConnection) -> None:
        super().__init__(view, connection)
        self._bulk = view

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` if no claim is about it."""
        if name not in self._numbers and self._bulk.degree(name):
            self._assign_number(name)
        return self._numbers.get(name)

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept, on either side."""
        return self._bulk.degree(self._names[number])

    def _fetch(self, names: Iterable[str], *, forward: bool) -> None:
        missing = []
        for name in names:
            edges = self._bulk.known_edges(name, forward=forward)
            if edges is None:
                missing.append(name)
            else:
                self._rows[self._assign_number(name), forward] = edge_row(edges, self._assign_number, forward=forward)
        if len(missing) > _FEW_ROWS:
            super()._fetch(missing, forward=forward)
            return
        self._bulk.expect(missing)
        for name in missing:
            self._bulk.expect_neighbours(name)
            edges = self._bulk.effects(name) if forward else self._bulk.causes(name)
            self._rows[self._assign_number(name), forward] = edge_row(edges, self._assign_number, forward=forward)
