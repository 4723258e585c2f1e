"""A causal graph as an rdflib graph in memory: a whole store, or the neighbourhood of some concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from graph.algorithms.reachability import selected_edges
from graph.errors import GraphChanged, PackageMissing
from graph.model import Alias, Edge
from graph.protocols import GraphStore, GraphView
from graph.rdf import rdf_vocabulary as v
from graph.rdf.rdf_writer import RdfCounts, SubjectFacts, alias_facts, claim_facts, claims_with_evidence, integer_literal

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import URIRef

    RdflibTriple = tuple[URIRef, URIRef, URIRef | rdflib.Literal]


def to_rdflib(
    view: GraphStore | GraphView, around: Iterable[str] | None = None, steps: int = 1, limit: int = 1000
) -> rdflib.Graph:
    """Return claims with concepts, evidence, sources and aliases as an `rdflib.Graph`, in the vocabulary of `kgqa export rdf`.

    `around` names concepts: the graph then holds the claims within `steps` steps of them, in either direction, and at most
    `limit` claims, the nearest and most believed ones. Without `around` it holds every claim, and `view` must be a store; a
    view without a list of its edges raises `TypeError`. rdflib needs about 1.2 kB of memory a triple, 24 triples a claim.

    Raises `PackageMissing` where rdflib is not installed, and `GraphChanged` where the store was written to meanwhile.
    """
    graph = empty_rdflib_graph()
    if around is None and hasattr(view, "statements"):
        copy_to_rdflib(cast(GraphStore, view), graph)
        return graph
    edges = list(selected_edges(view, around, steps, limit))
    _add_facts(graph, neighbourhood_facts(view, edges))
    return graph


def neighbourhood_facts(view: GraphView, edges: Sequence[Edge]) -> Iterator[SubjectFacts]:
    """Yield the nodes of some edges of a view: the claims with their evidence, then the aliases of their concepts."""
    for edge in edges:
        yield from claim_facts(edge, view.evidence(edge.claim))
    for name in dict.fromkeys(name for edge in edges for name in (edge.cause, edge.effect)):
        concept = view.concept(name)
        for alias in concept.aliases if concept is not None else ():
            yield from alias_facts(Alias(alias, name))


def empty_rdflib_graph() -> rdflib.Graph:
    """Return an rdflib graph without triples that knows the prefixes of the vocabulary; raise `PackageMissing` without rdflib."""
    try:
        import rdflib
    except ImportError:
        raise PackageMissing("a graph of rdflib", "rdflib", "rdf") from None
    graph = rdflib.Graph(bind_namespaces="none")
    for prefix, namespace in v.NAMESPACES.items():
        graph.bind(prefix, namespace)
    return graph


def copy_to_rdflib(store: GraphStore, graph: rdflib.Graph, on_claims: Callable[[int], None] = lambda claims: None) -> RdfCounts:
    """Add every claim and alias of a store to an rdflib graph, with the node of the data set, and return their numbers.

    `on_claims` gets the number of copied claims after each thousand. Raises `GraphChanged` where the store was written to
    meanwhile.
    """
    digest = store.digest()
    claims = records = aliases = 0
    for edge, evidence in claims_with_evidence(store):
        _add_facts(graph, claim_facts(edge, evidence))
        records += len(evidence)
        claims += 1
        if not claims % 1000:
            on_claims(claims)
    for alias in store.aliases():
        aliases += 1
        _add_facts(graph, alias_facts(alias))
    if store.digest() != digest:
        raise GraphChanged(store.url)
    counts = zip((v.CLAIMS, v.RECORDS, v.ALIASES), map(integer_literal, (claims, records, aliases)), strict=True)
    _add_facts(graph, [(v.Iri("graph", digest), [(v.TYPE, v.DATASET), (v.DIGEST, v.RdfLiteral(digest)), *counts])])
    return RdfCounts(claims, records, aliases, len(graph))


def _add_facts(graph: rdflib.Graph, nodes: Iterable[SubjectFacts]) -> None:
    graph.addN((*triple, graph) for triple in _rdflib_triples(nodes))


def _rdflib_triples(nodes: Iterable[SubjectFacts]) -> Iterator[RdflibTriple]:
    """Yield the triples of nodes as terms of rdflib, literals with the lexical form that they have."""
    from rdflib import Literal, URIRef

    for subject, facts in nodes:
        start = URIRef(subject.full)
        for predicate, value in facts:
            if isinstance(value, v.Iri):
                yield start, URIRef(predicate.full), URIRef(value.full)
            else:
                datatype = None if value.datatype is None else URIRef(value.datatype.full)
                yield start, URIRef(predicate.full), Literal(value.text, datatype=datatype, normalize=False)
