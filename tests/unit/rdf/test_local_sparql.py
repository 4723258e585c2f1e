"""SPARQL over a graph in this process: results, refusals, and the database in the cache."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.rdf import local_sparql
from graph.rdf.local_sparql import (
    SparqlInvalid,
    check_sparql,
    format_term,
    open_sparql_graph,
    open_sparql_neighbourhood,
    run_sparql,
)
from graph.rdf.rdf_writer import RDF_VERSION
from graph.stores import open_store

pytest.importorskip("oxrdflib", reason="oxrdflib is not installed: pip install 'kgqa[rdf]'")

CAUSES = """
SELECT ?cause ?belief WHERE {
  ?claim kgqa:cause/skos:prefLabel ?cause ; kgqa:effect/skos:prefLabel "flood"@en ; kgqa:belief ?belief .
} ORDER BY ?cause
"""
COUNT = "SELECT (COUNT(*) AS ?claims) WHERE { ?claim a kgqa:Claim }"


@pytest.fixture
def store() -> GraphStore:
    pairs = [("rain", "flood"), ("storm", "flood"), ("flood", "famine"), ("a\0b", "war")]
    store = open_store("memory:")
    store.add([Statement(Claim(*pair), Evidence(Source("text"))) for pair in pairs], [Alias("rainfall", "rain")])
    return store


def cells(store: GraphStore, query: str) -> list[list[str]]:
    return [[format_term(term) for term in row] for row in run_sparql(open_sparql_graph(store), query).rows]


def test_a_selection_has_the_variables_as_columns_and_the_beliefs_of_the_graph(store: GraphStore) -> None:
    table = run_sparql(open_sparql_graph(store), CAUSES)
    assert table.columns == ("cause", "belief")
    beliefs = {edge.cause: round(edge.belief, 6) for edge in store.causes("flood")}
    assert {cause: float(belief) for cause, belief in cells(store, CAUSES)} == beliefs


def test_a_query_with_the_namespaces_of_the_first_version_has_the_same_answer(store: GraphStore) -> None:
    assert cells(store, f"PREFIX kgqa: <urn:kgqa:terms:>\n{CAUSES}") == cells(store, CAUSES)


def test_an_unbound_variable_is_empty(store: GraphStore) -> None:
    names = 'VALUES ?name { "rain"@en "war"@en }'
    query = f"SELECT ?name ?alias {{ ?c skos:prefLabel ?name OPTIONAL {{ ?c skos:altLabel ?alias }} {names} }}"
    assert sorted(cells(store, query)) == [["rain", "rainfall"], ["war", ""]]


def test_a_question_whether_has_one_answer(store: GraphStore) -> None:
    assert cells(store, "ASK { ?claim a kgqa:Claim }") == [["true"]]
    assert cells(store, "ASK { ?claim a prov:Entity }") == [["false"]]


def test_a_construction_has_triples_in_order(store: GraphStore) -> None:
    table = run_sparql(open_sparql_graph(store), "CONSTRUCT { ?c kgqa:words ?n } WHERE { ?c skos:prefLabel ?n }")
    assert table.columns == ("subject", "predicate", "object")
    assert len(table.rows) == 6
    assert table.rows == sorted(table.rows)
    assert {format_term(row[1]) for row in table.rows} == {"kgqa:words"}


def test_any_name_is_shown_as_it_is_in_the_graph(store: GraphStore) -> None:
    assert cells(store, 'SELECT ?n { ?c skos:prefLabel ?n FILTER(STRSTARTS(STR(?n), "a")) }') == [["a\0b"]]


def test_other_terms_are_shown_as_sparql_writes_them(store: GraphStore) -> None:
    query = "SELECT ?type ?iri ?blank { ?c a ?type . BIND(<urn:x> AS ?iri) BIND(BNODE() AS ?blank) } LIMIT 1"
    ((kind, iri, blank),) = cells(store, query)
    assert kind.split(":")[0] in {"kgqa", "skos", "schema"}
    assert iri == "<urn:x>"
    assert blank.startswith("_:")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT ?x WHERE {", "line 1, column 18: the query ends too early"),
        ("SELECT ?x WHERE {\n  ?x foo:bar ?y }", r"line 2, column \d+: the prefix 'foo:' is not declared"),
        ("SELECT ?x WHERE { ?x a ?y } SORT BY ?x", r"line 1, column 34: unexpected 'BY \?x'"),
        ("", "line 1, column 1: the query ends too early"),
        ("INSERT DATA { <urn:a> <urn:b> 1 }", "it is an update, and the graph is only read"),
        ("PREFIX x: <urn:x>\ndelete where { ?s ?p ?o }", "it is an update"),
        ("SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?y ?z } }", "SERVICE asks another endpoint"),
        ("SELECT ?x { ?x kgqa:a\\#b ?y . service silent ?y { ?x ?y ?z } }", "SERVICE asks another endpoint"),
    ],
)
def test_a_query_that_is_not_run_is_refused_in_a_line(query: str, why: str) -> None:
    with pytest.raises(SparqlInvalid, match=why) as raised:
        check_sparql(query)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?service { ?service skos:prefLabel "SERVICE <x>" } # SERVICE',
        "SELECT ?x { ?x <urn:SERVICE> ?y ; kgqa:service ?z ; kgqa:service-x ?w }",
        "PREFIX insert: <urn:x> SELECT ?x { ?x insert:y 'DELETE' }",
    ],
)
def test_a_word_in_a_name_or_a_text_is_no_keyword(query: str) -> None:
    check_sparql(query)


def test_around_a_concept_only_its_neighbourhood_is_loaded(store: GraphStore) -> None:
    graph, claims = open_sparql_neighbourhood(store, ["rain"], 1, 100)
    assert claims == 1
    assert [format_term(row[0]) for row in run_sparql(graph, COUNT).rows] == ["1"]
    query = 'SELECT ?name { ?c skos:altLabel "rainfall"@en ; skos:prefLabel ?name }'
    assert [format_term(row[0]) for row in run_sparql(graph, query).rows] == ["rain"]


def test_a_large_graph_is_loaded_once_and_again_when_it_has_changed(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_sparql, "CACHED_CLAIMS", 2)
    loads = []
    for _ in range(2):
        graph = open_sparql_graph(store, tmp_path / "sparql", "1", lambda claims: None)
        loads.append([entry.stat().st_ino for entry in (tmp_path / "sparql").iterdir()])
        assert [format_term(row[0]) for row in run_sparql(graph, COUNT).rows] == ["4"]
    assert loads[0] == loads[1]
    store.add([Statement(Claim("war", "famine"), Evidence(Source("text")))])
    graph = open_sparql_graph(store, tmp_path / "sparql", "1", lambda claims: None)
    assert [format_term(row[0]) for row in run_sparql(graph, COUNT).rows] == ["5"]
    assert [entry.name for entry in (tmp_path / "sparql").iterdir()] == [f"{store.digest()}-1-{RDF_VERSION}"]


def test_without_a_place_for_a_cache_the_graph_is_loaded_into_memory(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_sparql, "CACHED_CLAIMS", 2)
    (tmp_path / "file").write_text("no folder")
    graph = open_sparql_graph(store, tmp_path / "file", "1")
    assert [format_term(row[0]) for row in run_sparql(graph, COUNT).rows] == ["4"]


def test_a_result_is_json_of_the_standard(store: GraphStore) -> None:
    result = json.loads(run_sparql(open_sparql_graph(store), CAUSES).result.serialize(format="json") or b"")
    assert result["head"] == {"vars": ["cause", "belief"]}
    assert [row["cause"]["value"] for row in result["results"]["bindings"]] == ["rain", "storm"]
