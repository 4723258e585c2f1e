"""Writer of a graph store as N-Triples, Turtle or TriG, in one pass and constant memory.

Each claim is a block with all that its reader needs: its concepts and its evidence records with their contexts and sources. Then
come the aliases and their number. A concept or source of several claims is repeated: RDF is a set of triples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TextIO

from graph.errors import GraphChanged
from graph.model import Alias, Edge, Evidence, Polarity, Relation, Source, Stance, Strength
from graph.protocols import GraphStore
from graph.rdf import rdf_vocabulary as v
from graph.rdf.rdf_vocabulary import NAMESPACES, TYPE, Iri, RdfTerm
from graph.sources.licences import licence_of_sources

PredicateObject = tuple[Iri, RdfTerm]  # A predicate and an object

# Turtle allows the characters of the second line unescaped, but many line readers take them for ends of lines.
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    | {chr(code): f"\\u{code:04X}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
)


class RdfSyntax(NamedTuple):
    """A syntax: N-Triples (one triple a line), Turtle (each subject once), or TriG (Turtle inside one named graph)."""

    prefixes: bool  # declared, so that IRIs are short
    named_graph: bool = False  # its name ends in the digest of the causal graph

    def head(self, graph: Iri) -> str:
        """Return the text before the first triple of `graph`."""
        declarations = "".join(f"@prefix {prefix}: <{space}> .\n" for prefix, space in NAMESPACES.items()) + "\n"
        opening = f"{graph.prefix}:{graph.local} {{\n" if self.named_graph else ""
        return declarations + opening if self.prefixes else ""

    def node(self, subject: Iri, facts: Sequence[PredicateObject]) -> str:
        """Return the triples of a subject; `facts` is not empty."""
        if not self.prefixes:
            start = f"<{subject.full}>"
            return "".join([f"{start} {_full_iri(predicate)} {_format_term(value, _full_iri)} .\n" for predicate, value in facts])
        lines = [f"{_prefixed_iri(predicate)} {_format_term(value, _prefixed_iri)}" for predicate, value in facts]
        return f"{subject.prefix}:{subject.local} " + " ;\n    ".join(lines) + " .\n"

    def foot(self) -> str:
        """Return the text after the last triple."""
        return "}\n" if self.named_graph else ""


SYNTAXES = {"ttl": RdfSyntax(prefixes=True), "nt": RdfSyntax(prefixes=False), "trig": RdfSyntax(prefixes=True, named_graph=True)}
"""The syntaxes by file suffix, without the dot."""


def _full_iri(iri: Iri) -> str:
    return f"<{NAMESPACES[iri.prefix]}{iri.local}>"


def _prefixed_iri(iri: Iri) -> str:
    return "a" if iri is TYPE else f"{iri.prefix}:{iri.local}"


def _format_term(term: RdfTerm, format_iri: Callable[[Iri], str]) -> str:
    if isinstance(term, Iri):
        return format_iri(term) if term.prefix else f"<{term.local}>"
    text = f'"{term.text.translate(_ESCAPES)}"'
    if term.language:
        return f"{text}@{term.language}"
    return text if term.datatype is None else f"{text}^^{format_iri(term.datatype)}"


RDF_VERSION = 2
RDF_HEADER = f"# kgqa RDF, version {RDF_VERSION}: a block for each claim, then the aliases and their number\n"
"""The first line of every whole graph: the reader reads such a file block by block, and any other in any order."""

FLAT_HEADER = "# kgqa RDF, flat: concepts, and between them what is believed\n"
_MOST_NAMED = 1 << 20  # The most names that are remembered so that they are written once
LEAST_BELIEF = 0.5  # A claim of more belief has a triple in the flat view

SubjectFacts = tuple[v.Iri, list[PredicateObject]]  # A subject and its facts


@dataclass(slots=True)
class RdfCounts:
    """Numbers of claims, evidence records, aliases and triples of an export, with repeated triples counted again."""

    claims: int = 0
    evidence: int = 0
    aliases: int = 0
    triples: int = 0
    kinds: set[str] = field(default_factory=set)  # of the sources


def write_rdf(
    graph: GraphStore,
    out: TextIO,
    syntax: str = "nt",
    on_claims: Callable[[int], None] = lambda claims: None,
    *,
    flat: bool = False,
) -> RdfCounts:
    """Write a graph in one of `SYNTAXES`; `on_claims` gets each thousandth number of claims. Raises `GraphChanged`.

    With `flat` only concepts are written, with a triple for each claim of a belief above `LEAST_BELIEF`.
    """
    form, digest, counts = SYNTAXES[syntax], graph.digest(), RdfCounts()
    out.write((FLAT_HEADER if flat else RDF_HEADER) + form.head(v.Iri("graph", digest)))
    for subject, facts in (flat_facts if flat else store_facts)(graph, digest, counts, on_claims):
        counts.triples += len(facts)
        out.write(form.node(subject, facts))
    out.write(form.foot())
    return counts


def store_facts(graph: GraphStore, digest: str, counts: RdfCounts, on_claims: Callable[[int], None]) -> Iterator[SubjectFacts]:
    """Yield the nodes of a graph of this digest, counted in `counts`; raise `GraphChanged` where it was written to meanwhile."""
    dataset = v.Iri("graph", digest)
    for edge, evidence in _claims_with_evidence(graph):
        yield from claim_facts(edge, evidence)
        counts.evidence += len(evidence)
        counts.kinds.update(record.source.kind for record in evidence)
        counts.claims += 1
        if not counts.claims % 1000:
            on_claims(counts.claims)
    yield dataset, [(v.TYPE, v.DATASET), (v.DIGEST, v.RdfLiteral(digest)), *_licence_facts(counts.kinds)]
    yield dataset, [(v.CLAIMS, _integer_literal(counts.claims)), (v.RECORDS, _integer_literal(counts.evidence))]
    for alias in graph.aliases():
        counts.aliases += 1
        yield alias_facts(alias)
    if graph.digest() != digest:
        raise GraphChanged(graph.url)
    yield dataset, [(v.ALIASES, _integer_literal(counts.aliases))]


def flat_facts(graph: GraphStore, digest: str, counts: RdfCounts, on_claims: Callable[[int], None]) -> Iterator[SubjectFacts]:
    """Yield the concepts of a graph with what they directly cause, prevent and so on; raise `GraphChanged` as `store_facts`."""
    labelled_names: set[str] = set()
    believed = (edge for edge in graph.edges() if edge.belief > LEAST_BELIEF)
    for cause, edges in groupby(believed, attrgetter("cause")):
        facts: dict[PredicateObject, None] = {}
        effects = []
        for edge in edges:
            facts[v.DIRECT_PREDICATES[edge.claim.relation, edge.claim.polarity], v.concept_iri(edge.effect)] = None
            effects.append(edge.effect)
            counts.claims += 1
            if not counts.claims % 1000:
                on_claims(counts.claims)
        subject, label = _labelled_concept(cause)
        yield subject, [*label, *facts]
        yield from (_labelled_concept(name) for name in dict.fromkeys(effects) if name not in labelled_names)
        labelled_names.update([cause, *effects])
        if len(labelled_names) > _MOST_NAMED:
            labelled_names.clear()
    for alias in graph.aliases():
        counts.aliases += 1
        yield alias_facts(alias)
    licence = _licence_facts(graph.stats().sources)
    if graph.digest() != digest:
        raise GraphChanged(graph.url)
    if licence:
        yield v.Iri("graph", digest), licence


def _labelled_concept(name: str) -> SubjectFacts:
    return v.concept_iri(name), [(v.TYPE, v.CONCEPT), (v.LABEL, v.text_to_literal(name, v.LANGUAGE))]


def _licence_facts(kinds: Iterable[str]) -> list[PredicateObject]:
    licence = licence_of_sources(kinds)
    return [] if licence is None else [(v.LICENCE, v.Iri("", licence.iri))]


def _claims_with_evidence(graph: GraphStore) -> Iterator[tuple[Edge, list[Evidence]]]:
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
    claim = edge.claim
    claim_iri, cause, effect = v.Iri("claim", claim.hash), v.concept_iri(claim.cause), v.concept_iri(claim.effect)
    facts: list[PredicateObject] = [(v.TYPE, v.CLAIM), (v.CAUSE, cause), (v.EFFECT, effect)]
    facts += [(v.RELATION, v.enum_iri(Relation, claim.relation)), (v.POLARITY, v.enum_iri(Polarity, claim.polarity))]
    facts.append((v.BELIEF, v.RdfLiteral(f"{edge.belief:.6f}", v.DECIMAL)))
    counts = ((v.SUPPORT, edge.support), (v.AGAINST, edge.against), (v.HEDGED, edge.hedged))
    facts += [(predicate, _integer_literal(count)) for predicate, count in counts]
    yield claim_iri, [*facts, (v.STRENGTH, v.enum_iri(Strength, edge.strength))]
    yield from map(_labelled_concept, dict.fromkeys((claim.cause, claim.effect)))
    written_sources: set[Source] = set()
    for record in evidence:
        record_iri, source = v.Iri("evidence", record.hash(claim)), record.source
        yield claim_iri, [(v.HAS_EVIDENCE, record_iri)]
        yield from _evidence_nodes(record_iri, record)
        if source not in written_sources:
            written_sources.add(source)
            fields = zip(v.SOURCE_PREDICATES, (source.kind, source.title, source.page_id, source.revision), strict=False)
            address = [(v.URL, v.address_term(source.url))] if source.url else []
            yield v.source_iri(source), [(v.TYPE, v.SOURCE), *_text_facts(*fields), *address]


def _evidence_nodes(record_iri: Iri, evidence: Evidence) -> Iterator[SubjectFacts]:
    slots = [(v.Iri("evidence", f"{record_iri.local}-{place}"), *pair) for place, pair in enumerate(evidence.context)]
    facts: list[PredicateObject] = [
        (v.TYPE, v.EVIDENCE),
        (v.DERIVED_FROM, v.source_iri(evidence.source)),
        (v.STANCE, v.enum_iri(Stance, evidence.stance)),
        (v.STRENGTH, v.enum_iri(Strength, evidence.strength)),
        *_text_facts((v.RULE, evidence.rule), (v.SECTION, evidence.section)),
    ]
    if evidence.text is not None:
        facts.append((v.TEXT, v.text_to_literal(evidence.text, v.LANGUAGE)))
    offsets = ((v.START, evidence.start), (v.END, evidence.end))
    facts += [(predicate, _integer_literal(offset)) for predicate, offset in offsets if offset is not None]
    if evidence.sketch:
        facts.append((v.SKETCH, v.RdfLiteral(evidence.sketch, v.HEX)))
    yield record_iri, [*facts, *((v.HAS_CONTEXT, slot) for slot, *_ in slots)]
    for place, (slot, name, words) in enumerate(slots):
        texts = [(v.SLOT, v.text_to_literal(name)), (v.WORDS, v.text_to_literal(words, v.LANGUAGE))]
        yield slot, [(v.TYPE, v.CONTEXT), (v.POSITION, _integer_literal(place)), *texts]


def alias_facts(alias: Alias) -> SubjectFacts:
    """Return the concept of an alias with its name and the alias."""
    names = ((v.LABEL, alias.concept), (v.OTHER_LABEL, alias.name))
    labels = [(predicate, v.text_to_literal(name, v.LANGUAGE)) for predicate, name in names]
    return v.concept_iri(alias.concept), [(v.TYPE, v.CONCEPT), *labels]


def _text_facts(*fields: tuple[v.Iri, str]) -> Iterator[PredicateObject]:
    return ((predicate, v.text_to_literal(text)) for predicate, text in fields if text)


def _integer_literal(value: int) -> v.RdfLiteral:
    return v.RdfLiteral(str(value), v.INTEGER)
