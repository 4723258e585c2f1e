"""RDF out and in: every text and every field comes back, three parsers agree, the shapes hold, damage is told."""

from __future__ import annotations

import gzip
import io
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hostile import HOSTILE_TEXTS, hostile_aliases, hostile_statements

from graph.errors import FormatUnknown, GraphChanged, GraphError, InputUnreadable
from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.rdf.rdf_vocabulary import (
    DIRECT_PREDICATES,
    ENUM_MEMBERS,
    LICENCE,
    OTHER_LABEL,
    PREDICATES,
    ROOT,
    SHAPES,
    TYPES,
    URL,
    VOCABULARY,
    WORD_KINDS,
    Iri,
    enum_iri,
    literal_to_text,
    text_to_literal,
)
from graph.rdf.rdf_writer import SYNTAXES, write_rdf
from graph.sources.article import Skipped
from graph.stores import open_store

pytestmark = pytest.mark.slow

ox = pytest.importorskip("pyoxigraph", reason="pyoxigraph is not installed: pip install 'kgqa[rdf]'")
rdflib = pytest.importorskip("rdflib", reason="rdflib is not installed: pip install 'kgqa[rdf]'")
rdf = pytest.importorskip("graph.rdf.rdf_reader")

SAMPLES = Path(__file__).parent / "samples"
Triple = tuple[str, str, str]


def stored(statements: Iterable[Statement], aliases: Iterable[Alias] = ()) -> GraphStore:
    store = open_store("memory:")
    store.add(statements, aliases)
    return store


@pytest.fixture(scope="module")
def hostile() -> GraphStore:
    return stored(hostile_statements(), hostile_aliases())


def written(graph: GraphStore, syntax: str) -> str:
    out = io.StringIO()
    write_rdf(graph, out, syntax)
    return out.getvalue()


def read(path: Path) -> tuple[GraphStore, list[Skipped], int]:
    """A graph of what a file holds, what was skipped and how many foreign triples there are."""
    skipped: list[Skipped] = []
    with rdf.RdfInput(path) as source:
        store = stored(source.statements(skipped.append), source.aliases())
        return store, skipped, source.foreign


def file_of(folder: Path, text: str, name: str = "graph.nt") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def small() -> GraphStore:
    page = Source("wikipedia", "Tobacco", "1")
    return stored(
        [
            Statement(Claim("smoking", "cancer"), Evidence(page, rule="cause.active", text="Smoking causes cancer.")),
            Statement(Claim("smoking", "cancer"), Evidence(page, rule="cause.passive", text="Cancer is caused by smoking.")),
            Statement(Claim("rain", "flood"), Evidence(Source("text", url="a"), start=0, end=4, sketch="0a")),
        ],
        [Alias("tobacco smoking", "smoking"), Alias("rainfall", "rain")],
    )


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_whatever_is_in_a_graph_comes_back_from_its_rdf(hostile: GraphStore, syntax: str, tmp_path: Path) -> None:
    back, skipped, foreign = read(file_of(tmp_path, written(hostile, syntax), f"graph.{syntax}"))
    assert (back.digest(), skipped, foreign) == (hostile.digest(), [], 0)
    assert list(back.statements()) == list(hostile.statements())
    assert list(back.aliases()) == list(hostile.aliases())


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_rdf_in_another_order_is_the_same_graph(hostile: GraphStore, syntax: str, tmp_path: Path) -> None:
    text = written(hostile, syntax).partition("\n")[2]
    if syntax == "nt":
        lines = text.splitlines(keepends=True)
        random.Random(7).shuffle(lines)
        text = "".join(lines)
    back, skipped, _ = read(file_of(tmp_path, text, f"graph.{syntax}"))
    assert (back.digest(), skipped) == (hostile.digest(), [])


@pytest.mark.parametrize("syntax", ["ttl", "nt"])
@pytest.mark.parametrize("ordered", [True, False])
def test_a_file_of_the_first_version_is_the_graph_that_it_was(syntax: str, ordered: bool, tmp_path: Path) -> None:
    text = SAMPLES.joinpath(f"first_version.{syntax}").read_text(encoding="utf-8")
    assert "urn:kgqa:" in text
    back, skipped, foreign = read(file_of(tmp_path, text if ordered else text.partition("\n")[2], f"graph.{syntax}"))
    assert (back.digest(), skipped, foreign) == ("acc61750dd45bc413d624d3dc45219dd", [], 0)


def rdflib_graph(graph: GraphStore, *, flat: bool = False) -> Any:
    out = io.StringIO()
    write_rdf(graph, out, "ttl", flat=flat)
    return rdflib.Graph().parse(data=out.getvalue(), format="turtle")


def sourced(kind: str, url: str = "") -> GraphStore:
    return stored([Statement(Claim("rain", "flood"), Evidence(Source(kind, url=url), text="Rain floods."))])


@pytest.mark.parametrize(
    ("kinds", "licence"),
    [
        (["wikipedia"], "by-sa/4.0/"),
        (["causenet"], "by/4.0/"),
        (["causenet", "clueweb12"], "by/4.0/"),
        (["causenet", "wikipedia"], "by-sa/4.0/"),
        (["wikidata", "causenet"], "by-sa/4.0/"),
        (["wikidata"], "zero/1.0/"),
        (["wikipedia", "text"], None),
        (["text"], None),
    ],
)
@pytest.mark.parametrize("flat", [True, False])
def test_a_graph_of_known_sources_says_its_licence(kinds: list[str], licence: str | None, flat: bool) -> None:
    graph = stored(statement for kind in kinds for statement in sourced(kind).statements())
    stated = [str(value) for value in rdflib_graph(graph, flat=flat).objects(None, rdflib.URIRef(LICENCE.full))]
    assert [value.endswith(f"/{licence}") for value in stated] == [True] * (licence is not None)


@pytest.mark.parametrize(
    ("address", "is_iri"),
    [
        ("http://en.wikipedia.org/wiki?curid=10106", True),
        ("https://en.wikipedia.org/wiki/Caf\u00e9_(drink)#History", True),
        ("https://example.org:8080/a//b?c=/d&e=%20", True),
        ("http://a.org/b/../c", False),
        ("http://a.org/b/.", False),
        ("http://a.org/a b", False),
        ("http://a.org/%zz", False),
        ("http://a.org/\u202eb", False),
        ("javascript:alert(1)", False),
        ("/c/en/rain", False),
    ],
)
def test_the_address_of_a_source_is_an_iri_where_it_is_one(address: str, is_iri: bool, tmp_path: Path) -> None:
    graph = sourced("web", address)
    (value,) = rdflib_graph(graph).objects(None, rdflib.URIRef(URL.full))
    assert isinstance(value, rdflib.URIRef) == is_iri
    for syntax in SYNTAXES:
        assert read(file_of(tmp_path, written(graph, syntax), f"graph.{syntax}"))[0].digest() == graph.digest()


def test_names_and_sentences_are_in_english() -> None:
    values = {(str(value), value.language) for _, _, value in rdflib_graph(sourced("text")) if isinstance(value, rdflib.Literal)}
    assert {("rain", "en"), ("flood", "en"), ("Rain floods.", "en"), ("text", None)} <= values


def test_the_flat_view_has_a_triple_for_each_believed_claim(tmp_path: Path) -> None:
    page = Source("text")
    doubted = Evidence(page, stance=Stance.NEGATED)
    claims = {
        Claim("smoking", "cancer", Relation.CAUSES, Polarity.INCREASES): "increases",
        Claim("smoking", "cough"): "causes",
        Claim("vaccine", "measles", Relation.CAUSES, Polarity.DECREASES): "reduces",
        Claim("seat belt", "death", Relation.PREVENTS): "prevents",
        Claim("oxygen", "fire", Relation.ENABLES): "enables",
        Claim("umbrella", "rain", Relation.IS_FOR): "isFor",
    }
    denied = Statement(Claim("vaccine", "autism"), doubted)
    store = stored([*(Statement(claim, Evidence(page)) for claim in claims), denied], [Alias("vaccination", "vaccine")])
    graph = rdflib_graph(store, flat=True)
    query = "SELECT ?a ?p ?b { ?c ?p ?d . ?c skos:prefLabel ?a . ?d skos:prefLabel ?b }"
    rows = {(str(row.a), str(row.p).rpartition("/")[2], str(row.b)) for row in graph.query(query)}
    assert rows == {(claim.cause, word, claim.effect) for claim, word in claims.items()}
    assert {str(name) for name in graph.objects(None, rdflib.URIRef(OTHER_LABEL.full))} == {"vaccination"}
    with pytest.raises(FormatUnknown):
        read(file_of(tmp_path, graph.serialize(format="nt")))


def triples_of_rdflib(path: Path) -> set[Triple]:
    graph = rdflib.Dataset(default_union=True) if path.suffix == ".trig" else rdflib.Graph()
    graph.parse(data=path.read_text(encoding="utf-8"), format=path.suffix.removeprefix("."))
    return {(str(subject), str(predicate), str(value)) for subject, predicate, value in graph.triples((None, None, None))}


def triples_of_oxigraph(path: Path) -> set[Triple]:
    return {(quad.subject.value, quad.predicate.value, quad.object.value) for quad in ox.parse(path=path)}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib warns of what it uses itself
@pytest.mark.parametrize("syntax", SYNTAXES)
def test_two_parsers_read_the_same_triples_from_every_syntax(hostile: GraphStore, syntax: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, written(hostile, syntax), f"graph.{syntax}")
    plain = file_of(tmp_path, written(hostile, "nt"), "plain.nt")
    assert triples_of_rdflib(path) == triples_of_oxigraph(path) == triples_of_oxigraph(plain)


def test_what_rdflib_writes_again_is_the_same_graph(hostile: GraphStore, tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(data=written(hostile, "ttl"), format="turtle")
    back, skipped, _ = read(file_of(tmp_path, graph.serialize(format="turtle"), "again.ttl"))
    assert (back.digest(), skipped) == (hostile.digest(), [])


def test_what_a_sparql_server_dumps_is_the_same_graph(hostile: GraphStore, tmp_path: Path) -> None:
    server = ox.Store()
    server.load(written(hostile, "trig").encode(), format=ox.RdfFormat.TRIG)
    dump = tmp_path / "dump.nq"
    server.dump(dump, format=ox.RdfFormat.N_QUADS)
    back, skipped, _ = read(dump)
    assert (back.digest(), skipped) == (hostile.digest(), [])


def test_a_trig_file_holds_one_named_graph_named_by_its_digest(hostile: GraphStore) -> None:
    quads = list(ox.parse(written(hostile, "trig").encode(), format=ox.RdfFormat.TRIG))
    assert {quad.graph_name.value for quad in quads} == {f"https://w3id.org/kgqa/graph/{hostile.digest()}"}


@pytest.mark.parametrize("name", HOSTILE_TEXTS)
def test_a_text_and_its_literal_are_one_to_one(name: str) -> None:
    text = HOSTILE_TEXTS[name]
    kept = text_to_literal(text)
    assert literal_to_text(kept.text, kept.datatype.full if kept.datatype else "") == text


def test_a_text_that_looks_escaped_is_no_other_text() -> None:
    texts = ["\0", "\\u0000", "\\u005Cu0000", "\\\\u0000", "\\"]
    assert len({text_to_literal(text) for text in texts}) == len(texts)


def test_the_members_of_all_enums_have_iris_of_their_own() -> None:
    iris = [enum_iri(kind, word) for kind in WORD_KINDS.values() for word in kind]
    assert len({iri.full for iri in iris}) == len(iris)
    assert [ENUM_MEMBERS[iri.full] for iri in iris] == [word for kind in WORD_KINDS.values() for word in kind]


def test_the_vocabulary_defines_every_term_of_our_own() -> None:
    defined = {str(subject) for subject in rdflib.Graph().parse(VOCABULARY).subjects(unique=True)}
    words = [enum_iri(kind, word) for kind in WORD_KINDS.values() for word in kind]
    ours = {
        term.full
        for term in (*TYPES, *PREDICATES, *DIRECT_PREDICATES.values(), *words, Iri("kgqa", "escaped"))
        if term.full.startswith(ROOT)
    }
    assert ours <= defined
    classes = {f"https://w3id.org/kgqa/terms/{name}" for name in ("Relation", "Polarity", "Stance", "Strength")}
    assert {iri for iri in defined if iri.startswith(ROOT)} == ours | classes | {"https://w3id.org/kgqa/terms"}


def conforms(text: str) -> tuple[bool, str]:
    validate = pytest.importorskip("pyshacl").validate
    data, shapes = rdflib.Graph().parse(data=text, format="turtle"), rdflib.Graph().parse(SHAPES)
    good, _, report = validate(data, shacl_graph=shapes)
    return good, report


def test_an_export_conforms_to_the_shapes(hostile: GraphStore) -> None:
    good, report = conforms(written(hostile, "ttl"))
    assert good, report


def test_a_part_of_the_starter_graph_conforms_to_the_shapes() -> None:
    starter = open_store(str(Path(__file__).parents[3] / "graph" / "data" / "starter.kgqa"))
    names = ["tsunami", "drought"]
    claims = [edge.claim for name in names for edge in (*starter.causes(name), *starter.effects(name))]
    part = stored((Statement(claim, record) for claim in claims for record in starter.evidence(claim)), starter.aliases())
    starter.close()
    assert part.stats().claims > 30
    good, report = conforms(written(part, "ttl"))
    assert good, report


@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        (r"kgqa:cause concept:", "kgqa:effect concept:"),
        (r"kgqa:relation relation:causes", "kgqa:relation relation:hurts"),
        (r'kgqa:belief "0\.', 'kgqa:belief "1.'),
        (r"kgqa:stance stance:asserted", "kgqa:stance stance:asserted, stance:negated"),
        (r"a skos:Concept ;\n    skos:prefLabel", "a skos:Concept ;\n    skos:altLabel"),
        (r'kgqa:start "0"', 'kgqa:start "9"'),
        (r"prov:wasDerivedFrom source:", "prov:wasDerivedFrom claim:"),
        (r'kgqa:support "1"', 'kgqa:support "-1"'),
        (r'kgqa:support "1"\^\^xsd:integer', 'kgqa:support "many"'),
        (r'kgqa:digest "', 'kgqa:digest "x'),
        (r"kgqa:evidence evidence:", "kgqa:context evidence:"),
    ],
)
def test_a_wrong_graph_does_not_conform_to_the_shapes(found: str, wrong: str) -> None:
    text = written(small(), "ttl")
    assert re.search(found, text)
    good, report = conforms(re.sub(found, wrong, text, count=1))
    assert not good, report


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_packed_files_are_read(suffix: str, tmp_path: Path) -> None:
    from graph.atomic_file import write_atomically

    graph, path = small(), tmp_path / f"graph.ttl{suffix}"
    with write_atomically(path) as out:
        write_rdf(graph, out, "ttl")
    assert read(path)[0].digest() == graph.digest()


def test_a_file_without_a_known_suffix_may_be_any_of_the_three(tmp_path: Path) -> None:
    for syntax in SYNTAXES:
        assert read(file_of(tmp_path, written(small(), syntax), "graph"))[0].digest() == small().digest()


def test_two_exports_in_one_file_are_both_read(tmp_path: Path) -> None:
    other = stored([Statement(Claim("a", "b"), Evidence(Source("text")))], [Alias("c", "a")])
    back, skipped, _ = read(file_of(tmp_path, written(small(), "nt") + written(other, "nt")))
    both = stored([*small().statements(), *other.statements()], [*small().aliases(), *other.aliases()])
    assert (back.digest(), skipped) == (both.digest(), [])


def test_an_empty_graph_is_a_graph(tmp_path: Path) -> None:
    back, skipped, _ = read(file_of(tmp_path, written(open_store("memory:"), "trig"), "graph.trig"))
    assert (back.digest(), skipped) == (open_store("memory:").digest(), [])


@pytest.mark.parametrize("ordered", [True, False])
def test_foreign_triples_are_counted_and_left_out(ordered: bool, tmp_path: Path) -> None:
    text = written(small(), "ttl")
    text = text if ordered else text.partition("\n")[2]
    text = text.replace('skos:prefLabel "rain"@en', 'skos:prefLabel "rain"@en ; skos:note "it is wet" ; a schema:Thing', 1)
    text += '<https://example.org/a> a <https://example.org/B> ; <https://example.org/c> "d" .\n'
    back, skipped, foreign = read(file_of(tmp_path, text, "graph.ttl"))
    assert (back.digest(), skipped, foreign) == (small().digest(), [], 4)


def test_claims_written_by_hand_need_no_more_than_their_ends_and_a_source(tmp_path: Path) -> None:
    text = """
    @prefix kgqa: <https://w3id.org/kgqa/terms/> .
    @prefix prov: <http://www.w3.org/ns/prov#> .
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    [] a kgqa:Claim ; kgqa:cause <#rain> ; kgqa:effect <#flood> ;
        kgqa:evidence [ prov:wasDerivedFrom [] ; prov:value "Rain floods." ] .
    <#rain> skos:prefLabel "rain"@en ; skos:altLabel "rainfall" .
    <#flood> skos:prefLabel "flood" .
    """.replace("<#", "<urn:x:")
    back, skipped, _ = read(file_of(tmp_path, text, "hand.ttl"))
    assert skipped == []
    assert list(back.statements()) == [Statement(Claim("rain", "flood"), Evidence(Source(""), text="Rain floods."))]
    assert list(back.aliases()) == [Alias("rainfall", "rain")]


@pytest.mark.parametrize(
    ("found", "wrong", "why"),
    [
        ("relation:causes", "relation:hurts", "<https://w3id.org/kgqa/relation/hurts> is no relation; known: causes, enables"),
        ("stance:asserted", "stance:sure", "<https://w3id.org/kgqa/stance/sure> is no stance; known: asserted"),
        ('kgqa:start "0"', 'kgqa:start "x"', "'x' is no start: whole numbers from 0 are"),
        ('kgqa:start "0"', f'kgqa:start "{1 << 63}"', "'9223372036854775808' is no start"),
        ('kgqa:start "0"', f'kgqa:start "{"9" * 5000}"', f"'{'9' * 40}' is no start"),
        ('kgqa:sketch "0a"', 'kgqa:sketch "xy"', "'xy' is no sketch"),
        ('skos:prefLabel "flood"@en', 'skos:prefLabel "flood"@en, "inundation"', "2 skos:prefLabel, 1 is needed"),
        ('skos:prefLabel "flood"@en', "skos:prefLabel schema:flood", "stands where text should be"),
        ('skos:prefLabel "flood"@en', 'skos:prefLabel ""', "no 'effect'"),
    ],
)
@pytest.mark.parametrize("ordered", [True, False])
def test_what_is_no_claim_is_skipped_and_told(found: str, wrong: str, why: str, ordered: bool, tmp_path: Path) -> None:
    text = written(stored([next(one for one in small().statements() if one.claim.cause == "rain")]), "ttl")
    text = text if ordered else text.partition("\n")[2]
    assert found in text
    with rdf.RdfInput(file_of(tmp_path, text.replace(found, wrong), "graph.ttl")) as source:
        skipped: list[Skipped] = []
        try:
            assert list(source.statements(skipped.append)) == []
        except FormatUnknown:
            assert not ordered
    assert [why in one.why for one in skipped] == [True]


def damaged(path: Path) -> str:
    """What is said of a file that cannot be read to its end."""
    with pytest.raises(GraphError) as raised:
        read(path)
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_file_that_is_cut_anywhere_is_told(syntax: str, tmp_path: Path) -> None:
    whole = written(small(), syntax)
    for end in range(1, len(whole) - 2, 97):
        assert str(tmp_path) in damaged(file_of(tmp_path, whole[:end], f"graph.{syntax}"))


def test_a_line_that_is_gone_is_told(tmp_path: Path) -> None:
    lines = written(small(), "nt").splitlines(keepends=True)
    told = 0
    for place in range(1, len(lines)):
        path = file_of(tmp_path, "".join(lines[:place] + lines[place + 1 :]))
        try:
            back, skipped, _ = read(path)
        except GraphError:
            told += 1
            continue
        # What follows from the rest, what stands elsewhere too and words that are the default may go unnoticed.
        assert skipped or back.digest() == small().digest() or "terms/sketch>" in lines[place]
        told += bool(skipped)
    assert told > len(lines) / 2


def test_damage_is_told_with_its_line_and_what_comes_before_is_read(tmp_path: Path) -> None:
    text = written(small(), "nt")
    lines = text.splitlines(keepends=True)
    lines[-4] = "<urn:a <b> .\n"
    path, kept = file_of(tmp_path, "".join(lines)), []
    with rdf.RdfInput(path) as source, pytest.raises(InputUnreadable) as raised:
        kept.extend(source.statements(lambda skipped: None))
    assert str(raised.value).startswith(f"cannot read '{path}': line {len(lines) - 3}: ")
    assert len(kept) >= 1


def test_a_file_of_ours_in_another_order_says_how_to_read_it(tmp_path: Path) -> None:
    text = written(small(), "nt")
    header, *lines = text.splitlines(keepends=True)
    message = damaged(file_of(tmp_path, header + "".join(sorted(lines))))
    assert "without its first line the file is read in any order" in message


def test_packed_data_that_is_damaged_is_told(tmp_path: Path) -> None:
    path = tmp_path / "graph.nt.gz"
    path.write_bytes(gzip.compress(written(small(), "nt").encode())[:-30])
    assert "gzip data is cut short" in damaged(path)


def test_rdf_about_something_else_is_told(tmp_path: Path) -> None:
    path = file_of(tmp_path, '<urn:a> <urn:b> "c" .\n')
    assert damaged(path) == f"'{path}' is not RDF in kgqa's vocabulary: 1 triples and no claim"


def test_a_graph_that_changes_meanwhile_is_not_exported(tmp_path: Path) -> None:
    url = str(tmp_path / "graph.kgqa")
    writer = open_store(url, write=True, create=True)
    writer.add(small().statements())
    reader = open_store(url)

    class Meddling(io.StringIO):
        def write(self, text: str) -> int:
            if "kgqa:records" in text:
                writer.add([Statement(Claim("new", "newer"), Evidence(Source("text")))])
            return super().write(text)

    with pytest.raises(GraphChanged, match="was written to while it was exported"):
        write_rdf(reader, Meddling(), "ttl")
    reader.close()
    writer.close()
