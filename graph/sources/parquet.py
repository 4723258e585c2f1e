"""Statements as Parquet files, as mining on a cluster writes them: one row a statement, every field of it a column.

Columns of text: cause, effect, relation, polarity, strength, stance, rule, text (null where only facts are kept), section,
sketch, source_kind, source_title, source_page_id, source_revision, source_url. 64-bit whole numbers: start, end (null where the
source gives no place). context: a list of structures of two texts, slot and words. Cause and effect must be there; what else is
missing has the defaults of the model. A folder of part files is one dataset. Aliases (columns name and concept) lie in its
subfolder `_aliases`, which readers of Parquet pass over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from graph.errors import FormatUnknown, GraphError, InputEmpty, InputMissing, InputUnreadable
from graph.model import Alias, Statement
from graph.sources.input_stream import OnSkip
from graph.sources.jsonl import SOURCE_FIELDS, Record, RecordInvalid, parse_records, statement_of_record

CONTEXT = "context"
ALIASES = "_aliases"  # the subfolder for aliases: two columns of text, "name" and "concept"
_BATCH = 10_000


def statement_row(statement: Statement) -> dict[str, object]:
    """Return a statement as the row of a Parquet file."""
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
        "section": evidence.section,
        "sketch": evidence.sketch,
        **{f"source_{name}": getattr(evidence.source, name) for name in SOURCE_FIELDS},
        "start": evidence.start,
        "end": evidence.end,
        CONTEXT: [{"slot": slot, "words": words} for slot, words in evidence.context],
    }


class ParquetParts:
    """A Parquet file, or the part files of a folder, in the order of their names, and the aliases of the folder.

    `size` and `bytes_read` count the bytes of all files. Raises `InputMissing`, `InputEmpty`, and `GraphError` without pyarrow.
    """

    def __init__(self, path: str | Path) -> None:
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise GraphError("Parquet files need pyarrow, which is not installed", "pip install 'kgqa[cluster]'") from None
        place = Path(path)
        self.name, self.title = str(path), place.name
        if not place.exists():
            raise InputMissing(place)
        self._statements = _part_files(place)
        self._aliases = _part_files(place / ALIASES) if (place / ALIASES).is_dir() else []
        if not self._statements:
            raise InputEmpty(place)
        self.size = sum(part.stat().st_size for part in (*self._statements, *self._aliases))
        self.bytes_read = 0

    def statements(self, on_skip: OnSkip) -> Iterator[Statement]:
        """Yield the statements, report invalid rows; raise `InputUnreadable` for damage, `FormatUnknown` for other columns."""
        return parse_records(self._rows(self._statements, ("cause", "effect")), _statement_of_row, on_skip)

    def aliases(self) -> Iterator[Alias]:
        """Yield the aliases, in order; raises what `statements` raises."""
        for _, row in self._rows(self._aliases, ("name", "concept")):
            name, concept = row.get("name"), row.get("concept")
            if isinstance(name, str) and isinstance(concept, str) and name and concept:
                yield Alias(name, concept)

    def _rows(self, parts: Sequence[Path], needed: tuple[str, str]) -> Iterator[tuple[str, Record]]:
        """Yield each row with its place, "row 17" or "part-00001, row 17"."""
        import pyarrow
        from pyarrow.parquet import ParquetFile

        for part in parts:
            before, size = self.bytes_read, part.stat().st_size
            place = f"{part.name}, " if len(parts) > 1 else ""
            seen = 0
            try:
                with ParquetFile(part) as file:
                    if missing := [name for name in needed if name not in file.schema_arrow.names]:
                        raise FormatUnknown(part, "a Parquet file of statements", f"no column '{missing[0]}'")
                    for batch in file.iter_batches(_BATCH):
                        for row in batch.to_pylist():
                            seen += 1
                            yield f"{place}row {seen:,}", row
                        self.bytes_read = before + size * seen // max(1, file.metadata.num_rows)
            except (pyarrow.ArrowException, OSError) as error:
                raise InputUnreadable(part, str(error).partition("\n")[0].rstrip(".")) from error
            self.bytes_read = before + size


def _part_files(place: Path) -> list[Path]:
    parts = (part for part in place.glob("*.parquet") if part.is_file() and part.name[0] not in "._")
    return sorted(parts) if place.is_dir() else [place]


def _statement_of_row(row: Record, _: str) -> Statement:
    slots = [] if row.get(CONTEXT) is None else row[CONTEXT]
    if not isinstance(slots, list) or not all(isinstance(entry, dict) for entry in slots):
        raise RecordInvalid(f"'{CONTEXT}' is no list of slots")
    context = [(entry.get("slot"), entry.get("words")) for entry in slots]
    if not all(isinstance(slot, str) and isinstance(words, str) for slot, words in context):
        raise RecordInvalid(f"'{CONTEXT}' has a slot without a name or words")
    return statement_of_record(row, row, "source_", tuple(context))
