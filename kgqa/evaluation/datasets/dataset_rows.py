"""The rows of a file as records: JSON objects, or lines of a table by the names of its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graph.sources.article import Skipped
from graph.sources.csv_table import csv_rows
from graph.sources.input_stream import InputStream, OnSkip
from graph.sources.jsonl import Record, RecordInvalid, json_records, parse_records, text_field
from kgqa.evaluation.dataset_item import DatasetItem


def json_items(stream: InputStream, on_skip: OnSkip, item_of: Callable[[Record, str], DatasetItem]) -> Iterator[DatasetItem]:
    """Yield what `item_of` makes of each JSON object and its place, "line 17"; what it cannot use is told to `on_skip`."""
    return parse_records(json_records(stream, on_skip), item_of, on_skip)


def table_items(stream: InputStream, on_skip: OnSkip, item_of: Callable[[Record, str], DatasetItem]) -> Iterator[DatasetItem]:
    """Yield what `item_of` makes of each line of a table and its place; what it cannot use is told to `on_skip`."""
    return parse_records(table_records(stream, on_skip), item_of, on_skip)


def looks_like_json(stream: InputStream) -> bool:
    """Return whether an input looks like JSON, without taking anything away from it."""
    return stream.peek(1 << 10).lstrip()[:1] in (b"{", b"[")


def required_text(record: Record, *names: str) -> str:
    """Return the first of some fields that is there, as text without space around it; raise `RecordInvalid` for none."""
    value = text_field(record, *names).strip()
    if not value:
        raise RecordInvalid(f"no '{names[0]}'")
    return value


def text_list(record: Record, name: str) -> tuple[str, ...]:
    """Return a field that is text or a list of texts as texts that are not empty; raise `RecordInvalid` for anything else."""
    value = record.get(name)
    if value is None or value == "":
        return ()
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(entry, str | int | float) and not isinstance(entry, bool) for entry in values):
        raise RecordInvalid(f"'{name}' is not a list of texts")
    return tuple(dict.fromkeys(text for entry in values if (text := str(entry).strip())))


def object_list(record: Record, name: str) -> list[Record]:
    """Return a field that is a list of objects; raise `RecordInvalid` where it is something else."""
    value = record.get(name)
    if not isinstance(value, list) or not all(isinstance(element, dict) for element in value):
        raise RecordInvalid(f"no list of objects '{name}'")
    return value


def place_number(place: str) -> str:
    """Return the number of a place: "17" of "line 17", the id of a row that has none."""
    return place.rpartition(" ")[2]


def table_records(stream: InputStream, on_skip: OnSkip) -> Iterator[tuple[str, Record]]:
    """Yield each line of a table with its place, its values by the names of the columns, in lower case."""
    rows = csv_rows(stream, on_skip)
    _, header = next(rows, (0, []))
    columns = [name.strip().lower() for name in header]
    for line, row in rows:
        if len(row) == len(columns):
            yield f"line {line}", dict(zip(columns, row, strict=True))
        else:
            on_skip(Skipped(f"line {line}", f"{len(row)} values for {len(columns)} columns"))
