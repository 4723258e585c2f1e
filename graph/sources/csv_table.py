"""Statements in a table: CSV, or values between tabs, with a header that names the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from graph.errors import FormatUnknown
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, read_items
from graph.sources.jsonl import Record, RecordInvalid, enum_field, parse_records, text_field
from graph.text.formula_cells import unescape_formula
from graph.text.normalise import concept_name

_EXPECTED = "a table with the columns cause and effect"


def read_csv_table(path: FileArgument, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statement of each row, its concepts under their concept names; raise the errors of `read_items`.

    The columns are cause and effect and, in any order, relation, polarity, strength, stance, text, kind (default "text"), title
    (default: the name of the file), page_id and url. An apostrophe before a formula is no part of its cell. Invalid rows are
    reported to `on_skip` with the line that they begin in.
    """
    return read_items(path, _statements, _EXPECTED, on_skip)


def _statements(stream: InputStream, on_skip: OnSkip) -> Iterator[Statement]:
    rows = csv_rows(stream, on_skip)
    _, header = next(rows, (0, []))
    columns = [name.strip().lower() for name in header]
    if "cause" not in columns or "effect" not in columns:
        raise FormatUnknown(stream.name, _EXPECTED, f"its first line is '{','.join(header)[:80]}'")

    def parse(row: list[str], _: str) -> Statement:
        if len(row) != len(columns):
            raise RecordInvalid(f"{len(row)} values for {len(columns)} columns")
        cells = (unescape_formula(cell.strip()).strip() for cell in row)
        return _statement_of_row(dict(zip(columns, cells, strict=True)), stream.title)

    yield from parse_records(((f"line {line}", row) for line, row in rows), parse, on_skip)


def csv_rows(stream: InputStream, on_skip: OnSkip) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not empty with the number of its first line; a row whose quotes are wrong is skipped."""
    first_line = stream.peek(1 << 12).partition(b"\n")[0]
    reached = 0

    def lines() -> Iterator[str]:
        nonlocal reached
        for number, line in stream.lines(on_skip):
            reached = number
            yield line + "\n"

    reader = csv.reader(lines(), delimiter="\t" if b"\t" in first_line else ",", strict=True)
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
