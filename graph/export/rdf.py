"""A graph as RDF, written in one pass in constant memory.

The triples come in blocks: one for each claim, which holds all that is needed to read it (the claim, its two concepts, each
evidence record with its context and source), then the aliases, and last their number. Concepts and sources of several claims
are written again in each block: RDF is a set of triples, and a reader needs no more memory than a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TextIO

from graph.errors import GraphChanged
from graph.export import vocabulary as v
from graph.export.rdf_syntax import SYNTAXES, Fact
from graph.model import Alias, Claim, Edge, Evidence, Polarity, Relation, Source, Stance, Strength
from graph.protocols import GraphStore

HEADER = "# kgqa RDF, version 1: a block for each claim, then the aliases and their number\n"
"""The first line of what is written here; a file that lost it, or its order, is read in another way."""

Node = tuple[v.Iri, list[Fact]]
"""A subject and what is said of it."""


@dataclass(frozen=True, slots=True)
class Triples:
    """What an export holds: numbers of claims, evidence records, aliases and triples, repeated ones included."""

    claims: int
    evidence: int
    aliases: int
    triples: int


class _Writer:
    """Writes nodes in a syntax and counts their triples."""

    def __init__(self, out: TextIO, syntax: str) -> None:
        self.triples = 0
        self._out = out
        self._syntax = SYNTAXES[syntax]

    def head(self, graph: v.Iri) -> None:
        self._out.write(HEADER + self._syntax.head(graph))

    def nodes(self, nodes: Iterable[Node]) -> None:
        for subject, facts in nodes:
            self.triples += len(facts)
            self._out.write(self._syntax.node(subject, facts))

    def foot(self) -> None:
        self._out.write(self._syntax.foot())


def write_rdf(
    graph: GraphStore, out: TextIO, syntax: str = "nt", on_claims: Callable[[int], None] = lambda claims: None
) -> Triples:
    """Write a graph in one of `SYNTAXES`; `on_claims` is told now and then how many claims are written.

    Raises `GraphChanged` where the graph was written to meanwhile: what was written so far is then of no use.
    """
    digest = graph.digest()
    dataset = v.Iri("graph", digest)
    writer = _Writer(out, syntax)
    writer.head(dataset)
    claims = records = aliases = 0
    edges = graph.edges()
    for claim, statements in groupby(graph.statements(), lambda statement: statement.claim):
        edge = next(edges, None)
        if edge is None or edge.claim != claim:
            raise GraphChanged(graph.url)
        writer.nodes(_claim_nodes(edge))
        told: set[Source] = set()
        for statement in statements:
            records += 1
            writer.nodes(_evidence_nodes(claim, statement.evidence))
            if statement.evidence.source not in told:
                told.add(statement.evidence.source)
                writer.nodes(_source_nodes(statement.evidence.source))
        claims += 1
        if not claims % 1000:
            on_claims(claims)
    writer.nodes([(dataset, [(v.TYPE, v.DATASET), (v.DIGEST, v.Literal(digest))])])
    writer.nodes([(dataset, [(v.CLAIMS, _number(claims)), (v.RECORDS, _number(records))])])
    for alias in graph.aliases():
        aliases += 1
        writer.nodes(_alias_nodes(alias))
    if next(edges, None) is not None or graph.digest() != digest:
        raise GraphChanged(graph.url)
    writer.nodes([(dataset, [(v.ALIASES, _number(aliases))])])
    writer.foot()
    return Triples(claims, records, aliases, writer.triples)


def _claim_nodes(edge: Edge) -> Iterator[Node]:
    """Yield a claim with what follows from its evidence, and its two concepts."""
    claim = edge.claim
    cause, effect = v.concept_iri(claim.cause), v.concept_iri(claim.effect)
    yield (
        v.Iri("claim", claim.hash),
        [
            (v.TYPE, v.CLAIM),
            (v.CAUSE, cause),
            (v.EFFECT, effect),
            (v.RELATION, v.word_iri(Relation, claim.relation)),
            (v.POLARITY, v.word_iri(Polarity, claim.polarity)),
            (v.BELIEF, v.Literal(f"{edge.belief:.6f}", v.DECIMAL)),
            (v.SUPPORT, _number(edge.support)),
            (v.AGAINST, _number(edge.against)),
            (v.HEDGED, _number(edge.hedged)),
            (v.STRENGTH, v.word_iri(Strength, edge.strength)),
        ],
    )
    yield cause, [(v.TYPE, v.CONCEPT), (v.LABEL, v.literal(claim.cause))]
    if effect != cause:
        yield effect, [(v.TYPE, v.CONCEPT), (v.LABEL, v.literal(claim.effect))]


def _evidence_nodes(claim: Claim, evidence: Evidence) -> Iterator[Node]:
    """Yield that a claim has a record, the record, and its context slot by slot."""
    record, source = v.Iri("evidence", evidence.hash(claim)), v.source_iri(evidence.source)
    slots = [(v.Iri("evidence", f"{record.local}-{place}"), place, *pair) for place, pair in enumerate(evidence.context)]
    yield v.Iri("claim", claim.hash), [(v.HAS_EVIDENCE, record)]
    facts: list[Fact] = [
        (v.TYPE, v.EVIDENCE),
        (v.DERIVED_FROM, source),
        (v.STANCE, v.word_iri(Stance, evidence.stance)),
        (v.STRENGTH, v.word_iri(Strength, evidence.strength)),
        *_texts((v.RULE, evidence.rule), (v.SECTION, evidence.section)),
    ]
    if evidence.text is not None:
        facts.append((v.TEXT, v.literal(evidence.text)))
    if evidence.start is not None:
        facts.append((v.START, _number(evidence.start)))
    if evidence.end is not None:
        facts.append((v.END, _number(evidence.end)))
    if evidence.sketch:
        facts.append((v.SKETCH, v.Literal(evidence.sketch, v.HEX)))
    yield record, [*facts, *((v.HAS_CONTEXT, slot) for slot, *_ in slots)]
    for slot, place, name, words in slots:
        yield (
            slot,
            [(v.TYPE, v.CONTEXT), (v.POSITION, _number(place)), (v.SLOT, v.literal(name)), (v.WORDS, v.literal(words))],
        )


def _source_nodes(source: Source) -> Iterator[Node]:
    """Yield where evidence was read."""
    facts: list[Fact] = [
        (v.TYPE, v.SOURCE),
        *_texts(
            (v.KIND, source.kind),
            (v.TITLE, source.title),
            (v.PAGE_ID, source.page_id),
            (v.REVISION, source.revision),
            (v.URL, source.url),
        ),
    ]
    yield v.source_iri(source), facts


def _alias_nodes(alias: Alias) -> Iterator[Node]:
    """Yield the concept of an alias, its name again, and the alias."""
    names = [(v.LABEL, v.literal(alias.concept)), (v.OTHER_LABEL, v.literal(alias.name))]
    yield v.concept_iri(alias.concept), [(v.TYPE, v.CONCEPT), *names]


def _texts(*fields: tuple[v.Iri, str]) -> Iterator[Fact]:
    """Yield the fields that hold any text."""
    return ((predicate, v.literal(text)) for predicate, text in fields if text)


def _number(value: int) -> v.Literal:
    return v.Literal(str(value), v.INTEGER)
