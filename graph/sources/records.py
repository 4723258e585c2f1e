"""The JSON objects of a file: one a line, or all in one array."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from graph.errors import FormatUnknown, InputEmpty, InputUnreadable
from graph.sources.article import Skipped
from graph.sources.streams import InputStream, OnSkip

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
