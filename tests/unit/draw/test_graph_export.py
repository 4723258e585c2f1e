"""GraphML opens in networkx with all attributes, whatever the names are; and the networkx view says the same."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import networkx
import pytest
from hostile import HOSTILE_NAMES, hostile_aliases, hostile_statements
from hypothesis import given
from hypothesis import strategies as st

from graph.atomic_file import write_atomically
from graph.draw import to_networkx
from graph.draw.graph_export import EDGE_ATTRIBUTE_TYPES, edge_attributes, write_graphml
from graph.errors import GraphChanged, PackageMissing
from graph.intervene import Intervention, Overlay, Presence
from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.text.xml_escape import escape_markup, escape_xml_characters, unescape_xml_characters


def statement(
    cause: str, effect: str, relation: Relation = Relation.CAUSES, title: str = "A page", stance: Stance = Stance.ASSERTED
) -> Statement:
    evidence = Evidence(Source("text", title), stance, text=f"{cause} and {effect}.")
    return Statement(Claim(cause, effect, relation), evidence)


@pytest.fixture
def small() -> GraphStore:
    store = open_store("memory:")
    store.add(
        [
            statement("smoking", "lung cancer"),
            statement("smoking", "lung cancer", title="Another page"),
            statement("smoking", "lung cancer", Relation.ASSOCIATED),
            statement("lung cancer", "death"),
            statement("coffee", "heart disease", stance=Stance.NEGATED),
            statement("citrus fruit", "scurvy", Relation.PREVENTS),
        ],
        [Alias("tobacco smoking", "smoking"), Alias("tobacco use", "smoking")],
    )
    return store


def read_back(store: GraphStore, folder: Path, name: str = "graph.graphml") -> networkx.MultiDiGraph:
    with write_atomically(folder / name) as file:
        write_graphml(store, file)
    return networkx.read_graphml(folder / name, force_multigraph=True)


def test_concepts_and_claims_come_out_with_all_that_they_carry(small: GraphStore, tmp_path: Path) -> None:
    found = read_back(small, tmp_path)
    assert isinstance(found, networkx.MultiDiGraph)
    assert found.graph["digest"] == small.digest()
    assert {key: data for _, _, key, data in found.edges(keys=True, data=True)} == {
        edge.claim.hash: edge_attributes(edge) for edge in small.edges()
    }
    assert {(one, other, key) for one, other, key in found.edges(keys=True)} == {
        (edge.cause, edge.effect, edge.claim.hash) for edge in small.edges()
    }
    assert set(found["smoking"]["lung cancer"]) == {
        Claim("smoking", "lung cancer").hash,
        Claim("smoking", "lung cancer", Relation.ASSOCIATED).hash,
    }
    assert json.loads(found.nodes["smoking"]["aliases"]) == ["tobacco smoking", "tobacco use"]
    assert all(data["name"] == name for name, data in found.nodes(data=True))
    assert set(found) == {name for edge in small.edges() for name in (edge.cause, edge.effect)}
    assert found.edges["smoking", "lung cancer", Claim("smoking", "lung cancer").hash]["support"] == 2


def test_the_view_of_networkx_says_the_same_as_the_file(small: GraphStore, tmp_path: Path) -> None:
    file, view = read_back(small, tmp_path), to_networkx(small)
    assert set(view.edges(keys=True)) == set(file.edges(keys=True))
    assert all(view.edges[key] == file.edges[key] for key in view.edges)
    for name, data in view.nodes(data=True):
        assert {**data, "aliases": list(data.get("aliases", ()))} == {
            **file.nodes[name],
            "aliases": json.loads(file.nodes[name].get("aliases", "[]")),
        }
    assert set(view) == set(file)


def test_every_attribute_is_declared_with_its_type(small: GraphStore) -> None:
    for edge in small.edges():
        attributes = edge_attributes(edge)
        assert list(attributes) == list(EDGE_ATTRIBUTE_TYPES)
        assert all(type(value) is EDGE_ATTRIBUTE_TYPES[name] for name, value in attributes.items())


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2"])
def test_hostile_names_come_out_as_they_went_in(tmp_path: Path, suffix: str) -> None:
    with open_store("memory:") as store:
        store.add(hostile_statements(), hostile_aliases())
        found = read_back(store, tmp_path, f"graph.graphml{suffix}")
        claims = {edge.claim for edge in store.edges()}
        assert {
            Claim(
                unescape_xml_characters(one),
                unescape_xml_characters(other),
                Relation(data["relation"]),
                Polarity(data["polarity"]),
            )
            for one, other, data in found.edges(data=True)
        } == claims
        assert all(
            key
            == Claim(
                unescape_xml_characters(one),
                unescape_xml_characters(other),
                Relation(data["relation"]),
                Polarity(data["polarity"]),
            ).hash
            for one, other, key, data in found.edges(keys=True, data=True)
        )
        aliases = {
            (unescape_xml_characters(alias), unescape_xml_characters(name))
            for name, data in found.nodes(data=True)
            for alias in json.loads(data.get("aliases", "[]"))
        }
        assert aliases == {(alias.name, alias.concept) for alias in store.aliases()}


@given(st.text(st.characters(codec=None, exclude_categories=[])))
def test_any_text_is_held_by_xml_and_given_back(text: str) -> None:
    import xml.etree.ElementTree as ElementTree

    document = f'<a b="{escape_markup(escape_xml_characters(text))}">{escape_markup(escape_xml_characters(text))}</a>'
    root = ElementTree.fromstring(document.encode("utf-8"))
    assert unescape_xml_characters(root.get("b", "")) == text
    assert unescape_xml_characters(root.text or "") == text


@given(st.text("\\u0aF5c\0\ud800"), st.text("\\u0aF5c\0\ud800"))
def test_no_two_texts_are_written_alike(one: str, other: str) -> None:
    assert unescape_xml_characters(escape_xml_characters(one)) == one
    assert (escape_xml_characters(one) == escape_xml_characters(other)) == (one == other)


def test_usual_names_are_written_as_they_are() -> None:
    for name in ("lung cancer", "C:\\users", "100 % \\LaTeX", "Überschwemmung 洪水 🌊"):
        assert escape_xml_characters(name) == name


def test_a_view_of_some_concepts_has_what_is_around_them(small: GraphStore) -> None:
    near = to_networkx(small, around=["smoking"])
    assert set(near) == {"smoking", "lung cancer"}
    assert near.nodes["smoking"]["aliases"] == ("tobacco smoking", "tobacco use")
    assert set(to_networkx(small, around="smoking", steps=2)) == {"smoking", "lung cancer", "death"}
    assert len(to_networkx(small, around=["smoking"], limit=1).edges) == 1
    assert len(to_networkx(small, around=["nothing of that name"])) == 0


def test_a_view_of_another_world_has_what_is_left_of_it(small: GraphStore) -> None:
    world = Overlay(small, [Intervention("lung cancer", Presence.ABSENT)])
    assert "death" in to_networkx(small, around=["lung cancer"])
    assert "death" not in to_networkx(world, around=["lung cancer"])
    with pytest.raises(TypeError, match="Overlay has no list of its edges; name concepts"):
        to_networkx(world)


def test_without_networkx_it_says_how_to_get_it(small: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(PackageMissing, match="needs networkx, which is not installed") as told:
        to_networkx(small)
    assert told.value.remedy == "pip install 'kgqa[networkx]'"


def test_the_same_graph_gives_the_same_file(small: GraphStore) -> None:
    texts = []
    for _ in range(2):
        file = io.StringIO()
        written = write_graphml(small, file)
        texts.append(file.getvalue())
    assert texts[0] == texts[1]
    assert (written.concepts, written.claims) == (7, 5)
    assert len(HOSTILE_NAMES) > 30


def test_a_store_closes_with_its_block_and_shows_its_address() -> None:
    with open_store("memory:") as store:
        assert repr(store) == "<EmbeddedStore 'memory:'>"
    assert repr(store) == "<EmbeddedStore 'memory:', closed>"
    with pytest.raises(ValueError, match="is closed"):
        store.digest()


def test_edges_and_paths_tell_themselves_in_a_line(small: GraphStore) -> None:
    from graph.algorithms.paths import best_paths

    assert str(small.causes("scurvy")[0].claim) == "citrus fruit -[prevents]-> scurvy"
    assert str(Claim("exercise", "stress", polarity=Polarity.DECREASES)) == "exercise -[causes, decreases]-> stress"
    edge = small.causes("lung cancer")[0]
    assert str(edge) == f"smoking -[causes]-> lung cancer  {edge.belief:.2f} (2 for, 0 against)"
    path = best_paths(small, ["smoking"], ["death"])[0]
    assert str(path) == f"{path.score:.2f}  smoking -[causes]-> lung cancer -[causes]-> death"

    class Printer:
        said = ""

        def text(self, text: str) -> None:
            self.said += text

    printer = Printer()
    path._repr_pretty_(printer, False)
    assert printer.said == str(path)


def test_a_graph_that_changes_meanwhile_is_not_exported(tmp_path: Path) -> None:
    url = str(tmp_path / "graph.kgqa")
    with open_store(url, create=True) as writer, open_store(url) as reader:
        writer.add([statement("smoking", "lung cancer")])

        class Meddling(io.StringIO):
            def write(self, text: str) -> int:
                if text.startswith("<edge"):
                    writer.add([statement("new", "newer")])
                return super().write(text)

        with pytest.raises(GraphChanged, match="was written to while it was exported"):
            write_graphml(reader, Meddling())
