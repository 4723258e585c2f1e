"""Writer of a graph store as N-Triples, Turtle or TriG, in one pass and constant memory.

The triples are written in blocks: one block for each claim, with all that its reader needs (the claim, its two concepts, each
evidence record with its context and source), then the aliases, and last the number of aliases. A concept or source of several
claims is repeated in each block: RDF is a set of triples, and a reader holds no more than one block in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol, TextIO

from graph.errors import GraphChanged
from graph.model import Alias, Claim, Edge, Evidence, Polarity, Relation, Source, Stance, Strength
from graph.protocols import GraphStore
from graph.rdf import rdf_vocabulary as v
from graph.rdf.rdf_vocabulary import NAMESPACES, TYPE, Iri, RdfTerm

PredicateObject = tuple[Iri, RdfTerm]
"""A predicate and an object."""

# Turtle allows the characters of the second line unescaped, but many line readers take them for ends of lines.
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    | {chr(code): f"\\u{code:04X}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
)


class RdfSyntax(Protocol):
    """A syntax: the text before the first triple, of the triples of a subject, and after the last triple."""

    suffix: str

    def head(self, graph: Iri) -> str:
        """Return the text before the first triple of `graph`."""
        ...

    def node(self, subject: Iri, facts: Sequence[PredicateObject]) -> str:
        """Return the triples of a subject; `facts` is not empty."""
        ...

    def foot(self) -> str:
        """Return the text after the last triple."""
        ...


class NTriples:
    """N-Triples: one triple a line, every IRI in full."""

    suffix = "nt"

    def head(self, graph: Iri) -> str:
        """Return an empty text."""
        return ""

    def node(self, subject: Iri, facts: Sequence[PredicateObject]) -> str:
        """Return a line for each fact."""
        start = f"<{subject.full}>"
        return "".join([f"{start} {_full_iri(predicate)} {_format_term(value, _full_iri)} .\n" for predicate, value in facts])

    def foot(self) -> str:
        """Return an empty text."""
        return ""


class Turtle:
    """Turtle: declared prefixes, and each subject once before all of its facts."""

    suffix = "ttl"

    def head(self, graph: Iri) -> str:
        """Return the declarations of the prefixes."""
        return "".join(f"@prefix {prefix}: <{space}> .\n" for prefix, space in NAMESPACES.items()) + "\n"

    def node(self, subject: Iri, facts: Sequence[PredicateObject]) -> str:
        """Return the facts, one a line."""
        facts_text = " ;\n    ".join(
            [f"{_prefixed_iri(predicate)} {_format_term(value, _prefixed_iri)}" for predicate, value in facts]
        )
        return f"{subject.prefix}:{subject.local} {facts_text} .\n"

    def foot(self) -> str:
        """Return an empty text."""
        return ""


class TriG(Turtle):
    """TriG: Turtle inside one named graph, whose name ends in the digest of the causal graph."""

    suffix = "trig"

    def head(self, graph: Iri) -> str:
        """Return the declarations of the prefixes and the opening brace."""
        return f"{super().head(graph)}{graph.prefix}:{graph.local} {{\n"

    def foot(self) -> str:
        """Return the closing brace."""
        return "}\n"


SYNTAXES: dict[str, RdfSyntax] = {syntax.suffix: syntax for syntax in (Turtle(), NTriples(), TriG())}
"""The syntaxes by file suffix, without the dot."""


def _full_iri(iri: Iri) -> str:
    return f"<{NAMESPACES[iri.prefix]}{iri.local}>"


def _prefixed_iri(iri: Iri) -> str:
    return "a" if iri is TYPE else f"{iri.prefix}:{iri.local}"


def _format_term(term: RdfTerm, format_iri: Callable[[Iri], str]) -> str:
    if isinstance(term, Iri):
        return format_iri(term)
    text = f'"{term.text.translate(_ESCAPES)}"'
    return text if term.datatype is None else f"{text}^^{format_iri(term.datatype)}"


RDF_HEADER = "# kgqa RDF, version 1: a block for each claim, then the aliases and their number\n"
"""The first line of every file of this writer: the reader reads such a file block by block, and any other in any order."""

SubjectFacts = tuple[v.Iri, list[PredicateObject]]
"""A subject and its facts."""


@dataclass(frozen=True, slots=True)
class RdfCounts:
    """Numbers of claims, evidence records, aliases and triples of an export, with repeated triples counted again."""

    claims: int
    evidence: int
    aliases: int
    triples: int


class _NodeWriter:
    """Writer of nodes in one syntax, with a count of their triples."""

    def __init__(self, out: TextIO, syntax: str) -> None:
        self.triples = 0
        self._out = out
        self._syntax = SYNTAXES[syntax]

    def head(self, graph: v.Iri) -> None:
        self._out.write(RDF_HEADER + self._syntax.head(graph))

    def nodes(self, nodes: Iterable[SubjectFacts]) -> None:
        for subject, facts in nodes:
            self.triples += len(facts)
            self._out.write(self._syntax.node(subject, facts))

    def foot(self) -> None:
        self._out.write(self._syntax.foot())


def write_rdf(
    graph: GraphStore, out: TextIO, syntax: str = "nt", on_claims: Callable[[int], None] = lambda claims: None
) -> RdfCounts:
    """Write a graph in one of `SYNTAXES`; `on_claims` gets the number of written claims after each thousand.

    Raises `GraphChanged` where the graph was written to meanwhile; the text written so far is then useless.
    """
    digest = graph.digest()
    dataset = v.Iri("graph", digest)
    writer = _NodeWriter(out, syntax)
    writer.head(dataset)
    claims = records = aliases = 0
    for edge, evidence in claims_with_evidence(graph):
        writer.nodes(claim_facts(edge, evidence))
        records += len(evidence)
        claims += 1
        if not claims % 1000:
            on_claims(claims)
    writer.nodes([(dataset, [(v.TYPE, v.DATASET), (v.DIGEST, v.RdfLiteral(digest))])])
    writer.nodes([(dataset, [(v.CLAIMS, integer_literal(claims)), (v.RECORDS, integer_literal(records))])])
    for alias in graph.aliases():
        aliases += 1
        writer.nodes(alias_facts(alias))
    if graph.digest() != digest:
        raise GraphChanged(graph.url)
    writer.nodes([(dataset, [(v.ALIASES, integer_literal(aliases))])])
    writer.foot()
    return RdfCounts(claims, records, aliases, writer.triples)


def claims_with_evidence(graph: GraphStore) -> Iterator[tuple[Edge, list[Evidence]]]:
    """Yield each claim of a store as an edge, with its evidence records; raise `GraphChanged` where a write came between."""
    edges = graph.edges()
    for claim, statements in groupby(graph.statements(), lambda statement: statement.claim):
        edge = next(edges, None)
        if edge is None or edge.claim != claim:
            raise GraphChanged(graph.url)
        yield edge, [statement.evidence for statement in statements]
    if next(edges, None) is not None:
        raise GraphChanged(graph.url)


def claim_facts(edge: Edge, evidence: Iterable[Evidence]) -> Iterator[SubjectFacts]:
    """Yield the nodes of a claim: itself, its concepts, each evidence record with its context, and each source once."""
    yield from _claim_nodes(edge)
    written_sources: set[Source] = set()
    for record in evidence:
        yield from _evidence_nodes(edge.claim, record)
        if record.source not in written_sources:
            written_sources.add(record.source)
            yield from _source_nodes(record.source)


def _claim_nodes(edge: Edge) -> Iterator[SubjectFacts]:
    claim = edge.claim
    cause, effect = v.concept_iri(claim.cause), v.concept_iri(claim.effect)
    yield (
        v.Iri("claim", claim.hash),
        [
            (v.TYPE, v.CLAIM),
            (v.CAUSE, cause),
            (v.EFFECT, effect),
            (v.RELATION, v.enum_iri(Relation, claim.relation)),
            (v.POLARITY, v.enum_iri(Polarity, claim.polarity)),
            (v.BELIEF, v.RdfLiteral(f"{edge.belief:.6f}", v.DECIMAL)),
            (v.SUPPORT, integer_literal(edge.support)),
            (v.AGAINST, integer_literal(edge.against)),
            (v.HEDGED, integer_literal(edge.hedged)),
            (v.STRENGTH, v.enum_iri(Strength, edge.strength)),
        ],
    )
    yield cause, [(v.TYPE, v.CONCEPT), (v.LABEL, v.text_to_literal(claim.cause))]
    if effect != cause:
        yield effect, [(v.TYPE, v.CONCEPT), (v.LABEL, v.text_to_literal(claim.effect))]


def _evidence_nodes(claim: Claim, evidence: Evidence) -> Iterator[SubjectFacts]:
    record, source = v.Iri("evidence", evidence.hash(claim)), v.source_iri(evidence.source)
    slots = [(v.Iri("evidence", f"{record.local}-{place}"), place, *pair) for place, pair in enumerate(evidence.context)]
    yield v.Iri("claim", claim.hash), [(v.HAS_EVIDENCE, record)]
    facts: list[PredicateObject] = [
        (v.TYPE, v.EVIDENCE),
        (v.DERIVED_FROM, source),
        (v.STANCE, v.enum_iri(Stance, evidence.stance)),
        (v.STRENGTH, v.enum_iri(Strength, evidence.strength)),
        *_text_facts((v.RULE, evidence.rule), (v.SECTION, evidence.section)),
    ]
    if evidence.text is not None:
        facts.append((v.TEXT, v.text_to_literal(evidence.text)))
    if evidence.start is not None:
        facts.append((v.START, integer_literal(evidence.start)))
    if evidence.end is not None:
        facts.append((v.END, integer_literal(evidence.end)))
    if evidence.sketch:
        facts.append((v.SKETCH, v.RdfLiteral(evidence.sketch, v.HEX)))
    yield record, [*facts, *((v.HAS_CONTEXT, slot) for slot, *_ in slots)]
    for slot, place, name, words in slots:
        yield (
            slot,
            [
                (v.TYPE, v.CONTEXT),
                (v.POSITION, integer_literal(place)),
                (v.SLOT, v.text_to_literal(name)),
                (v.WORDS, v.text_to_literal(words)),
            ],
        )


def _source_nodes(source: Source) -> Iterator[SubjectFacts]:
    facts: list[PredicateObject] = [
        (v.TYPE, v.SOURCE),
        *_text_facts(
            (v.KIND, source.kind),
            (v.TITLE, source.title),
            (v.PAGE_ID, source.page_id),
            (v.REVISION, source.revision),
            (v.URL, source.url),
        ),
    ]
    yield v.source_iri(source), facts


def alias_facts(alias: Alias) -> Iterator[SubjectFacts]:
    """Yield the concept of an alias with its name and the alias."""
    names = [(v.LABEL, v.text_to_literal(alias.concept)), (v.OTHER_LABEL, v.text_to_literal(alias.name))]
    yield v.concept_iri(alias.concept), [(v.TYPE, v.CONCEPT), *names]


def _text_facts(*fields: tuple[v.Iri, str]) -> Iterator[PredicateObject]:
    return ((predicate, v.text_to_literal(text)) for predicate, text in fields if text)


def integer_literal(value: int) -> v.RdfLiteral:
    """Return a whole number as an `xsd:integer`."""
    return v.RdfLiteral(str(value), v.INTEGER)
