"""A graph as CSV files for `neo4j-admin database import`, which fills an empty, stopped database many times faster than queries.

Every name and every source that was met is held in memory, to be written once.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import mkdtemp
from typing import TextIO, TypeVar

from graph.errors import GraphChanged, OutputUnwritable, system_error_text
from graph.model import Claim, Source, Statement
from graph.protocols import GraphStore
from graph.stores.neo4j.cypher_files import LAYOUT_VERSION
from graph.stores.neo4j.value_mapping import (
    QueryRow,
    claim_row,
    concept_row,
    evidence_row,
    index_stems,
    name_key_and_whole,
    page_row,
)
from graph.stores.serialization import chunks

Item = TypeVar("Item")
CLAIMS_AT_ONCE = 5_000
_EVIDENCE = ("stance", "strength", "rule", "text", "section", "start:long", "end:long", "context", "sketch")
_COUNTS = ("support:long", "against:long", "hedged:long", "strength", "sense:long", "grounds")

NODES: dict[str, tuple[str, ...]] = {
    "Concept": ("name:ID(Concept)", "whole", "words"),
    "Alias": ("name:ID(Alias)", "whole"),
    "Claim": ("hash:ID(Claim)", "relation", "polarity"),
    "Evidence": ("hash:ID(Evidence)", *_EVIDENCE),
    "Page": ("key:ID(Page)", "name", "kind", "title", "page_id", "revision", "url"),
    "Graph": ("name:ID(Graph)", "version:long", "digest"),
}
"""The files of nodes, by label, and their columns; a column is the property before its colon."""

RELATIONSHIPS: dict[str, tuple[str, ...]] = {
    "EDGE": ("cause:START_ID(Concept)", "effect:END_ID(Concept)", "type:TYPE", "hash", "polarity", "belief:double", *_COUNTS),
    "CAUSE_IN": ("cause:START_ID(Concept)", "hash:END_ID(Claim)"),
    "TO_EFFECT": ("hash:START_ID(Claim)", "effect:END_ID(Concept)"),
    "SAYS": ("hash:START_ID(Evidence)", "claim:END_ID(Claim)", "type:TYPE"),
    "ON": ("hash:START_ID(Evidence)", "page:END_ID(Page)"),
    "NAMES": ("name:START_ID(Alias)", "concept:END_ID(Concept)"),
}
"""The files of relationships and their columns; where a column is the type, the name of the file says nothing of it."""


def export_csv(store: GraphStore, folder: str | Path, on_claims: Callable[[int], None] = lambda claims: None) -> list[str]:
    """Write a graph into a new folder of CSV files; return the arguments of `neo4j-admin` that import them.

    `on_claims` is told how many claims are written. Raises `OutputUnwritable` where the folder is there already and not empty,
    or cannot be written, and `GraphChanged` where the graph was written to meanwhile; nothing is left then.
    """
    path = Path(folder)
    if path.is_symlink() or (path.exists() and not path.is_dir()) or (path.is_dir() and any(path.iterdir())):
        raise OutputUnwritable(folder, "there is something already; name a new folder")
    try:
        part = Path(mkdtemp(prefix=".kgqa-", suffix=".part", dir=path.parent))
        try:
            with _CsvFiles(part) as files:
                _write(store, files, on_claims)
            part.chmod(0o755)
            part.replace(path)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise OutputUnwritable(folder, system_error_text(error)) from error
    return import_command(path)


def import_command(folder: Path) -> list[str]:
    """Return the arguments of `neo4j-admin` that import the files of a folder into the database `neo4j`."""
    nodes = [f"--nodes={label}={folder / label}.csv" for label in NODES]
    types = {name: name for name in RELATIONSHIPS} | {"EDGE": "", "SAYS": ""}
    relationships = [f"--relationships={f'{type_}=' if type_ else ''}{folder / name}.csv" for name, type_ in types.items()]
    options = ["--multiline-fields=true", "--legacy-style-quoting=false", "--trim-strings=false"]
    return ["database", "import", "full", "neo4j", *nodes, *relationships, *options]


class _CsvFiles:
    """The CSV files of a folder, open to be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self._files: dict[str, TextIO] = {}
        self._columns = {name: [column.split(":")[0] for column in columns] for name, columns in (NODES | RELATIONSHIPS).items()}

    def __enter__(self) -> _CsvFiles:
        for name, columns in (NODES | RELATIONSHIPS).items():
            file = (self._folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
            self._files[name] = self._stack.enter_context(file)
            # Where a file names the two ends of a relationship and its type, these are no properties.
            heads = columns if name in NODES else [_bare_head(column) for column in columns]
            file.write(",".join(heads) + "\n")
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.close()

    def write(self, name: str, rows: Iterable[QueryRow]) -> None:
        """Write rows into the file `name`."""
        columns = self._columns[name]
        self._files[name].writelines(",".join([_cell(row[column]) for column in columns]) + "\n" for row in rows)


def _bare_head(column: str) -> str:
    """Return the head of a column of relationships; the ends and the type go by their kind alone."""
    kind = column.partition(":")[2]
    return f":{kind}" if kind.startswith(("START_ID", "END_ID", "TYPE")) else column


def _cell(value: object) -> str:
    """Return a value as it stands in a file: nothing for no value, text in quotes, so that empty text is text."""
    if value is None:
        return ""
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else repr(value)


def _write(store: GraphStore, files: _CsvFiles, on_claims: Callable[[int], None]) -> None:
    digest = store.digest()
    names: set[str] = set()
    sources: set[Source] = set()
    claims = ((claim, list(statements)) for claim, statements in groupby(store.statements(), attrgetter("claim")))
    done = 0
    for some in chunks(claims, CLAIMS_AT_ONCE):
        new = _unseen((name for claim, _ in some for name in (claim.cause, claim.effect)), names)
        files.write("Concept", map(concept_row, new, index_stems(new)))
        files.write(
            "Page",
            map(page_row, _unseen((statement.evidence.source for _, statements in some for statement in statements), sources)),
        )
        rows = [claim_row(claim, [statement.evidence for statement in statements]) for claim, statements in some]
        for name in ("Claim", "EDGE", "CAUSE_IN", "TO_EFFECT"):
            files.write(name, rows)
        records = list(_records(some))
        for name in ("Evidence", "SAYS", "ON"):
            files.write(name, records)
        done += len(some)
        on_claims(done)
    for aliases in chunks(store.aliases(), CLAIMS_AT_ONCE):
        pairs = [(*name_key_and_whole(alias.name), name_key_and_whole(alias.concept)[0]) for alias in aliases]
        rows = [{"name": name, "whole": whole, "concept": concept} for name, whole, concept in pairs]
        files.write("Alias", rows)
        files.write("NAMES", rows)
    if store.digest() != digest:
        raise GraphChanged(store.url)
    files.write("Graph", [{"name": "kgqa", "version": LAYOUT_VERSION, "digest": digest}])


def _records(claims: Collection[tuple[Claim, list[Statement]]]) -> Iterator[QueryRow]:
    for claim, statements in claims:
        for statement in statements:
            yield evidence_row(claim, statement.evidence.hash(claim), statement.evidence)


def _unseen(items: Iterable[Item], seen: set[Item]) -> list[Item]:
    """Return those of `items` that are not among the seen, once each, and count them as seen."""
    new = [item for item in dict.fromkeys(items) if item not in seen]
    seen.update(new)
    return new
