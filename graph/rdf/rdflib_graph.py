"""A causal graph as an rdflib graph in memory, and JSON-LD and RDF/XML, which rdflib writes and parses as whole documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TextIO, cast

from graph.algorithms.reachability import selected_edges
from graph.errors import InputUnreadable, PackageMissing
from graph.model import Alias, Edge
from graph.protocols import GraphStore, GraphView
from graph.rdf import rdf_vocabulary as v
from graph.rdf.rdf_writer import RdfCounts, SubjectFacts, alias_facts, claim_facts, flat_facts, store_facts

if TYPE_CHECKING:
    import rdflib

DOCUMENT_SYNTAXES = {"jsonld": "json-ld", "rdf": "xml"}  # the names of rdflib's serializers by file suffix, without the dot
_PYTHON_ERRORS = (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError)
"""What the parsers of rdflib, which check little, raise on malformed documents besides their own errors."""

_SYNTAX_NAMES = {"json-ld": "JSON-LD", "xml": "RDF/XML"}


def to_rdflib(
    view: GraphStore | GraphView, around: Iterable[str] | None = None, steps: int = 1, limit: int = 1000
) -> rdflib.Graph:
    """Return claims with concepts, evidence, sources and aliases as an `rdflib.Graph`, in the vocabulary of `kgqa export rdf`.

    `around` names concepts: the graph then holds at most `limit` claims within `steps` steps of them, the nearest and most
    believed ones. Without it `view` must be a store; an overlay raises `TypeError`. rdflib needs about 1.2 kB of memory a triple,
    24 triples a claim. Raises `PackageMissing` without rdflib, and `GraphChanged` where the store was written to meanwhile.
    """
    graph = empty_rdflib_graph()
    if around is None and hasattr(view, "statements"):
        _copy_store(cast(GraphStore, view), graph)
    else:
        _add_facts(graph, neighbourhood_facts(view, list(selected_edges(view, around, steps, limit))))
    return graph


def neighbourhood_facts(view: GraphView, edges: Sequence[Edge]) -> Iterator[SubjectFacts]:
    """Yield the nodes of some edges of a view: the claims with their evidence, then the aliases of their concepts."""
    for edge in edges:
        yield from claim_facts(edge, view.evidence(edge.claim))
    for name in dict.fromkeys(name for edge in edges for name in (edge.cause, edge.effect)):
        concept = view.concept(name)
        for alias in concept.aliases if concept is not None else ():
            yield alias_facts(Alias(alias, name))


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


def _copy_store(
    store: GraphStore,
    graph: rdflib.Graph,
    on_claims: Callable[[int], None] = lambda claims: None,
    *,
    flat: bool = False,
) -> RdfCounts:
    counts = RdfCounts()
    _add_facts(graph, (flat_facts if flat else store_facts)(store, store.digest(), counts, on_claims))
    counts.triples = len(graph)
    return counts


def _add_facts(graph: rdflib.Graph, nodes: Iterable[SubjectFacts]) -> None:
    from rdflib import Literal, URIRef

    def term(value: v.RdfTerm) -> URIRef | Literal:
        if isinstance(value, v.Iri):
            return URIRef(value.full)
        # Not normalised: a literal keeps the lexical form that it has.
        return Literal(value.text, value.language or None, value.datatype and URIRef(value.datatype.full), normalize=False)

    for subject, facts in nodes:
        graph.addN((term(subject), term(predicate), term(value), graph) for predicate, value in facts)


def write_rdf_document(
    graph: GraphStore,
    out: TextIO,
    syntax: str,
    on_claims: Callable[[int], None] = lambda claims: None,
    *,
    flat: bool = False,
) -> RdfCounts:
    """Write a graph in one of `DOCUMENT_SYNTAXES` as `write_rdf` does, without repeated triples; needs rdflib."""
    copy = empty_rdflib_graph()
    counts = _copy_store(graph, copy, on_claims, flat=flat)
    options: dict[str, Any] = {"context": dict(v.NAMESPACES)} if syntax == "jsonld" else {}
    out.write(copy.serialize(None, DOCUMENT_SYNTAXES[syntax], encoding=None, **options))
    return counts


def document_syntax(title: str) -> str | None:
    """Return rdflib's name of the syntax of a file, by its suffix; `None` for a file that is not read through rdflib."""
    return {**DOCUMENT_SYNTAXES, "xml": "xml"}.get(PurePath(title).suffix.removeprefix(".").lower())


def read_rdf_document(content: bytes, name: str, syntax: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the triples of a document as terms of rdflib, those of all its named graphs; raise `PackageMissing` without rdflib.

    Nothing is downloaded: a document whose JSON-LD context is elsewhere raises `InputUnreadable`, as a malformed one does.
    """
    graph = empty_rdflib_graph()
    from xml.sax import SAXException

    import rdflib
    from rdflib.exceptions import ParserError

    try:
        if syntax == "json-ld":
            graph = rdflib.Graph(store="SimpleMemory", bind_namespaces="none")
            _parse_json_ld(content, name, graph)
        else:
            graph.parse(data=content, format=syntax)
    except (SAXException, ParserError, *_PYTHON_ERRORS) as error:
        raise InputUnreadable(name, f"it is not {_SYNTAX_NAMES[syntax]}: {_error_text(error)}") from error
    yield from graph


def _parse_json_ld(content: bytes, name: str, graph: rdflib.Graph) -> None:
    from rdflib.plugins.parsers.jsonld import to_rdf

    document = json.loads(content)
    if not isinstance(document, dict | list):
        raise ValueError("an object or a list of objects is needed")
    remote = next(_remote_contexts(document), None)
    if remote is not None:
        raise InputUnreadable(name, f"its context '{remote}' is in another document; write the context into the file")
    to_rdf(document, graph, base="")


def _remote_contexts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _remote_contexts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in ("@context", "@import"):
                yield from (address for address in (item if isinstance(item, list) else [item]) if isinstance(address, str))
            yield from _remote_contexts(item)


def _error_text(error: Exception) -> str:
    line = getattr(error, "getLineNumber", lambda: getattr(error, "lineno", None))()
    message = getattr(error, "getMessage", lambda: getattr(error, "msg", str(error)))()
    text = (str(message).splitlines() or [type(error).__name__])[0].strip()
    return f"line {line}: {text[:1].lower()}{text[1:]}" if line else f"{text[:1].lower()}{text[1:]}"
