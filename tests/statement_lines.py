"""Statements as JSON lines: every field is written, so that what is read back is equal."""

from __future__ import annotations

from graph.model import Statement
from graph.sources.jsonl import SOURCE_FIELDS
from graph.sources.parquet import statement_row


def statement_json(statement: Statement) -> dict[str, object]:
    """A statement as an object of JSON values, in the shape that `kgqa ask --json` has for evidence."""
    row = statement_row(statement)
    source = {name: row[f"source_{name}"] for name in SOURCE_FIELDS} | {name: row[name] for name in ("section", "start", "end")}
    names = ("cause", "effect", "relation", "polarity", "strength", "stance", "rule", "text", "sketch")
    return {name: row[name] for name in names} | {"context": statement.evidence.slots(), "source": source}
