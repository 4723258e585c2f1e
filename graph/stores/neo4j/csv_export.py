"""A graph as CSV files for `neo4j-admin database import`, which fills an empty, stopped database many times faster than queries.

All names and sources are held in memory, so that each is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import filterfalse, groupby
from operator import attrgetter
from pathlib import Path
from typing import TextIO, TypeVar

from graph.errors import GraphChanged, OutputUnwritable, system_error_text
from graph.model import Source
from graph.protocols import GraphStore
from graph.stores.codec import chunks
from graph.stores.neo4j import value_mapping as mapping
from graph.stores.neo4j.cypher_files import LAYOUT_VERSION
from graph.text.formula_cells import escape_formula
from graph.unfinished_files import unfinished_folder

Item = TypeVar("Item")
CLAIMS_AT_ONCE = 5_000
_PAGE = ("name", "kind", "title", "page_id", "revision", "url")
_EVIDENCE = ("name", "stance", "strength", "rule", "text", "section", "start:long", "end:long", "context", "sketch")
_COUNTS = ("support:long", "against:long", "hedged:long", "strength", "sense:long", "grounds")

NODES: dict[str, tuple[str, ...]] = {
    "Concept": ("name:ID(Concept)", "whole", "words"),
    "Alias": ("name:ID(Alias)", "whole"),
    "Claim": ("hash:ID(Claim)", "relation", "polarity"),
    "Evidence": ("hash:ID(Evidence)", *_EVIDENCE),
    "Page": ("key:ID(Page)", *_PAGE),
    "Source": ("key:ID(Page)", *_PAGE),
    "Graph": ("name:ID(Graph)", "version:long", "digest", "escaped:long"),
}
"""The files of nodes, by label, and their columns; the property is before the colon of a column."""

RELATIONSHIPS: dict[str, tuple[str, ...]] = {
    "EDGE": ("cause:START_ID(Concept)", "effect:END_ID(Concept)", "type:TYPE", "hash", "polarity", "belief:double", *_COUNTS),
    "CAUSE_IN": ("cause:START_ID(Concept)", "hash:END_ID(Claim)"),
    "TO_EFFECT": ("hash:START_ID(Claim)", "effect:END_ID(Concept)"),
    "SAYS": ("hash:START_ID(Evidence)", "claim:END_ID(Claim)", "type:TYPE"),
    "ON": ("hash:START_ID(Evidence)", "page:END_ID(Page)", "on:TYPE"),
    "NAMES": ("name:START_ID(Alias)", "concept:END_ID(Concept)"),
}
"""The files of relationships and their columns; if a column is the type, the name of the file is not."""


def export_csv(
    store: GraphStore,
    folder: str | Path,
    on_claims: Callable[[int], None] = lambda claims: None,
    *,
    escape_formulas: bool = True,
) -> list[str]:
    """Write a graph into a new folder of CSV files; return the arguments of `neo4j-admin` that import them.

    `on_claims` is called with the number of claims that are written. With `escape_formulas` an apostrophe stands before each cell
    that a spreadsheet would compute; it is removed when a store is first opened over what was imported. Raises `OutputUnwritable`
    if the folder exists and is not empty, or cannot be written, and `GraphChanged` if the graph was changed meanwhile; then
    nothing is left.
    """
    path = Path(folder)
    if path.is_symlink() or (path.exists() and not path.is_dir()) or (path.is_dir() and any(path.iterdir())):
        raise OutputUnwritable(folder, "there is something already; name a new folder")
    try:
        with unfinished_folder(path.parent) as part:
            with _CsvFiles(part, escape_formulas=escape_formulas) as files:
                _write(store, files, on_claims)
            part.chmod(0o755)
            part.replace(path)
    except (OSError, UnicodeEncodeError) as error:
        raise OutputUnwritable(folder, system_error_text(error)) from error
    return _import_command(path)


def _import_command(folder: Path) -> list[str]:
    nodes = [f"--nodes={label}={folder / label}.csv" for label in NODES]
    types = {name: name for name in RELATIONSHIPS} | {"EDGE": "", "SAYS": "", "ON": ""}
    relationships = [f"--relationships={f'{type_}=' if type_ else ''}{folder / name}.csv" for name, type_ in types.items()]
    options = ["--multiline-fields=true", "--legacy-style-quoting=false", "--trim-strings=false"]
    return ["database", "import", "full", "neo4j", *nodes, *relationships, *options]


class _CsvFiles(ExitStack):
    """The CSV files of a folder, open to be written."""

    def __init__(self, folder: Path, *, escape_formulas: bool) -> None:
        super().__init__()
        self.escaped = 0
        self._escape_formulas = escape_formulas
        self._files: dict[str, TextIO] = {}
        for name, columns in (NODES | RELATIONSHIPS).items():
            file = self._files[name] = self.enter_context((folder / f"{name}.csv").open("w", encoding="utf-8", newline=""))
            # If a file names the two ends of a relationship and its type, these are not properties.
            heads = columns if name in NODES else [_bare_head(column) for column in columns]
            file.write(",".join(heads) + "\n")

    def write(self, name: str, rows: Iterable[mapping.QueryRow]) -> None:
        """Write rows into the file `name`."""
        columns = [column.partition(":")[0] for column in (NODES | RELATIONSHIPS)[name]]
        self._files[name].writelines(",".join([self._cell(row[column]) for column in columns]) + "\n" for row in rows)

    def _cell(self, value: object) -> str:
        """Return a value as it is written: nothing for no value, text in quotes, so that empty text is text."""
        if not isinstance(value, str):
            return "" if value is None else repr(value)
        if self._escape_formulas and (escaped := escape_formula(value)) != value:
            self.escaped += 1
            value = escaped
        return '"' + value.replace('"', '""') + '"'


def _bare_head(column: str) -> str:
    """Return the head of a column of relationships: for the ends and the type, their kind alone."""
    kind = column.partition(":")[2]
    return f":{kind}" if kind.startswith(("START_ID", "END_ID", "TYPE")) else column


def _write(store: GraphStore, files: _CsvFiles, on_claims: Callable[[int], None]) -> None:
    digest = store.digest()
    names: set[str] = set()
    sources: set[Source] = set()
    grouped = ((claim, list(statements)) for claim, statements in groupby(store.statements(), attrgetter("claim")))
    done = 0
    for chunk in chunks(grouped, CLAIMS_AT_ONCE):
        new = _unseen((name for claim, _ in chunk for name in (claim.cause, claim.effect)), names)
        files.write("Concept", map(mapping.concept_row, new, mapping.index_stems(new)))
        evidence = [(statement.claim, statement.evidence) for _, statements in chunk for statement in statements]
        new_sources = _unseen((record.source for _, record in evidence), sources)
        files.write("Page", map(mapping.page_row, filter(mapping.is_page, new_sources)))
        files.write("Source", map(mapping.page_row, filterfalse(mapping.is_page, new_sources)))
        claims = [mapping.claim_row(claim, [statement.evidence for statement in statements]) for claim, statements in chunk]
        for name in ("Claim", "EDGE", "CAUSE_IN", "TO_EFFECT"):
            files.write(name, claims)
        records = [mapping.evidence_row(claim, record.hash(claim), record) for claim, record in evidence]
        for name in ("Evidence", "SAYS", "ON"):
            files.write(name, records)
        done += len(chunk)
        on_claims(done)
    for aliases in chunks(store.aliases(), CLAIMS_AT_ONCE):
        rows = [mapping.alias_row(alias.name, alias.concept) for alias in aliases]
        files.write("Alias", rows)
        files.write("NAMES", rows)
    if store.digest() != digest:
        raise GraphChanged(store.url)
    files.write("Graph", [{"name": "kgqa", "version": LAYOUT_VERSION, "digest": digest, "escaped": files.escaped or None}])


def _unseen(items: Iterable[Item], seen: set[Item]) -> list[Item]:
    """Return each of the items that are not in `seen` once, and add them to it."""
    new = [item for item in dict.fromkeys(items) if item not in seen]
    seen.update(new)
    return new
