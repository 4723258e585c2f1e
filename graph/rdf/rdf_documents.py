"""JSON-LD and RDF/XML through rdflib: documents that are written and parsed as a whole, in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TextIO

from graph.errors import InputUnreadable
from graph.protocols import GraphStore
from graph.rdf.rdf_vocabulary import NAMESPACES
from graph.rdf.rdf_writer import RdfCounts
from graph.rdf.rdflib_graph import copy_to_rdflib, empty_rdflib_graph

if TYPE_CHECKING:
    import rdflib

DOCUMENT_SYNTAXES = {"jsonld": "json-ld", "rdf": "xml"}
"""The names of rdflib's serializers by file suffix, without the dot."""

_PARSED = {**DOCUMENT_SYNTAXES, "xml": "xml"}
_SYNTAX_NAMES = {"json-ld": "JSON-LD", "xml": "RDF/XML"}


def write_rdf_document(
    graph: GraphStore, out: TextIO, syntax: str, on_claims: Callable[[int], None] = lambda claims: None
) -> RdfCounts:
    """Write a graph in one of `DOCUMENT_SYNTAXES`; `on_claims` gets the number of copied claims after each thousand.

    The triples are counted once each. Raises `PackageMissing` without rdflib, and `GraphChanged` where the graph was written to
    meanwhile.
    """
    copy = empty_rdflib_graph()
    counts = copy_to_rdflib(graph, copy, on_claims)
    options: dict[str, Any] = {"context": dict(NAMESPACES)} if syntax == "jsonld" else {}
    out.write(copy.serialize(None, DOCUMENT_SYNTAXES[syntax], encoding=None, **options))
    return counts


def document_syntax(title: str) -> str | None:
    """Return rdflib's name of the syntax of a file, by its suffix; `None` for a file that is not read through rdflib."""
    return _PARSED.get(PurePath(title).suffix.removeprefix(".").lower())


def read_rdf_document(content: bytes, name: str, syntax: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the triples of a document as terms of rdflib, those of all its named graphs.

    Nothing is downloaded: a document whose JSON-LD context is elsewhere raises `InputUnreadable`, as a malformed one does.
    Raises `PackageMissing` without rdflib. `name` is the file's name in messages.
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
    # The parsers of rdflib check little: on malformed documents they raise whatever Python raises.
    except (
        SAXException,
        ParserError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        AssertionError,
        RecursionError,
    ) as error:
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
