"""The JSON objects of a file: one a line, or all in one array.

Statements as JSON lines, kgqa's own interchange: every field is written, and what is read back is equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from graph.errors import FormatUnknown, InputEmpty, InputUnreadable
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, open_input

Record = Mapping[str, object]
"""A JSON object, nothing known of its fields yet."""

LARGEST_OFFSET = (1 << 63) - 1
"""The last offset in a text that a graph can hold."""


ParsedItem = TypeVar("ParsedItem")


class RecordInvalid(ValueError):
    """A record does not hold what it must; the message says what is wrong, in a few words."""


def json_records(stream: InputStream, on_skip: OnSkip) -> Iterator[tuple[str, Record]]:
    """Yield each object with its place, "line 17", or "item 17" of an array; empty lines do not count as broken.

    What is not an object is skipped and told to `on_skip`. An array is read as a whole, and half an array is nothing: it
    raises `InputUnreadable`.
    """
    if stream.peek(1 << 10).lstrip().startswith(b"["):
        places = ((f"item {number}", item) for number, item in enumerate(_read_json_array(stream), 1))
        for place, item in places:
            if isinstance(item, dict):
                yield place, item
            else:
                on_skip(Skipped(place, "not a JSON object"))
        return
    for number, line in stream.lines(on_skip):
        if not line.strip():
            continue
        try:
            yield f"line {number}", json_record(line)
        except RecordInvalid as error:
            on_skip(Skipped(f"line {number}", str(error)))


def json_record(line: str) -> Record:
    """Return the JSON object that `line` holds; raise `RecordInvalid` where it holds none."""
    try:
        value = json.loads(line)
        if "\\u" in line:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise RecordInvalid(f"broken JSON: {error.msg} at column {error.colno}") from None
    except UnicodeEncodeError:
        raise RecordInvalid("broken JSON: half of a surrogate pair") from None
    except (ValueError, RecursionError) as error:
        raise RecordInvalid(f"broken JSON: {str(error).split(';')[0]}") from None
    if not isinstance(value, dict):
        raise RecordInvalid("not a JSON object")
    return value


def text_field(record: Record, *names: str) -> str:
    """Return the first of the fields `names` that is there, as text; empty where there is none.

    A number counts as text, as identifiers are often written. Raises `RecordInvalid` for anything else.
    """
    first = record.get(names[0])
    if isinstance(first, str):
        return first  # nearly always
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


class SkipTally:
    """Tells a file with a few bad lines from one in another format: `skip` passes skips on and remembers the first."""

    def __init__(self, on_skip: OnSkip) -> None:
        self._on_skip = on_skip
        self._first: Skipped | None = None

    def skip(self, skipped: Skipped) -> None:
        """Take note of `skipped` and pass it on."""
        self._first = self._first or skipped
        self._on_skip(skipped)

    def require_items(self, items: Iterable[ParsedItem], name: str, expected: str) -> Iterator[ParsedItem]:
        """Yield `items`, read from the file `name`.

        Where there is none, raise `FormatUnknown`, or `InputEmpty` if nothing was skipped either.
        """
        has_items = False
        for item in items:
            has_items = True
            yield item
        if has_items:
            return
        if self._first is None:
            raise InputEmpty(name)
        raise FormatUnknown(name, expected, f"{self._first.where}: {self._first.why}")


def _read_json_array(stream: InputStream) -> list[object]:
    """Read a whole JSON array."""
    text = stream.text()
    try:
        values: list[object] = json.loads(text)
        if "\\u" in text:
            json.dumps(values, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno} (character {error.pos:,} of {len(text):,})"
        raise InputUnreadable(stream.name, f"broken or cut JSON array: {error.msg.lower()} at {place}") from None
    except UnicodeEncodeError:
        raise InputUnreadable(stream.name, "half of a surrogate pair in its JSON") from None
    except (ValueError, RecursionError) as error:
        raise InputUnreadable(stream.name, f"broken JSON: {str(error).split(';')[0].lower()}") from None
    return values


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


def read_statements(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statements of a file of lines of `statement_json`, in order, with names as they stand in it.

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
