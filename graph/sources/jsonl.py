"""The JSON objects of a file, one a line or all in one array; and statements as JSON lines, kgqa's own interchange."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

from graph.errors import InputUnreadable
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, ParsedItem, read_items

Record = Mapping[str, object]  # A JSON object, nothing known of its fields yet
LARGEST_OFFSET = (1 << 63) - 1  # the last offset in a text that a graph can hold
SOURCE_FIELDS = ("kind", "title", "page_id", "revision", "url")  # the fields of a source, in the order of `graph.model.Source`
RawRecord = TypeVar("RawRecord")
EnumField = TypeVar("EnumField", bound=StrEnum)

_SKETCH_DIGITS = re.compile("(?:[0-9a-f]{2})*")


class RecordInvalid(ValueError):
    """A record does not hold what it must; the message says what is wrong, in a few words."""


def json_records(stream: InputStream, on_skip: OnSkip) -> Iterator[tuple[str, Record]]:
    """Yield each object with its place, "line 17" or "item 17"; half an array raises `InputUnreadable`."""
    if stream.peek(1 << 10).lstrip().startswith(b"["):
        for number, item in enumerate(_read_json_array(stream), 1):
            if isinstance(item, dict):
                yield f"item {number}", item
            else:
                on_skip(Skipped(f"item {number}", "not a JSON object"))
    else:
        lines = ((f"line {number}", line) for number, line in stream.lines(on_skip) if line.strip())
        yield from parse_records(lines, lambda line, place: (place, json_record(line)), on_skip)


def parse_records(
    records: Iterable[tuple[str, RawRecord]], parse: Callable[[RawRecord, str], ParsedItem], on_skip: OnSkip
) -> Iterator[ParsedItem]:
    """Yield what `parse` makes of each record and its place; one for which it raises `RecordInvalid` is reported to `on_skip`."""
    for place, record in records:
        try:
            yield parse(record, place)
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))


def json_record(line: str) -> Record:
    """Return the JSON object that `line` holds; raise `RecordInvalid` where it holds none."""
    try:
        value = _parse_json(line)
    except json.JSONDecodeError as error:
        raise RecordInvalid(f"broken JSON: {error.msg} at column {error.colno}") from None
    except UnicodeEncodeError:
        raise RecordInvalid("broken JSON: half of a surrogate pair") from None
    except (ValueError, RecursionError) as error:
        raise RecordInvalid(f"broken JSON: {str(error).split(';')[0]}") from None
    if not isinstance(value, dict):
        raise RecordInvalid("not a JSON object")
    return value


def _read_json_array(stream: InputStream) -> list[object]:
    text = stream.text()
    try:
        values: list[object] = _parse_json(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno} (character {error.pos:,} of {len(text):,})"
        raise InputUnreadable(stream.name, f"broken or cut JSON array: {error.msg.lower()} at {place}") from None
    except UnicodeEncodeError:
        raise InputUnreadable(stream.name, "half of a surrogate pair in its JSON") from None
    except (ValueError, RecursionError) as error:
        raise InputUnreadable(stream.name, f"broken JSON: {str(error).split(';')[0].lower()}") from None
    return values


def _parse_json(text: str) -> Any:
    value = json.loads(text)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()  # raises `UnicodeEncodeError` for half of a surrogate pair
    return value


def text_field(record: Record, *names: str) -> str:
    """Return the first of some fields that is there, numbers as text, or an empty text; raise `RecordInvalid` for others."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None:
            raise RecordInvalid(f"'{name}' is not text")
    return ""


def object_field(record: Record, name: str) -> Record:
    """Return the field `name`, which must be an object; raise `RecordInvalid` where it is not."""
    value = record.get(name)
    if not isinstance(value, dict):
        raise RecordInvalid(f"no '{name}'" if value is None else f"'{name}' is not an object")
    return value


def enum_field(record: Record, name: str, default: EnumField) -> EnumField:
    """Return the field `name` as a word of the enum of `default`, `default` where it is missing; raise `RecordInvalid`."""
    text = text_field(record, name)
    try:
        return _enum_member(type(default), text) if text else default
    except ValueError:
        raise RecordInvalid(f"'{text}' is no {name}; known: {', '.join(type(default))}") from None


@lru_cache(maxsize=256)
def _enum_member(words: type[EnumField], text: str) -> EnumField:
    # The cache is several times as quick as calling the enum, which is done four times for each record.
    return words(text)


def read_statements(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statements of JSON lines of the shape of evidence in `kgqa ask --json`; raise the errors of `read_items`.

    Only "cause" and "effect" must be there, the rest has the defaults of the model. Invalid lines are reported to `on_skip`.
    """

    def read(stream: InputStream, skip: OnSkip) -> Iterator[Statement]:
        return parse_records(json_records(stream, skip), _statement_of_json, skip)

    return read_items(path, read, "statements in JSON lines", on_skip)


def _statement_of_json(record: Record, _: str) -> Statement:
    source = object_field(record, "source") if record.get("source") is not None else {}
    slots = object_field(record, "context") if record.get("context") is not None else {}
    context: list[tuple[str, str]] = []
    for slot, value in slots.items():
        for words in value if isinstance(value, list) else [value]:
            if not isinstance(words, str):
                raise RecordInvalid(f"'{slot}' in 'context' is neither text nor a list of texts")
            context.append((slot, words))
    return statement_of_record(record, source, "", tuple(context))


def statement_of_record(record: Record, source: Record, prefix: str, context: tuple[tuple[str, str], ...]) -> Statement:
    """Return a statement, its source from the fields of `source` that begin with `prefix`; or raise `RecordInvalid`."""
    cause, effect = text_field(record, "cause"), text_field(record, "effect")
    if not cause or not effect:
        raise RecordInvalid(f"no '{'effect' if cause else 'cause'}'")
    relation = enum_field(record, "relation", Relation.CAUSES)
    claim = Claim(cause, effect, relation, enum_field(record, "polarity", Polarity.NONE))
    start, end, text = source.get("start"), source.get("end"), record.get("text")
    if start is None and end is None:
        start = end = None
    elif type(start) is not int or type(end) is not int or not 0 <= start <= end <= LARGEST_OFFSET:
        raise RecordInvalid("'start' and 'end' are not two offsets in order")
    if not (text is None or isinstance(text, str)):
        raise RecordInvalid("'text' is not text")
    evidence = Evidence(
        Source(*[text_field(source, prefix + name) for name in SOURCE_FIELDS]),
        enum_field(record, "stance", Stance.ASSERTED),
        enum_field(record, "strength", Strength.CAUSES),
        text_field(record, "rule"),
        text,
        text_field(source, "section"),
        start,
        end,
        context,
        checked_sketch(text_field(record, "sketch")),
    )
    return Statement(claim, evidence)


def checked_sketch(sketch: str) -> str:
    """Return the sketch of an evidence record; raise `RecordInvalid` where it is none."""
    if not _SKETCH_DIGITS.fullmatch(sketch):
        raise RecordInvalid(f"'{sketch}' is no sketch: pairs of hexadecimal digits are")
    return sketch
