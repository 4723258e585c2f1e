"""Conversion of a claim node of RDF, with the nodes that it refers to, into statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TypeVar

import pyoxigraph as ox

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.rdf import rdf_vocabulary as v
from graph.sources.article import Skipped
from graph.sources.input_stream import OnSkip
from graph.sources.jsonl import LARGEST_OFFSET, RecordInvalid

RdfSubject = ox.NamedNode | ox.BlankNode | ox.Triple
RdfObject = RdfSubject | ox.Literal
RdfNode = dict[v.Iri, dict[RdfObject, None]]
"""The facts of a subject: distinct objects by predicate."""

NodeLookup = Callable[[RdfSubject], RdfNode]
"""Returns the node of a subject, empty for an unknown subject."""

EnumMember = TypeVar("EnumMember", bound=StrEnum)

_DIGITS = re.compile("[0-9]{1,99}")
_LONGEST_QUOTE = 40
_SKETCH = re.compile("(?:[0-9a-f]{2})*")


def statements_of_claim(subject: RdfSubject, look_up: NodeLookup, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statements of a claim; report each invalid record to `on_skip`."""
    node = look_up(subject)
    try:
        claim = _claim_of_node(node, look_up)
    except RecordInvalid as error:
        on_skip(Skipped(str(subject), str(error)))
        return
    for record in node.get(v.HAS_EVIDENCE, ()):
        try:
            yield Statement(claim, _evidence_of_node(look_up(_as_subject(record)), look_up))
        except RecordInvalid as error:
            on_skip(Skipped(str(record), str(error)))


def _claim_of_node(node: RdfNode, look_up: NodeLookup) -> Claim:
    cause, effect = (text_value(look_up(_as_subject(_only_value(node, end))), v.LABEL) for end in (v.CAUSE, v.EFFECT))
    if not cause or not effect:
        raise RecordInvalid(f"no '{'effect' if cause else 'cause'}'")
    relation = _enum_value(node, v.RELATION, Relation, Relation.CAUSES)
    return Claim(cause, effect, relation, _enum_value(node, v.POLARITY, Polarity, Polarity.NONE))


def _evidence_of_node(node: RdfNode, look_up: NodeLookup) -> Evidence:
    source = look_up(_as_subject(_only_value(node, v.DERIVED_FROM)))
    sketched = text_value(node, v.SKETCH, "").lower()
    if not _SKETCH.fullmatch(sketched):
        raise RecordInvalid(f"'{sketched}' is no sketch: pairs of hexadecimal digits are")
    return Evidence(
        Source(*(text_value(source, field, "") for field in (v.KIND, v.TITLE, v.PAGE_ID, v.REVISION, v.URL))),
        _enum_value(node, v.STANCE, Stance, Stance.ASSERTED),
        _enum_value(node, v.STRENGTH, Strength, Strength.CAUSES),
        text_value(node, v.RULE, ""),
        text_value(node, v.TEXT) if v.TEXT in node else None,
        text_value(node, v.SECTION, ""),
        _offset_value(node, v.START),
        _offset_value(node, v.END),
        tuple(_context_of_nodes(look_up(_as_subject(slot)) for slot in node.get(v.HAS_CONTEXT, ()))),
        sketched,
    )


def _context_of_nodes(slots: Iterable[RdfNode]) -> Iterator[tuple[str, str]]:
    placed = [(_offset_value(slot, v.POSITION) or 0, text_value(slot, v.SLOT), text_value(slot, v.WORDS)) for slot in slots]
    return ((slot, words) for _, slot, words in sorted(placed, key=lambda entry: entry[0]))


def _enum_value(node: RdfNode, predicate: v.Iri, words: type[EnumMember], default: EnumMember) -> EnumMember:
    if predicate not in node:
        return default
    value = _only_value(node, predicate)
    word = v.enum_member_of_iri(iri_string(value))
    if isinstance(word, words):
        return word
    raise RecordInvalid(f"{value} is no {predicate.local}; known: {', '.join(words)}")


def _offset_value(node: RdfNode, predicate: v.Iri) -> int | None:
    if predicate not in node:
        return None
    text = text_value(node, predicate)
    if not _DIGITS.fullmatch(text) or int(text) > LARGEST_OFFSET:
        raise RecordInvalid(f"'{text[:_LONGEST_QUOTE]}' is no {predicate.local}: whole numbers from 0 are")
    return int(text)


def text_value(node: RdfNode, predicate: v.Iri, default: str | None = None) -> str:
    """Return the text of a node's only value, or `default` where the node has no value."""
    if default is not None and predicate not in node:
        return default
    return literal_string(_only_value(node, predicate))


def _only_value(node: RdfNode, predicate: v.Iri) -> RdfObject:
    values = node.get(predicate, {})
    if len(values) != 1:
        raise RecordInvalid(f"{len(values) or 'no'} {predicate.prefix}:{predicate.local}, 1 is needed")
    return next(iter(values))


def literal_string(value: RdfObject) -> str:
    """Return the text of a literal; raise `RecordInvalid` for an IRI or blank node."""
    if not isinstance(value, ox.Literal):
        raise RecordInvalid(f"{value} stands where text should be")
    return v.literal_to_text(value.value, value.datatype.value)


def _as_subject(value: RdfObject) -> RdfSubject:
    if not isinstance(value, ox.NamedNode | ox.BlankNode):
        raise RecordInvalid(f"{value} stands where a resource should be")
    return value


def iri_string(value: RdfObject) -> str:
    """Return the IRI of a named node; empty for any other term."""
    return value.value if isinstance(value, ox.NamedNode) else ""
