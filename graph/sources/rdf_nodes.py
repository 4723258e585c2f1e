"""Statements out of RDF: from a claim and what can be looked up of the things that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TypeVar

import pyoxigraph as ox

from graph.export import vocabulary as v
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.records import FARTHEST, RecordInvalid
from graph.sources.streams import OnSkip

Subject = ox.NamedNode | ox.BlankNode | ox.Triple
Object = Subject | ox.Literal
Node = dict[v.Iri, dict[Object, None]]
"""What is said of a subject: objects, each once, by their predicate."""

Lookup = Callable[[Subject], Node]
"""Gives the node of a subject, empty where nothing is said of it."""

Word = TypeVar("Word", bound=StrEnum)

_DIGITS = re.compile("[0-9]{1,99}")
_SHOWN = 40
_SKETCH = re.compile("(?:[0-9a-f]{2})*")


def statements_of(subject: Subject, look_up: Lookup, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statements of a claim; what is invalid of it is told to `on_skip`."""
    node = look_up(subject)
    try:
        claim = _claim(node, look_up)
    except RecordInvalid as error:
        on_skip(Skipped(str(subject), str(error)))
        return
    for record in node.get(v.HAS_EVIDENCE, ()):
        try:
            yield Statement(claim, _evidence(look_up(_subject(record)), look_up))
        except RecordInvalid as error:
            on_skip(Skipped(str(record), str(error)))


def _claim(node: Node, look_up: Lookup) -> Claim:
    """Return a claim; raise `RecordInvalid` where it has no cause, no effect, or a word that is not known."""
    cause, effect = (text_in(look_up(_subject(_one(node, end))), v.LABEL) for end in (v.CAUSE, v.EFFECT))
    if not cause or not effect:
        raise RecordInvalid(f"no '{'effect' if cause else 'cause'}'")
    relation = _word(node, v.RELATION, Relation, Relation.CAUSES)
    return Claim(cause, effect, relation, _word(node, v.POLARITY, Polarity, Polarity.NONE))


def _evidence(node: Node, look_up: Lookup) -> Evidence:
    """Return an evidence record; raise `RecordInvalid` where it has no source or something that is not what it should be."""
    source = look_up(_subject(_one(node, v.DERIVED_FROM)))
    sketched = text_in(node, v.SKETCH, "").lower()
    if not _SKETCH.fullmatch(sketched):
        raise RecordInvalid(f"'{sketched}' is no sketch: pairs of hexadecimal digits are")
    return Evidence(
        Source(*(text_in(source, field, "") for field in (v.KIND, v.TITLE, v.PAGE_ID, v.REVISION, v.URL))),
        _word(node, v.STANCE, Stance, Stance.ASSERTED),
        _word(node, v.STRENGTH, Strength, Strength.CAUSES),
        text_in(node, v.RULE, ""),
        text_in(node, v.TEXT) if v.TEXT in node else None,
        text_in(node, v.SECTION, ""),
        _offset(node, v.START),
        _offset(node, v.END),
        tuple(_context(look_up(_subject(slot)) for slot in node.get(v.HAS_CONTEXT, ()))),
        sketched,
    )


def _context(slots: Iterable[Node]) -> Iterator[tuple[str, str]]:
    """Yield the slots of a context in the order of their positions."""
    placed = [(_offset(slot, v.POSITION) or 0, text_in(slot, v.SLOT), text_in(slot, v.WORDS)) for slot in slots]
    return ((slot, words) for _, slot, words in sorted(placed, key=lambda one: one[0]))


def _word(node: Node, predicate: v.Iri, words: type[Word], default: Word) -> Word:
    """Return a member of an enum of the model, or `default` where the node has none."""
    if predicate not in node:
        return default
    value = _one(node, predicate)
    word = v.word_of(iri_of(value))
    if isinstance(word, words):
        return word
    raise RecordInvalid(f"{value} is no {predicate.local}; known: {', '.join(words)}")


def _offset(node: Node, predicate: v.Iri) -> int | None:
    """Return a number of 0 or more, `None` where the node has none."""
    if predicate not in node:
        return None
    text = text_in(node, predicate)
    if not _DIGITS.fullmatch(text) or int(text) > FARTHEST:
        raise RecordInvalid(f"'{text[:_SHOWN]}' is no {predicate.local}: whole numbers from 0 are")
    return int(text)


def text_in(node: Node, predicate: v.Iri, default: str | None = None) -> str:
    """Return the text of a node's only value, or `default` where it has none."""
    if default is not None and predicate not in node:
        return default
    return string_of(_one(node, predicate))


def _one(node: Node, predicate: v.Iri) -> Object:
    values = node.get(predicate, {})
    if len(values) != 1:
        raise RecordInvalid(f"{len(values) or 'no'} {predicate.prefix}:{predicate.local}, 1 is needed")
    return next(iter(values))


def string_of(value: Object) -> str:
    """Return the text of a literal; raise `RecordInvalid` for anything else."""
    if not isinstance(value, ox.Literal):
        raise RecordInvalid(f"{value} stands where text should be")
    return v.text_of(value.value, value.datatype.value)


def _subject(value: Object) -> Subject:
    if not isinstance(value, ox.NamedNode | ox.BlankNode):
        raise RecordInvalid(f"{value} stands where a resource should be")
    return value


def iri_of(value: Object) -> str:
    """Return an IRI; empty for anything else."""
    return value.value if isinstance(value, ox.NamedNode) else ""
