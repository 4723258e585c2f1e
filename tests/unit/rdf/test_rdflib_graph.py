"""A graph in rdflib: the triples of the export, around some concepts or all of them."""

from __future__ import annotations

import io
import sys

import pytest
from hostile import hostile_aliases, hostile_statements

from graph.errors import PackageMissing
from graph.intervene.overlay import Overlay
from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.rdf.rdf_vocabulary import CLAIM, DATASET, LABEL, OTHER_LABEL, TYPE
from graph.rdf.rdf_writer import write_rdf
from graph.rdf.rdflib_graph import to_rdflib
from graph.stores import open_store

rdflib = pytest.importorskip("rdflib", reason="rdflib is not installed: pip install 'kgqa[rdf]'")


@pytest.fixture
def chain() -> GraphStore:
    pairs = [("rain", "flood"), ("flood", "famine"), ("famine", "war")]
    store = open_store("memory:")
    store.add([Statement(Claim(*pair), Evidence(Source("text"))) for pair in pairs], [Alias("rainfall", "rain")])
    return store


def labels(graph: object, predicate: object = LABEL) -> set[str]:
    return {str(value) for value in graph.objects(None, rdflib.URIRef(predicate.full))}


def test_a_whole_store_has_the_triples_of_its_export() -> None:
    store = open_store("memory:")
    store.add(hostile_statements(), hostile_aliases())
    out = io.StringIO()
    write_rdf(store, out)
    assert set(to_rdflib(store)) == set(rdflib.Graph().parse(data=out.getvalue(), format="nt"))


def test_around_a_concept_stand_the_claims_within_so_many_steps(chain: GraphStore) -> None:
    assert labels(to_rdflib(chain, around="rain")) == {"rain", "flood"}
    assert labels(to_rdflib(chain, around=["rain"], steps=2)) == {"rain", "flood", "famine"}
    assert labels(to_rdflib(chain, around=["rain"], steps=2, limit=1)) == {"rain", "flood"}
    assert len(to_rdflib(chain, around="nothing")) == 0


def test_a_part_has_evidence_and_aliases_and_no_counts_of_the_whole(chain: GraphStore) -> None:
    part = to_rdflib(chain, around="rain")
    assert labels(part, OTHER_LABEL) == {"rainfall"}
    kinds = {str(kind) for kind in part.objects(None, rdflib.URIRef(TYPE.full))}
    assert CLAIM.full in kinds
    assert DATASET.full not in kinds
    assert set(part) < set(to_rdflib(chain))


def test_an_overlay_needs_concepts_to_go_around(chain: GraphStore) -> None:
    overlay = Overlay(chain, [])
    assert labels(to_rdflib(overlay, around="rain")) == {"rain", "flood"}
    with pytest.raises(TypeError, match="Overlay has no list of its edges; name concepts"):
        to_rdflib(overlay)


def test_the_prefixes_of_the_vocabulary_are_bound(chain: GraphStore) -> None:
    assert ("kgqa", rdflib.URIRef("https://w3id.org/kgqa/terms/")) in set(to_rdflib(chain).namespaces())


def test_without_rdflib_the_remedy_is_the_extra(chain: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdflib", None)
    with pytest.raises(PackageMissing, match="needs rdflib, which is not installed") as raised:
        to_rdflib(chain)
    assert raised.value.remedy == "pip install 'kgqa[rdf]'"
