"""Nodes of a causal graph as a JSON-LD document, for a few claims: it needs no rdflib, and reads back to the same triples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graph.rdf.rdf_vocabulary import NAMESPACES, TYPE, Iri, RdfTerm
from graph.rdf.rdf_writer import SubjectFacts

JsonObject = dict[str, Any]


def json_ld_document(nodes: Iterable[SubjectFacts], *more: JsonObject) -> JsonObject:
    """Return the document of some nodes, each subject once, with `more` objects of JSON-LD before them."""
    subjects: dict[Iri, dict[str, dict[str, Any]]] = {}
    for subject, facts in nodes:
        values = subjects.setdefault(subject, {})
        for predicate, term in facts:
            key = "@type" if predicate is TYPE else compact_iri(predicate)
            values.setdefault(key, {})[str(term)] = _type_name(term) if predicate is TYPE else _json_value(term)
    graph = [
        {"@id": compact_iri(subject), **{key: _one_or_list(list(terms.values())) for key, terms in values.items()}}
        for subject, values in subjects.items()
    ]
    return {"@context": dict(NAMESPACES), "@graph": [*more, *graph]}


def compact_iri(iri: Iri) -> str:
    """Return an IRI as JSON-LD has it in a context of `NAMESPACES`: "kgqa:cause"."""
    return f"{iri.prefix}:{iri.local}"


def _type_name(term: RdfTerm) -> str:
    return compact_iri(term) if isinstance(term, Iri) else term.text


def _json_value(term: RdfTerm) -> JsonObject | str:
    if isinstance(term, Iri):
        return {"@id": compact_iri(term)}
    return term.text if term.datatype is None else {"@value": term.text, "@type": compact_iri(term.datatype)}


def _one_or_list(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values
