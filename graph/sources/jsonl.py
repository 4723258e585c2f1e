"""Statements as JSON lines, kgqa's own interchange: every field is written, and what is read back is equal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import TextIO, TypeVar

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.records import LARGEST_OFFSET, Record, RecordInvalid, SkipTally, json_records, object_field, text_field
from graph.sources.streams import FileArgument, InputStream, OnSkip, open_input

EnumField = TypeVar("EnumField", bound=StrEnum)

_SKETCH_DIGITS = re.compile("(?:[0-9a-f]{2})*")


def claim_fields(statement: Statement) -> dict[str, object]:
    """Return what a statement says, without where it was read: the fields that JSON lines and Parquet rows share."""
    claim, evidence = statement.claim, statement.evidence
    return {
        "cause": claim.cause,
        "effect": claim.effect,
        "relation": claim.relation.value,
        "polarity": claim.polarity.value,
        "strength": evidence.strength.value,
        "stance": evidence.stance.value,
        "rule": evidence.rule,
        "text": evidence.text,
    }


def statement_json(statement: Statement) -> dict[str, object]:
    """Return a statement as an object of JSON values, in the shape that `kgqa ask --json` has for evidence."""
    evidence, source = statement.evidence, statement.evidence.source
    return {
        **claim_fields(statement),
        "context": evidence.slots(),
        "sketch": evidence.sketch,
        "source": {
            "kind": source.kind,
            "title": source.title,
            "page_id": source.page_id,
            "revision": source.revision,
            "url": source.url,
            "section": evidence.section,
            "start": evidence.start,
            "end": evidence.end,
        },
    }


def write_statements(statements: Iterable[Statement], file: TextIO) -> int:
    """Write each statement on a line of `file`, in ASCII, and return how many there were."""
    count = 0
    for statement in statements:
        file.write(json.dumps(statement_json(statement)) + "\n")
        count += 1
    return count


def read_statements(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statements of a file of `write_statements`, in order, with names as they stand in it.

    Only "cause" and "effect" must be there, the rest has the defaults of the model. Broken lines are skipped and told to
    `on_skip`; raises the errors of `open_input`, and `FormatUnknown` where no statement is found at all.
    """
    with open_input(path) as stream:
        tally = SkipTally(on_skip)
        yield from tally.require_items(_statements(stream, tally.skip), stream.name, "statements in JSON lines")


def enum_field(record: Record, name: str, words: type[EnumField], default: EnumField) -> EnumField:
    """Return the field `name` as one of `words`, or `default` where it is missing; raise `RecordInvalid` for another word."""
    text = text_field(record, name)
    if not text:
        return default
    try:
        word: EnumField = _enum_member(words, text)
    except ValueError:
        raise RecordInvalid(f"'{text}' is no {name}; known: {', '.join(words)}") from None
    return word


@lru_cache(maxsize=256)
def _enum_member(words: type[EnumField], text: str) -> EnumField:
    # Remembering is several times as quick as calling the enum, and done four times for each record.
    return words(text)


def claim_of_record(record: Record) -> Claim:
    """Return the claim of a record; raise `RecordInvalid` without a cause or an effect, and for words that are not known."""
    cause, effect = text_field(record, "cause"), text_field(record, "effect")
    if not cause or not effect:
        raise RecordInvalid(f"no '{'effect' if cause else 'cause'}'")
    relation = enum_field(record, "relation", Relation, Relation.CAUSES)
    return Claim(cause, effect, relation, enum_field(record, "polarity", Polarity, Polarity.NONE))


def sentence_of_record(record: Record) -> str | None:
    """Return the sentence of a record, `None` where it has none; raise `RecordInvalid` for something else."""
    text = record.get("text")
    if not (text is None or isinstance(text, str)):
        raise RecordInvalid("'text' is not text")
    return text


def _statements(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
    for place, record in json_records(stream, on_skip):
        try:
            yield _statement_of_record(record)
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))


def _statement_of_record(record: Record) -> Statement:
    claim = claim_of_record(record)
    place = object_field(record, "source") if record.get("source") is not None else {}
    start, end = _evidence_offsets(place)
    text = sentence_of_record(record)
    source = Source(*[text_field(place, name) for name in ("kind", "title", "page_id", "revision", "url")])
    return Statement(
        claim,
        Evidence(
            source,
            enum_field(record, "stance", Stance, Stance.ASSERTED),
            enum_field(record, "strength", Strength, Strength.CAUSES),
            text_field(record, "rule"),
            text,
            text_field(place, "section"),
            start,
            end,
            _context_of_record(record),
            _sketch_of_record(record),
        ),
    )


def _context_of_record(record: Record) -> tuple[tuple[str, str], ...]:
    """Return what the sentence ties the claim to, slot by slot."""
    slots = object_field(record, "context") if record.get("context") is not None else {}
    context: list[tuple[str, str]] = []
    for slot, value in slots.items():
        for words in value if isinstance(value, list) else [value]:
            if not isinstance(words, str):
                raise RecordInvalid(f"'{slot}' in 'context' is neither text nor a list of texts")
            context.append((slot, words))
    return tuple(context)


def _sketch_of_record(record: Record) -> str:
    sketched = text_field(record, "sketch")
    if sketched and not _SKETCH_DIGITS.fullmatch(sketched):
        raise RecordInvalid(f"'{sketched}' is no sketch: pairs of hexadecimal digits are")
    return sketched


def _evidence_offsets(place: Record) -> tuple[int | None, int | None]:
    """Return where the sentence stands in its source: two offsets or none."""
    start, end = place.get("start"), place.get("end")
    if start is None and end is None:
        return None, None
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= LARGEST_OFFSET:
        raise RecordInvalid("'start' and 'end' are not two offsets in order")
    return start, end
