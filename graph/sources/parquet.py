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
from typing import TYPE_CHECKING

from graph.errors import FormatUnknown, GraphError, InputEmpty, InputMissing, InputUnreadable
from graph.model import Alias, Evidence, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.input_stream import OnSkip
from graph.sources.jsonl import Record, RecordInvalid, claim_fields, claim_of_record, enum_field, sentence_of_record, text_field

if TYPE_CHECKING:
    import pyarrow

CONTEXT = "context"

ALIASES = "_aliases"
"""The subfolder for aliases: two columns of text, "name" and "concept"."""

_BATCH = 10_000


class ParquetUnsupported(GraphError):
    """The package that reads Parquet files is not installed."""

    def __init__(self) -> None:
        super().__init__("Parquet files need pyarrow, which is not installed", "pip install 'kgqa[cluster]'")


def statement_row(statement: Statement) -> dict[str, object]:
    """Return a statement as the row of a Parquet file."""
    evidence, source = statement.evidence, statement.evidence.source
    return {
        **claim_fields(statement),
        "section": evidence.section,
        "sketch": evidence.sketch,
        "source_kind": source.kind,
        "source_title": source.title,
        "source_page_id": source.page_id,
        "source_revision": source.revision,
        "source_url": source.url,
        "start": evidence.start,
        "end": evidence.end,
        CONTEXT: [{"slot": slot, "words": words} for slot, words in evidence.context],
    }


class ParquetParts:
    """A Parquet file, or the part files of a folder, in the order of their names; a folder's aliases besides.

    `size` is the number of bytes of all files, `bytes_read` how many of them were read. Raises `InputMissing`, `InputEmpty` for
    a folder without part files, and `ParquetUnsupported` when it is made.
    """

    def __init__(self, path: str | Path) -> None:
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise ParquetUnsupported from None
        self.name = str(path)
        self.title = Path(path).name
        place = Path(path)
        if not place.exists():
            raise InputMissing(place)
        self._statements = _part_files(place)
        self._aliases = _part_files(place / ALIASES) if (place / ALIASES).is_dir() else []
        if not self._statements:
            raise InputEmpty(place)
        self.size = sum(part.stat().st_size for part in (*self._statements, *self._aliases))
        self.bytes_read = 0

    def statements(self, on_skip: OnSkip) -> Iterator[Statement]:
        """Yield the statements, in order; rows that are none are skipped and told to `on_skip`.

        Raises `InputUnreadable` for a damaged part and `FormatUnknown` for one with other columns, after the parts before it.
        """
        for where, row in self._rows(self._statements, ("cause", "effect")):
            try:
                yield _statement_of_row(row)
            except RecordInvalid as error:
                on_skip(Skipped(where, str(error)))

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
                    _check_columns(part, file.schema_arrow, needed)
                    for batch in file.iter_batches(_BATCH):
                        for row in batch.to_pylist():
                            seen += 1
                            yield f"{place}row {seen:,}", row
                        self.bytes_read = before + size * seen // max(1, file.metadata.num_rows)
            except (pyarrow.ArrowException, OSError) as error:
                raise InputUnreadable(part, str(error).partition("\n")[0].rstrip(".")) from error
            self.bytes_read = before + size


def _part_files(place: Path) -> list[Path]:
    """Return a file itself, or the part files of a folder."""
    if place.is_dir():
        return sorted(part for part in place.glob("*.parquet") if part.is_file() and part.name[0] not in "._")
    return [place]


def _check_columns(part: Path, schema: pyarrow.Schema, needed: tuple[str, str]) -> None:
    """Raise `FormatUnknown` where the columns that must be there are not, or are not text."""
    for name in needed:
        if name not in schema.names:
            raise FormatUnknown(part, "a Parquet file of statements", f"no column '{name}'")


def _statement_of_row(row: Record) -> Statement:
    """Return the statement of a row; raise `RecordInvalid` where it is none."""
    claim, text = claim_of_record(row), sentence_of_record(row)
    start, end = row.get("start"), row.get("end")
    if not ((start is None and end is None) or (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end)):
        raise RecordInvalid("'start' and 'end' are not two offsets in order")
    evidence = Evidence(
        source=Source(*(text_field(row, f"source_{name}") for name in ("kind", "title", "page_id", "revision", "url"))),
        stance=enum_field(row, "stance", Stance, Stance.ASSERTED),
        strength=enum_field(row, "strength", Strength, Strength.CAUSES),
        rule=text_field(row, "rule"),
        text=text,
        section=text_field(row, "section"),
        start=start if isinstance(start, int) else None,
        end=end if isinstance(end, int) else None,
        context=_context_of_row(row.get(CONTEXT)),
        sketch=text_field(row, "sketch"),
    )
    return Statement(claim, evidence)


def _context_of_row(value: object) -> tuple[tuple[str, str], ...]:
    """Return what the sentence ties the claim to, in the order of the row."""
    slots = [] if value is None else value
    if not isinstance(slots, list) or not all(isinstance(entry, dict) for entry in slots):
        raise RecordInvalid(f"'{CONTEXT}' is no list of slots")
    pairs = [(entry.get("slot"), entry.get("words")) for entry in slots]
    if not all(isinstance(slot, str) and isinstance(words, str) for slot, words in pairs):
        raise RecordInvalid(f"'{CONTEXT}' has a slot without a name or words")
    return tuple(pairs)
