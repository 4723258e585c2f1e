"""Reader of RDF in kgqa's vocabulary, from `graph.rdf.rdf_writer` or from any other tool.

A file with the header of `rdf_writer` is read block by block, in the memory of one claim. Any other file, such as the dump of a
SPARQL server, has its triples in any order: they are first collected in a database on disk. JSON-LD and RDF/XML are parsed by
rdflib, as a whole in memory.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import PurePath
from tempfile import TemporaryDirectory, TemporaryFile
from types import TracebackType
from typing import IO, Any, Self, cast

from graph.errors import FormatUnknown, InputUnreadable, PackageMissing

try:
    import pyoxigraph as ox
except ImportError:
    raise PackageMissing("RDF", "pyoxigraph", "rdf") from None

from graph.model import Alias, Statement
from graph.rdf import rdf_vocabulary as v
from graph.rdf.rdf_documents import document_syntax, read_rdf_document
from graph.rdf.rdf_statements import (
    NodeLookup,
    RdfNode,
    RdfObject,
    RdfSubject,
    iri_string,
    literal_string,
    statements_of_claim,
    text_value,
)
from graph.rdf.rdf_writer import RDF_HEADER
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, open_input
from graph.sources.jsonl import RecordInvalid

RdfTriple = tuple[RdfSubject, v.Iri, RdfObject]
"""A triple whose predicate is in kgqa's vocabulary."""

_PREDICATES = {predicate.full: predicate for predicate in v.PREDICATES}
_TYPES = {kind.full: kind for kind in v.TYPES}
_TYPE = v.TYPE.full
_SYNTAXES = {".nt": ox.RdfFormat.N_TRIPLES, ".nq": ox.RdfFormat.N_QUADS, ".ttl": ox.RdfFormat.TURTLE}
_PLACE = re.compile(r"^Parser error (?:at|between) line .*?: ")
_BATCH = 1 << 17


class RdfInput:
    """An RDF file that is read once: its statements, and then its aliases.

    The suffix names the syntax: `.nt`, `.nq`, `.ttl`, `.jsonld`, `.rdf` or `.xml`; any other file is TriG. `foreign` counts the
    triples outside kgqa's vocabulary, which are left out. The constructor raises the errors of `open_input`.
    """

    def __init__(self, argument: FileArgument) -> None:
        self._stream = open_input(argument)
        self._aliases = TemporaryFile("w+", encoding="ascii")  # noqa: SIM115
        self._has_dataset = False
        self.foreign = 0

    @property
    def name(self) -> str:
        """The path of the file, or "stdin"."""
        return self._stream.name

    @property
    def title(self) -> str:
        """The name of the file, without folders."""
        return self._stream.title

    @property
    def size(self) -> int | None:
        """The size of the file in bytes; `None` where it is unknown."""
        return self._stream.size

    @property
    def bytes_read(self) -> int:
        """The number of bytes read from the file."""
        return self._stream.bytes_read

    def statements(self, on_skip: OnSkip) -> Iterator[Statement]:
        """Yield the statements; report each invalid one to `on_skip`.

        Raises `InputUnreadable` at the damage of a damaged or cut file, and `FormatUnknown` for a file without a claim
        that does not state that it has none.
        """
        ordered = self._stream.peek(len(RDF_HEADER)).startswith(RDF_HEADER.encode())
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

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _triples(self) -> Iterator[RdfTriple]:
        """Yield the triples of kgqa's vocabulary in the order of the file, of all graphs; count the others."""
        syntax = document_syntax(self.title)
        for subject, name, value in self._parsed_triples() if syntax is None else self._document_triples(syntax):
            predicate = _PREDICATES.get(name)
            if predicate is not None:
                yield subject, predicate, value
            elif name == _TYPE and iri_string(value) in _TYPES:
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
        for nodes in _triple_blocks(self._triples()):
            first, node = next(iter(nodes.items()))
            kinds = _kinds_of_node(node)
            if v.CLAIM in kinds:
                if whole:  # one export behind another
                    claims, records, aliases, whole = 0, 0, 0, False
                claims += 1
                records += len(node.get(v.HAS_EVIDENCE, ()))
                seen: set[RdfSubject] = set()
                invalid: list[Skipped] = []
                statements = list(statements_of_claim(first, _block_lookup(nodes, seen), invalid.append))
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
            look_up = _store_lookup(store)
            claims = 0
            for claim in _subjects_of_kind(store, v.CLAIM):
                claims += 1
                yield from statements_of_claim(claim, look_up, on_skip)
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
            concept, names = text_value(node, v.LABEL), [literal_string(name) for name in node[v.OTHER_LABEL]]
        except RecordInvalid as error:
            on_skip(Skipped(str(subject), str(error)))
            return 0
        for name in names:
            self._aliases.write(json.dumps([name, concept]) + "\n")
        return len(names)

    def _check_count(self, what: str, count: int, stated: Iterable[RdfObject] | None) -> None:
        numbers = [literal_string(number) for number in stated or ()]
        if numbers != [str(count)]:
            raise InputUnreadable(
                self.name, f"it holds {count:,} {what}, and says that it holds {' or '.join(numbers) or 'none'}"
            )

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
            kind = _TYPES[iri_string(value)]
            begins = kind is v.CLAIM or kind is v.DATASET or (listing and kind is v.CONCEPT)
            if begins:
                listing = kind is not v.CLAIM
        if begins and nodes:
            yield nodes
            nodes = {}
        nodes.setdefault(subject, {}).setdefault(predicate, {})[value] = None
    if nodes:
        yield nodes


def _block_lookup(nodes: dict[RdfSubject, RdfNode], seen: set[RdfSubject]) -> NodeLookup:
    """Return a lookup of nodes in a block that adds each looked-up subject to `seen`."""

    def look_up(subject: RdfSubject) -> RdfNode:
        seen.add(subject)
        return nodes.get(subject, {})

    return look_up


def _hash_iris(statements: Iterable[Statement]) -> set[RdfSubject]:
    """Return the IRIs of the evidence records and sources of statements: they end in the hashes of their content."""
    names: set[RdfSubject] = set()
    for statement in statements:
        names.add(_named_node(v.Iri("evidence", statement.evidence.hash(statement.claim))))
        names.add(_named_node(v.source_iri(statement.evidence.source)))
    return names


def _store_lookup(store: ox.Store) -> NodeLookup:
    def look_up(subject: RdfSubject) -> RdfNode:
        node: RdfNode = {}
        for quad in store.quads_for_pattern(subject, None, None, None):
            predicate = _PREDICATES.get(quad.predicate.value, v.TYPE)
            node.setdefault(predicate, {})[quad.object] = None
        return node

    return look_up


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


def _kinds_of_node(node: RdfNode) -> set[v.Iri]:
    return {_TYPES[iri_string(kind)] for kind in node.get(v.TYPE, ())}
