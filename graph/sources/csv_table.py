"""Statements in a table: values between commas, tabs, semicolons or bars, with a header that names the columns."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping

from graph.errors import FormatUnknown
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, read_items
from graph.sources.jsonl import Record, RecordInvalid, enum_field, parse_records, text_field
from graph.text.formula_cells import unescape_formula
from graph.text.normalise import concept_name

COLUMNS = ("cause", "effect", "relation", "polarity", "strength", "stance", "text", "kind", "title", "page_id", "url")
"""What a column may hold: the ends of a claim, its attributes, its sentence, and the page that states it."""
_EXPECTED = "a table with the columns cause and effect"


def read_csv_table(
    path: FileArgument,
    on_skip: OnSkip,
    columns: Mapping[str, str] | None = None,
    on_ignored: Callable[[list[str]], None] = lambda names: None,
) -> Iterator[Statement]:
    """Yield the statement of each row, its concepts under their concept names; raise the errors of `read_items`.

    The columns are those of `COLUMNS` in any order and case; kind is "text" and title the name of the file where there is none.
    `columns` gives, by what it holds, the name of a column that the table calls otherwise. Columns that hold nothing of this are
    passed to `on_ignored`. An apostrophe before a formula is no part of its cell. Invalid rows are reported to `on_skip` with the
    line that they begin in. Raises `FormatUnknown` where there is no cause or effect, or no column of a name in `columns`.
    """
    called = {_column_name(name): field for field, name in (columns or {}).items()}

    def statements(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
        return _statements(stream, on_skip, called, on_ignored)

    return read_items(path, statements, _EXPECTED, on_skip)


def _column_name(name: str) -> str:
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split())


def _statements(
    stream: InputStream, on_skip: OnSkip, called: Mapping[str, str], on_ignored: Callable[[list[str]], None]
) -> Iterator[Statement]:
    rows = csv_rows(stream, on_skip)
    _, header = next(rows, (0, []))
    names = list(map(_column_name, header))
    fields = [called.get(name, name if name not in called.values() else "") for name in names]
    for wanted in ("cause", "effect", *called.values()):
        if wanted not in fields:
            first_line = ",".join(header)[:80]
            remedy = f"name its column: --column {wanted}=NAME"
            expected = _EXPECTED if wanted in ("cause", "effect") else f"a table with a column for the {wanted}"
            raise FormatUnknown(stream.name, expected, f"its first line is '{first_line}'", remedy)
    if ignored := [name for name, field in zip(header, fields, strict=True) if field not in COLUMNS]:
        on_ignored(ignored)

    def parse(row: list[str], _: str) -> Statement:
        if len(row) != len(fields):
            raise RecordInvalid(f"{len(row)} values for {len(fields)} columns")
        cells = (unescape_formula(cell.strip()).strip() for cell in row)
        return _statement_of_row(dict(zip(fields, cells, strict=True)), stream.title)

    yield from parse_records(((f"line {line}", row) for line, row in rows), parse, on_skip)


def csv_rows(stream: InputStream, on_skip: OnSkip) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not empty with the number of its first line; a row whose quotes are wrong is skipped."""
    first_line = stream.peek(1 << 12).partition(b"\n")[0].decode("utf-8", "replace")
    delimiter = "\t" if "\t" in first_line else max(",;|", key=first_line.count)
    reached = 0

    def lines() -> Iterator[str]:
        nonlocal reached
        for number, line in stream.lines(on_skip):
            reached = number
            yield line + "\n"

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    while True:
        begin = reached + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            on_skip(Skipped(f"line {begin}", str(error)))
            continue
        if row is None:
            return
        if any(row):
            yield begin, row


def _statement_of_row(row: Record, title: str) -> Statement:
    cause, effect = (concept_name(text_field(row, role)) for role in ("cause", "effect"))
    if not cause or not effect:
        raise RecordInvalid(f"the {'effect' if cause else 'cause'} has no name")
    relation = enum_field(row, "relation", Relation.CAUSES)
    claim = Claim(cause, effect, relation, enum_field(row, "polarity", Polarity.NONE))
    kind, title = text_field(row, "kind") or "text", text_field(row, "title") or title
    source = Source(kind, title, text_field(row, "page_id"), url=text_field(row, "url"))
    stance = enum_field(row, "stance", Stance.ASSERTED)
    strength = enum_field(row, "strength", Strength.CAUSES)
    return Statement(claim, Evidence(source, stance, strength, "table", text_field(row, "text") or None))
