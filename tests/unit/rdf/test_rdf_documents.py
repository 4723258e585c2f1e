"""JSON-LD and RDF/XML: the same graph comes back, nothing is downloaded, malformed documents are refused in a line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hostile import hostile_aliases, hostile_statements

from graph.errors import FormatUnknown, GraphError, InputUnreadable
from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.rdf.rdf_writer import write_rdf
from graph.rdf.rdflib_graph import DOCUMENT_SYNTAXES, write_rdf_document
from graph.stores import open_store

pytestmark = pytest.mark.slow

ox = pytest.importorskip("pyoxigraph", reason="pyoxigraph is not installed: pip install 'kgqa[rdf]'")
pytest.importorskip("rdflib", reason="rdflib is not installed: pip install 'kgqa[rdf]'")
rdf = pytest.importorskip("graph.rdf.rdf_reader")


@pytest.fixture(scope="module")
def hostile() -> GraphStore:
    store = open_store("memory:")
    store.add(hostile_statements(), hostile_aliases())
    return store


def document(graph: GraphStore, syntax: str) -> str:
    out = io.StringIO()
    write_rdf_document(graph, out, syntax)
    return out.getvalue()


def read_back(path: Path) -> tuple[GraphStore, int]:
    """The graph of a file without an invalid record, and the number of its foreign triples."""
    with rdf.RdfInput(path) as source:
        store = open_store("memory:")
        store.add(source.statements(lambda skipped: pytest.fail(str(skipped))), source.aliases())
        return store, source.foreign


def file_with(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(("syntax", "suffix"), [("jsonld", "jsonld"), ("rdf", "rdf"), ("rdf", "xml"), ("rdf", "RDF")])
def test_a_graph_comes_back_from_its_document(hostile: GraphStore, syntax: str, suffix: str, tmp_path: Path) -> None:
    back, foreign = read_back(file_with(tmp_path, f"graph.{suffix}", document(hostile, syntax)))
    assert (back.digest(), foreign) == (hostile.digest(), 0)
    assert list(back.statements()) == list(hostile.statements())
    assert list(back.aliases()) == list(hostile.aliases())


@pytest.mark.parametrize("syntax", DOCUMENT_SYNTAXES)
def test_another_parser_reads_the_triples_of_the_export(hostile: GraphStore, syntax: str) -> None:
    def triples(text: str, format: object) -> set[tuple[str, str, str]]:
        return {(q.subject.value, q.predicate.value, q.object.value) for q in ox.parse(text.encode(), format=format)}

    plain = io.StringIO()
    write_rdf(hostile, plain)
    format = {"jsonld": ox.RdfFormat.JSON_LD, "rdf": ox.RdfFormat.RDF_XML}[syntax]
    assert triples(document(hostile, syntax), format) == triples(plain.getvalue(), ox.RdfFormat.N_TRIPLES)


def test_the_triples_of_every_named_graph_are_read(tmp_path: Path) -> None:
    store = open_store("memory:")
    store.add([Statement(Claim("rain", "flood"), Evidence(Source("text")))])
    loaded = json.loads(document(store, "jsonld"))
    named = {"@context": loaded["@context"], "@id": "graph:a", "@graph": loaded["@graph"]}
    assert read_back(file_with(tmp_path, "named.jsonld", json.dumps([named])))[0].digest() == store.digest()


@pytest.mark.parametrize(
    "context",
    [
        "https://schema.org/",
        ["https://schema.org/"],
        {"@import": "https://schema.org/"},
        {"a": {"@id": "urn:a", "@context": "x"}},
    ],
)
def test_a_context_in_another_document_is_refused(context: object, tmp_path: Path) -> None:
    path = file_with(tmp_path, "remote.jsonld", json.dumps({"@context": context, "@id": "urn:a"}))
    with pytest.raises(InputUnreadable, match="is in another document; write the context into the file"):
        read_back(path)


def test_an_external_entity_is_not_read(tmp_path: Path) -> None:
    secret = file_with(tmp_path, "secret.txt", "top secret")
    text = f"""<?xml version="1.0"?>
    <!DOCTYPE rdf:RDF [<!ENTITY leak SYSTEM "{secret.as_uri()}">]>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
    <skos:Concept rdf:about="urn:a"><skos:prefLabel>&leak;</skos:prefLabel></skos:Concept></rdf:RDF>"""
    with pytest.raises(GraphError) as raised:
        read_back(file_with(tmp_path, "entity.rdf", text))
    assert "secret" not in str(raised.value).replace(str(tmp_path), "")


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("cut.jsonld", '{"@id": "urn:a"', "it is not JSON-LD: line 1: expecting"),
        ("odd.jsonld", '{"@context": 7}', "it is not JSON-LD: "),
        ("bare.jsonld", "7", "it is not JSON-LD: an object or a list of objects is needed"),
        ("cut.rdf", '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">', "it is not RDF/XML: line 1: "),
        ("html.xml", "<html><p></html>", "it is not RDF/XML: line 1: mismatched tag"),
        ("deep.jsonld", "[" * 100_000, "it is not JSON-LD: "),
    ],
)
def test_a_malformed_document_is_refused_in_a_line(name: str, text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable) as raised:
        read_back(file_with(tmp_path, name, text))
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_document_about_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatUnknown, match="1 triples and no claim"):
        read_back(file_with(tmp_path, "other.jsonld", '{"@id": "urn:a", "urn:b": "c"}'))


def test_a_term_that_rdf_does_not_allow_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(FormatUnknown, match="2 triples and no claim"):
        read_back(file_with(tmp_path, "other.jsonld", '{"@id": "urn:a", "urn:b": "\\ud800", "urn:c": "d"}'))
