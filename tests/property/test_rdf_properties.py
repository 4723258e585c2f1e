"""RDF of any graph whatever: what is written is read back, in every syntax and in any order."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.protocols import GraphStore
from graph.rdf.rdf_vocabulary import literal_to_text, text_to_literal
from graph.rdf.rdf_writer import SYNTAXES, write_rdf
from graph.rdf.rdflib_graph import DOCUMENT_SYNTAXES, write_rdf_document
from graph.sources.input_stream import InputStream
from graph.stores import open_store

rdf = pytest.importorskip("graph.rdf.rdf_reader")

_AWKWARD = st.sampled_from("\\u0Aa\"'<>\n\r\t\0 {}.;^@#")
_CHARACTERS = st.one_of(_AWKWARD, st.characters(), st.characters(categories=("Cs", "Cc", "Cn")))
TEXTS = st.text(_CHARACTERS, max_size=8)
NAMES = st.text(_CHARACTERS, min_size=1, max_size=4)
ADDRESSES = (
    TEXTS | TEXTS.map(lambda text: f"http://a.org/{text}") | st.text("ab/.?#%20:@é", max_size=9).map("https://b.org".__add__)
)
OFFSETS = st.one_of(st.just((None, None)), st.tuples(st.integers(0, 9), st.integers(9, 99)))
SKETCHES = st.binary(max_size=4).map(bytes.hex)


@st.composite
def statements(draw: st.DrawFn) -> Statement:
    claim = Claim(draw(NAMES), draw(NAMES), draw(st.sampled_from(Relation)), draw(st.sampled_from(Polarity)))
    start, end = draw(OFFSETS)
    evidence = Evidence(
        Source(*(draw(TEXTS) for _ in range(4)), draw(ADDRESSES)),
        draw(st.sampled_from(Stance)),
        draw(st.sampled_from(Strength)),
        draw(TEXTS),
        draw(st.none() | TEXTS),
        draw(TEXTS),
        start,
        end,
        tuple(draw(st.lists(st.tuples(TEXTS, TEXTS), max_size=2))),
        draw(SKETCHES),
    )
    return Statement(claim, evidence)


def document_of(graph: GraphStore, syntax: str) -> str:
    out = io.StringIO()
    write_rdf_document(graph, out, syntax)
    return out.getvalue()


@given(st.lists(statements(), max_size=5), st.lists(st.tuples(NAMES, st.integers(0, 9)), max_size=3), st.randoms())
@settings(max_examples=30, deadline=None)
def test_every_graph_is_read_back_from_every_syntax_in_any_order(
    records: list[Statement], names: list[tuple[str, int]], chance: random.Random
) -> None:
    graph, ends = open_store("memory:"), sorted({one.claim.cause for one in records})
    graph.add(records, [Alias(name, ends[place % len(ends)]) for name, place in names if ends])
    for syntax in SYNTAXES:
        out = io.StringIO()
        write_rdf(graph, out, syntax)
        files = [(syntax, out.getvalue())]
        if syntax == "nt" and records:
            lines = out.getvalue().split("\n")[1:-1]
            chance.shuffle(lines)
            files.append(("nt", "\n".join(lines)))
        files.extend((suffix, document_of(graph, suffix)) for suffix in DOCUMENT_SYNTAXES if syntax == "nt")
        for suffix, text in files:
            data = text.encode()
            with rdf.RdfInput(InputStream(io.BytesIO(data), f"graph.{suffix}", len(data))) as source:
                back = open_store("memory:")
                back.add(source.statements(lambda skipped: pytest.fail(str(skipped))), source.aliases())
            assert back.digest() == graph.digest()
            assert sorted(map(repr, back.statements())) == sorted(map(repr, graph.statements()))


@given(TEXTS, TEXTS)
def test_two_texts_have_one_literal_only_where_they_are_one(one: str, other: str) -> None:
    assert (text_to_literal(one) == text_to_literal(other)) == (one == other)
    kept = text_to_literal(one)
    assert literal_to_text(kept.text, kept.datatype.full if kept.datatype else "") == one
    kept.text.encode()
