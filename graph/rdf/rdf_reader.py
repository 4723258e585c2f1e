"""Reader of RDF in kgqa's vocabulary, from `graph.rdf.rdf_writer` or from any other tool.

A file with the header of `rdf_writer` is read block by block, in the memory of one claim. The triples of any other file are first
collected in a database on disk. JSON-LD and RDF/XML are parsed by rdflib, as a whole in memory.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import PurePath
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, Self, TypeVar, cast

from graph.errors import FormatUnknown, InputUnreadable, PackageMissing

try:
    import pyoxigraph as ox
except ImportError:
    raise PackageMissing("RDF", "pyoxigraph", "rdf") from None

from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.rdf import rdf_vocabulary as v
from graph.rdf.rdf_writer import RDF_HEADER, RDF_VERSION
from graph.rdf.rdflib_graph import document_syntax, read_rdf_document
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, open_input
from graph.sources.jsonl import LARGEST_OFFSET, RecordInvalid, checked_sketch

RdfSubject = ox.NamedNode | ox.BlankNode | ox.Triple
RdfObject = RdfSubject | ox.Literal
RdfNode = dict[v.Iri, dict[RdfObject, None]]  # the facts of a subject: distinct objects by predicate
NodeLookup = Callable[[RdfSubject], RdfNode]  # returns the node of a subject, empty for an unknown subject
EnumMember = TypeVar("EnumMember", bound=StrEnum)
RdfTriple = tuple[RdfSubject, v.Iri, RdfObject]  # A triple whose predicate is in kgqa's vocabulary
_PREDICATES = {predicate.full: predicate for predicate in v.PREDICATES}
_TYPES = {kind.full: kind for kind in v.TYPES}
_TYPE = v.TYPE.full
_SYNTAXES = {".nt": ox.RdfFormat.N_TRIPLES, ".nq": ox.RdfFormat.N_QUADS, ".ttl": ox.RdfFormat.TURTLE}
_PLACE = re.compile(r"^Parser error (?:at|between) line .*?: ")
_BATCH = 1 << 17
_DIGITS = re.compile("[0-9]{1,99}")
_HEADERS = (RDF_HEADER, RDF_HEADER.replace(f"version {RDF_VERSION}", "version 1"))  # of the same length
_LONGEST_QUOTE = 40


class RdfInput:
    """An RDF file that is read once: its statements, and then its aliases; raises the errors of `open_input`.

    The suffix names the syntax: `.nt`, `.nq`, `.ttl`, `.jsonld`, `.rdf` or `.xml`; any other file is TriG. `foreign` counts the
    triples outside kgqa's vocabulary.
    """

    def __init__(self, argument: FileArgument) -> None:
        self._stream = open_input(argument)
        self._aliases = TemporaryFile("w+", encoding="ascii")  # noqa: SIM115
        self._has_dataset = False
        self._is_current = False
        self.foreign = 0
        self.name, self.title, self.size = self._stream.name, self._stream.title, self._stream.size

    @property
    def bytes_read(self) -> int:
        """The number of bytes read from the file."""
        return self._stream.bytes_read

    def statements(self, on_skip: OnSkip) -> Iterator[Statement]:
        """Yield the statements; report each invalid one to `on_skip`.

        Raises `InputUnreadable` for a damaged or cut file, and `FormatUnknown` for one that neither has a claim nor says so.
        """
        header = self._stream.peek(len(RDF_HEADER)).decode(errors="replace")
        ordered, self._is_current = header.startswith(_HEADERS), header.startswith(RDF_HEADER)
        has_statements = False
        for statement in self._statements_in_blocks(on_skip) if ordered else self._statements_in_any_order(on_skip):
            has_statements = True
            yield statement
        if not has_statements and not ordered and not self._has_dataset:
            raise FormatUnknown(self.name, "RDF in kgqa's vocabulary", f"{self.foreign:,} triples and no claim")

    def aliases(self) -> Iterator[Alias]:
        """Yield the aliases of the statements that were read."""
        self._aliases.seek(0)
        for line in self._aliases:
            yield Alias(*json.loads(line))

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        self._aliases.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _triples(self) -> Iterator[RdfTriple]:
        """Yield the triples of kgqa's vocabulary in the order of the file, of all graphs; count the others."""
        syntax = document_syntax(self.title)
        triples = self._parsed_triples() if syntax is None else self._document_triples(syntax)
        for subject, name, value in triples if self._is_current else map(_current_triple, triples):
            predicate = _PREDICATES.get(name)
            if predicate is not None:
                yield subject, predicate, value
            elif name == _TYPE and _iri_string(value) in _TYPES:
                yield subject, v.TYPE, value
            else:
                self.foreign += 1

    def _parsed_triples(self) -> Iterator[tuple[RdfSubject, str, RdfObject]]:
        syntax = _SYNTAXES.get(PurePath(self.title).suffix, ox.RdfFormat.TRIG)  # Turtle and N-Triples are parts of TriG
        try:
            for quad in ox.parse(cast(IO[bytes], _RawStream(self._stream)), format=syntax):
                yield quad.subject, quad.predicate.value, quad.object
        except SyntaxError as error:
            what = _PLACE.sub("", error.msg).strip()
            raise InputUnreadable(self.name, f"line {error.lineno}: {what[:1].lower()}{what[1:]}") from None

    def _document_triples(self, syntax: str) -> Iterator[tuple[RdfSubject, str, RdfObject]]:
        """Yield the triples of a document that rdflib parses; count those with a term that RDF does not allow."""
        for subject, predicate, value in read_rdf_document(b"".join(self._stream.blocks()), self.name, syntax):
            try:
                yield _term_of_rdflib(subject), str(predicate), _term_of_rdflib(value)
            except ValueError:
                self.foreign += 1

    def _statements_in_blocks(self, on_skip: OnSkip) -> Iterator[Statement]:
        claims = records = aliases = 0
        whole = False
        nodes: dict[RdfSubject, RdfNode] = {}
        seen: set[RdfSubject] = set()

        def look_up(subject: RdfSubject) -> RdfNode:
            seen.add(subject)
            return nodes.get(subject, {})

        for nodes in _triple_blocks(self._triples()):
            first, node = next(iter(nodes.items()))
            kinds = {_TYPES[_iri_string(kind)] for kind in node.get(v.TYPE, ())}
            if v.CLAIM in kinds:
                if whole:  # one export behind another
                    claims, records, aliases, whole = 0, 0, 0, False
                claims += 1
                records += len(node.get(v.HAS_EVIDENCE, ()))
                invalid: list[Skipped] = []
                seen.clear()
                statements = list(_statements_of_claim(first, look_up, invalid.append))
                for skipped in invalid:
                    on_skip(skipped)
                if not invalid and (len(seen) < len(nodes) or not _hash_iris(statements) <= nodes.keys()):
                    raise self._order_error(first)
                yield from statements
            elif v.DATASET in kinds:
                self._check_count("claims", claims, node.get(v.CLAIMS))
                self._check_count("evidence records", records, node.get(v.RECORDS))
            elif v.ALIASES in node:
                self._check_count("aliases", aliases, node[v.ALIASES])
                whole = True
            elif len(nodes) == 1 and v.OTHER_LABEL in node:
                aliases += self._keep_aliases(first, node, on_skip)
            else:
                raise self._order_error(first)
        if not whole:
            raise InputUnreadable(self.name, f"it is cut short after {claims:,} claims and {aliases:,} aliases")

    def _statements_in_any_order(self, on_skip: OnSkip) -> Iterator[Statement]:
        with TemporaryDirectory(prefix="kgqa-") as folder:
            store = ox.Store(folder)
            triples = self._triples()
            while batch := list(islice(triples, _BATCH)):
                store.bulk_extend(ox.Quad(subject, _named_node(predicate), value) for subject, predicate, value in batch)
            look_up = partial(_node_in_store, store)
            claims = 0
            for claim in _subjects_of_kind(store, v.CLAIM):
                claims += 1
                yield from _statements_of_claim(claim, look_up, on_skip)
            datasets = list(_subjects_of_kind(store, v.DATASET))
            self._has_dataset = bool(datasets)
            if len(datasets) == 1:
                self._check_count("claims", claims, look_up(datasets[0]).get(v.CLAIMS))
            for quad in store.quads_for_pattern(None, _named_node(v.OTHER_LABEL), None, None):
                names = look_up(quad.subject).get(v.LABEL, {})
                self._keep_aliases(quad.subject, {v.LABEL: names, v.OTHER_LABEL: {quad.object: None}}, on_skip)
            del store, look_up  # lets go of the files before the folder is removed

    def _keep_aliases(self, subject: RdfSubject, node: RdfNode, on_skip: OnSkip) -> int:
        try:
            concept, names = _text_value(node, v.LABEL), [_literal_string(name) for name in node[v.OTHER_LABEL]]
        except RecordInvalid as error:
            on_skip(Skipped(str(subject), str(error)))
            return 0
        for name in names:
            self._aliases.write(json.dumps([name, concept]) + "\n")
        return len(names)

    def _check_count(self, what: str, count: int, stated: Iterable[RdfObject] | None) -> None:
        numbers = [_literal_string(number) for number in stated or ()]
        if numbers != [str(count)]:
            stated_text = " or ".join(numbers) or "none"
            raise InputUnreadable(self.name, f"it holds {count:,} {what}, and says that it holds {stated_text}")

    def _order_error(self, subject: RdfSubject) -> InputUnreadable:
        why = f"{subject} and what belongs to it are not as kgqa wrote them; without its first line the file is read in any order"
        return InputUnreadable(self.name, why)


class _RawStream(io.RawIOBase):
    """The decompressed content of an input as a file object."""

    def __init__(self, stream: InputStream) -> None:
        self._blocks = stream.blocks()
        self._waiting = memoryview(b"")

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._waiting:
            self._waiting = memoryview(next(self._blocks, b""))
        wanted = len(self._waiting) if size < 0 else size
        given, self._waiting = self._waiting[:wanted], self._waiting[wanted:]
        return bytes(given)


def _triple_blocks(triples: Iterable[RdfTriple]) -> Iterator[dict[RdfSubject, RdfNode]]:
    """Yield the triples by subject, a block for each claim, data set and concept with aliases."""
    nodes: dict[RdfSubject, RdfNode] = {}
    listing = False
    for subject, predicate, value in triples:
        begins = predicate is v.ALIASES
        if predicate is v.TYPE:
            kind = _TYPES[_iri_string(value)]
            begins = kind is v.CLAIM or kind is v.DATASET or (listing and kind is v.CONCEPT)
            if begins:
                listing = kind is not v.CLAIM
        if begins and nodes:
            yield nodes
            nodes = {}
        nodes.setdefault(subject, {}).setdefault(predicate, {})[value] = None
    if nodes:
        yield nodes


def _current_triple(triple: tuple[RdfSubject, str, RdfObject]) -> tuple[RdfSubject, str, RdfObject]:
    """Return a triple with its IRIs in the namespaces of today."""
    subject, predicate, value = triple
    if isinstance(subject, ox.NamedNode):
        subject = ox.NamedNode(v.current_iri(subject.value))
    if isinstance(value, ox.NamedNode):
        value = ox.NamedNode(v.current_iri(value.value))
    elif isinstance(value, ox.Literal) and v.current_iri(value.datatype.value) == v.ESCAPED.full:
        value = ox.Literal(value.value, datatype=_named_node(v.ESCAPED))
    return subject, v.current_iri(predicate), value


def _hash_iris(statements: Iterable[Statement]) -> set[RdfSubject]:
    """Return the IRIs of the evidence records and sources of statements: they end in the hashes of their content."""
    records = ((statement.claim, statement.evidence) for statement in statements)
    iris = ((v.Iri("evidence", evidence.hash(claim)), v.source_iri(evidence.source)) for claim, evidence in records)
    return {_named_node(iri) for pair in iris for iri in pair}


def _node_in_store(store: ox.Store, subject: RdfSubject) -> RdfNode:
    node: RdfNode = {}
    for quad in store.quads_for_pattern(subject, None, None, None):
        node.setdefault(_PREDICATES.get(quad.predicate.value, v.TYPE), {})[quad.object] = None
    return node


def _subjects_of_kind(store: ox.Store, kind: v.Iri) -> Iterator[RdfSubject]:
    return (quad.subject for quad in store.quads_for_pattern(None, _named_node(v.TYPE), _named_node(kind), None))


def _term_of_rdflib(term: Any) -> Any:
    import rdflib

    if isinstance(term, rdflib.Literal):
        datatype = None if term.datatype is None else ox.NamedNode(str(term.datatype))
        return ox.Literal(str(term), language=term.language, datatype=datatype)
    return ox.NamedNode(str(term)) if isinstance(term, rdflib.URIRef) else ox.BlankNode(str(term))


def _named_node(iri: v.Iri) -> ox.NamedNode:
    return ox.NamedNode(iri.full)


def _statements_of_claim(subject: RdfSubject, look_up: NodeLookup, on_skip: OnSkip) -> Iterator[Statement]:
    node = look_up(subject)
    try:
        cause, effect = (_text_value(look_up(_as_subject(_only_value(node, end))), v.LABEL) for end in (v.CAUSE, v.EFFECT))
        if not cause or not effect:
            raise RecordInvalid(f"no '{'effect' if cause else 'cause'}'")
        relation = _enum_value(node, v.RELATION, Relation.CAUSES)
        claim = Claim(cause, effect, relation, _enum_value(node, v.POLARITY, Polarity.NONE))
    except RecordInvalid as error:
        on_skip(Skipped(str(subject), str(error)))
        return
    for record in node.get(v.HAS_EVIDENCE, ()):
        try:
            yield Statement(claim, _evidence_of_node(look_up(_as_subject(record)), look_up))
        except RecordInvalid as error:
            on_skip(Skipped(str(record), str(error)))


def _evidence_of_node(node: RdfNode, look_up: NodeLookup) -> Evidence:
    source = look_up(_as_subject(_only_value(node, v.DERIVED_FROM)))
    sketch = checked_sketch(_text_value(node, v.SKETCH, "").lower())
    slots = [look_up(_as_subject(slot)) for slot in node.get(v.HAS_CONTEXT, ())]
    context = [(_offset_value(slot, v.POSITION) or 0, _text_value(slot, v.SLOT), _text_value(slot, v.WORDS)) for slot in slots]
    context.sort(key=lambda entry: entry[0])
    return Evidence(
        Source(*(_source_value(source, name) for name in v.SOURCE_PREDICATES)),
        _enum_value(node, v.STANCE, Stance.ASSERTED),
        _enum_value(node, v.STRENGTH, Strength.CAUSES),
        _text_value(node, v.RULE, ""),
        _text_value(node, v.TEXT) if v.TEXT in node else None,
        _text_value(node, v.SECTION, ""),
        _offset_value(node, v.START),
        _offset_value(node, v.END),
        tuple((slot, words) for _, slot, words in context),
        sketch,
    )


def _enum_value(node: RdfNode, predicate: v.Iri, default: EnumMember) -> EnumMember:
    if predicate not in node:
        return default
    value = _only_value(node, predicate)
    word = v.ENUM_MEMBERS.get(_iri_string(value))
    if isinstance(word, type(default)):
        return word
    raise RecordInvalid(f"{value} is no {predicate.local}; known: {', '.join(type(default))}")


def _offset_value(node: RdfNode, predicate: v.Iri) -> int | None:
    if predicate not in node:
        return None
    text = _text_value(node, predicate)
    if not _DIGITS.fullmatch(text) or int(text) > LARGEST_OFFSET:
        raise RecordInvalid(f"'{text[:_LONGEST_QUOTE]}' is no {predicate.local}: whole numbers from 0 are")
    return int(text)


def _text_value(node: RdfNode, predicate: v.Iri, default: str | None = None) -> str:
    """Return the text of a node's only value, or `default` where the node has no value."""
    if default is not None and predicate not in node:
        return default
    return _literal_string(_only_value(node, predicate))


def _source_value(source: RdfNode, predicate: v.Iri) -> str:
    """Return a field of a source, empty where it has none; the address may be an IRI."""
    if predicate is v.URL and predicate in source and (address := _iri_string(_only_value(source, predicate))):
        return address
    return _text_value(source, predicate, "")


def _only_value(node: RdfNode, predicate: v.Iri) -> RdfObject:
    values = node.get(predicate, {})
    if len(values) != 1:
        raise RecordInvalid(f"{len(values) or 'no'} {predicate.prefix}:{predicate.local}, 1 is needed")
    return next(iter(values))


def _literal_string(value: RdfObject) -> str:
    """Return the text of a literal; raise `RecordInvalid` for an IRI or blank node."""
    if not isinstance(value, ox.Literal):
        raise RecordInvalid(f"{value} stands where text should be")
    return v.literal_to_text(value.value, value.datatype.value)


def _as_subject(value: RdfObject) -> RdfSubject:
    if not isinstance(value, ox.NamedNode | ox.BlankNode):
        raise RecordInvalid(f"{value} stands where a resource should be")
    return value


def _iri_string(value: RdfObject) -> str:
    """Return the IRI of a named node; empty for any other term."""
    return value.value if isinstance(value, ox.NamedNode) else ""
