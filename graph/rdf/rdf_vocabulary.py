"""The RDF vocabulary of a causal graph: namespaces, terms, and the conversion of names into IRIs and literals.

`vocabulary.ttl` beside this file defines the terms, `shapes.ttl` the constraints of a graph in SHACL. The namespace is not
registered, so the IRIs do not resolve on the web; the IRI of a resource ends in the hash of its content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from graph.model import Polarity, Relation, Source, Stance, Strength, stable_hash
from graph.text.xml_escape import escape_xml_characters, unescape_xml_characters

ROOT = "https://w3id.org/kgqa/"  # the prefix of every IRI of this vocabulary

NAMESPACES = {
    "kgqa": f"{ROOT}terms/",
    **{kind: f"{ROOT}{kind}/" for kind in ("graph", "claim", "concept", "evidence", "source")},
    **{kind: f"{ROOT}{kind}/" for kind in ("relation", "polarity", "stance", "strength")},
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "prov": "http://www.w3.org/ns/prov#",
    "schema": "https://schema.org/",
}
"""The namespaces by prefix, in the order of their declarations."""

VOCABULARY = Path(__file__).with_name("vocabulary.ttl")
SHAPES = Path(__file__).with_name("shapes.ttl")
LANGUAGE = "en"  # the language of the names and sentences of a graph
_FIRST_ROOT = "urn:kgqa:"
_FIRST_NAMESPACE = re.compile(rf"(?<=<){_FIRST_ROOT}(\w+):")
_IN_PATHS, _BEHIND_PATHS = (rf"(?:[\w.~!$&'()*+,;=:@{more}-]|%[0-9A-Fa-f]{{2}})" for more in ("", "/?"))
_WEB_ADDRESS = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?"
    rf"(?:/(?!\.{{1,2}}(?:[/?#]|\Z)){_IN_PATHS}*)*(?:\?{_BEHIND_PATHS}*)?(?:\#{_BEHIND_PATHS}+)?"
)
"""Addresses that are absolute IRIs in normal form, which no parser changes."""


class Iri(NamedTuple):
    """An IRI: a prefix of `NAMESPACES` and a local name; an IRI in full has the prefix ""."""

    prefix: str
    local: str

    @property
    def full(self) -> str:
        """The IRI in full."""
        return NAMESPACES[self.prefix] + self.local if self.prefix else self.local


class RdfLiteral(NamedTuple):
    """A literal: its lexical form, its datatype where it is not plain text, and the language of text in a known one."""

    text: str
    datatype: Iri | None = None
    language: str = ""


RdfTerm = Iri | RdfLiteral


def _terms(prefix: str, *names: str) -> Iterator[Iri]:
    return (Iri(prefix, name) for name in names)


TYPE = Iri("rdf", "type")
LABEL, OTHER_LABEL, CONCEPT = _terms("skos", "prefLabel", "altLabel", "Concept")
CLAIM, CAUSE, EFFECT, RELATION, POLARITY = _terms("kgqa", "Claim", "cause", "effect", "relation", "polarity")
BELIEF, SUPPORT, AGAINST, HEDGED, STRENGTH = _terms("kgqa", "belief", "support", "against", "hedged", "strength")
HAS_EVIDENCE, EVIDENCE, STANCE, RULE, SECTION = _terms("kgqa", "evidence", "Evidence", "stance", "rule", "section")
START, END, SKETCH, HAS_CONTEXT = _terms("kgqa", "start", "end", "sketch", "context")
TEXT, DERIVED_FROM = _terms("prov", "value", "wasDerivedFrom")
CONTEXT, SLOT, WORDS, POSITION = _terms("kgqa", "Context", "slot", "words", "position")
SOURCE, TITLE, PAGE_ID, REVISION, URL = _terms("schema", "CreativeWork", "name", "identifier", "version", "url")
KIND = Iri("kgqa", "kind")
DATASET, LICENCE = _terms("schema", "Dataset", "license")
DIGEST, CLAIMS, RECORDS, ALIASES = _terms("kgqa", "digest", "claims", "records", "aliases")
INTEGER, DECIMAL, HEX = _terms("xsd", "integer", "decimal", "hexBinary")
ESCAPED = Iri("kgqa", "escaped")

SOURCE_PREDICATES = (KIND, TITLE, PAGE_ID, REVISION, URL)
TYPES = (CLAIM, EVIDENCE, CONTEXT, CONCEPT, SOURCE, DATASET)  # the classes of the resources of a graph

PREDICATES = (
    *(LABEL, OTHER_LABEL, CAUSE, EFFECT, RELATION, POLARITY, BELIEF, SUPPORT, AGAINST, HEDGED, STRENGTH, HAS_EVIDENCE),
    *(STANCE, RULE, TEXT, SECTION, START, END, SKETCH, HAS_CONTEXT, DERIVED_FROM, SLOT, WORDS, POSITION),
    *(*SOURCE_PREDICATES, DIGEST, CLAIMS, RECORDS, ALIASES, LICENCE),
)
"""The predicates of a graph, without `rdf:type`."""

DIRECT_PREDICATES = {
    (Relation.CAUSES, Polarity.NONE): Iri("kgqa", "causes"),
    (Relation.CAUSES, Polarity.INCREASES): Iri("kgqa", "increases"),
    (Relation.CAUSES, Polarity.DECREASES): Iri("kgqa", "reduces"),
    **{
        (relation, polarity): Iri("kgqa", name)
        for relation, name in (
            (Relation.ENABLES, "enables"),
            (Relation.PREVENTS, "prevents"),
            (Relation.MOTIVATES, "motivates"),
            (Relation.IS_FOR, "isFor"),
            (Relation.ASSOCIATED, "associatedWith"),
        )
        for polarity in Polarity
    },
}
"""The predicates between concepts, of the flat view, by what a claim says."""

WORD_KINDS: dict[str, type[StrEnum]] = {"relation": Relation, "polarity": Polarity, "stance": Stance, "strength": Strength}
"""The enums of the model by the prefix of the IRIs of their members."""


@cache
def enum_iri(kind: type[StrEnum], word: str) -> Iri:
    """Return the IRI of a member of an enum of the model: `strength:risk-factor-for`."""
    return Iri(kind.__name__.lower(), re.sub(r"\W", "-", word))


ENUM_MEMBERS: dict[str, StrEnum] = {enum_iri(kind, word).full: word for kind in WORD_KINDS.values() for word in kind}
"""The members of these enums by their IRIs."""


@lru_cache(maxsize=1 << 12)
def concept_iri(name: str) -> Iri:
    """Return the IRI of the concept called `name`."""
    return Iri("concept", stable_hash(("concept", name)))


@lru_cache(maxsize=1 << 12)
def source_iri(source: Source) -> Iri:
    """Return the IRI of a source: a page in one revision."""
    return Iri("source", stable_hash(("source", source.kind, source.title, source.page_id, source.revision, source.url)))


def text_to_literal(text: str, language: str = "") -> RdfLiteral:
    """Return any text as a literal: escaped, of the datatype `kgqa:escaped`, where RDF or XML cannot hold its characters."""
    escaped = escape_xml_characters(text)
    return RdfLiteral(text, None, language) if escaped == text else RdfLiteral(escaped, ESCAPED)


def address_term(address: str) -> RdfTerm:
    """Return the address of a source as an IRI; as a literal where it is not an address on the web in normal form."""
    return Iri("", address) if _WEB_ADDRESS.fullmatch(address) and address.isprintable() else text_to_literal(address)


def current_iri(iri: str) -> str:
    """Return an IRI in the namespaces of today; those of the first version of the vocabulary began with `urn:kgqa:`."""
    if not iri.startswith(_FIRST_ROOT):
        return iri
    return ROOT + iri.removeprefix(_FIRST_ROOT).replace(":", "/", 1)


def current_query(query: str) -> str:
    """Return a SPARQL query with the IRIs of the first version of the vocabulary in the namespaces of today."""
    return _FIRST_NAMESPACE.sub(rf"{ROOT}\1/", query)


def literal_to_text(value: str, datatype: str) -> str:
    """Return the text of a literal: the inverse of `text_to_literal`."""
    return unescape_xml_characters(value) if datatype == ESCAPED.full else value
