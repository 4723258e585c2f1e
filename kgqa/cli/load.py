"""`kgqa load`: load claims that others have gathered."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from enum import StrEnum
from typing import TYPE_CHECKING

import click

from graph.errors import GraphError
from graph.model import Statement
from graph.protocols import Added
from graph.sources.streams import FileArgument, InputStream, OnSkip, open_input
from graph.stores import is_new_file, open_store
from kgqa.cli.added import added_record, added_text
from kgqa.cli.inputs import read_until_damaged
from kgqa.cli.options import json_option, target_graph_option
from kgqa.cli.progress import Progress, SkipCounter
from kgqa.cli.terminal import count_text, note, say, say_json

if TYPE_CHECKING:
    from graph.sources.parquet import ParquetParts
    from graph.sources.rdf import RdfInput

    Input = InputStream | ParquetParts | RdfInput

BATCH = 10_000
LARGE = 1 << 26
"""An input of so many bytes, compressed or not, makes a new graph wholly or not at all, which is many times as quick."""


class ClaimFormat(StrEnum):
    """What a file of claims is."""

    CAUSENET = "causenet"
    CONCEPTNET = "conceptnet"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    RDF = "rdf"
    WIKIDATA = "wikidata"


def require_file(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the file argument, which only Wikidata does without: its endpoint is known."""
    if value is None and context.params.get("kind") != ClaimFormat.WIKIDATA:
        raise click.MissingParameter(ctx=context, param=parameter)
    return value


@click.command(epilog="Example: kgqa load causenet causenet-precision.jsonl.bz2 -g mine.kgqa")
@click.argument("kind", metavar="KIND", type=click.Choice([kind.value for kind in ClaimFormat]))
@click.argument("file", metavar="FILE", required=False, callback=require_file)
@target_graph_option
@json_option
def load(kind: str, file: str | None, graph: str, json: bool) -> None:
    """Load claims that others have gathered into a graph.

    KIND is causenet, conceptnet, csv, jsonl, parquet, rdf or wikidata. FILE may be compressed (.gz, .bz2, .zst); - is stdin. For
    parquet it is a file or a folder of part files, as kgqa mine --engine spark writes it; for wikidata the address of a SPARQL
    endpoint, by default the public one. To load a file twice changes nothing, so a run that was stopped is simply run again.
    """
    if kind == ClaimFormat.WIKIDATA or file is None:
        from kgqa.cli.load_wikidata import load_wikidata

        load_wikidata(file, graph, json)
        return
    skips = SkipCounter()
    damage: list[GraphError] = []
    with _open_source(ClaimFormat(kind), file) as source:
        statements = read_until_damaged(_read_statements(ClaimFormat(kind), source, skips), damage.append)
        first = next(statements, None)
        if first is None and damage:
            raise damage[0]  # before a store is made
        statements = itertools.chain(() if first is None else (first,), statements)
        with Progress(f"loading {source.title}", source) as bar, ExitStack() as opened:
            added, seen = Added(), 0
            if (source.size or 0) >= LARGE and is_new_file(graph):
                added, seen = _load_at_once(graph, statements, bar)
            store = opened.enter_context(closing(open_store(graph, write=True, create=True)))
            while batch := list(itertools.islice(statements, BATCH)):
                added += store.add(batch)
                seen += len(batch)
                bar.show(f"{count_text(seen, 'record')}")
            aliases = read_until_damaged(() if isinstance(source, InputStream) else source.aliases(), damage.append)
            while names := list(itertools.islice(aliases, BATCH)):
                store.add((), names)
    skips.report()
    if ClaimFormat(kind) is ClaimFormat.RDF:
        _note_foreign_triples(source)
    if json:
        say_json({"input": file, "graph": graph, "records": seen, "skipped": skips.count, "added": added_record(added)})
    else:
        say(f"{source.name}: {count_text(seen, 'record')} read, {skips.count:,} skipped")
        say(f"new in {graph}: {added_text(added)}")
    if damage:
        raise damage[0]


def _load_at_once(graph: str, statements: Iterable[Statement], bar: Progress) -> tuple[Added, int]:
    """Make a new graph of very many statements; return what is in it and how many there were."""
    from graph.stores.bulk import load_new

    seen = 0

    def show_progress(taken: int, sorting: bool) -> None:
        nonlocal seen
        seen = taken
        bar.show(f"{count_text(seen, 'record')}{', being put in order' if sorting else ''}")

    return load_new(graph, statements, show_progress), seen


def _note_foreign_triples(source: object) -> None:
    """Say how many triples of an RDF file say nothing in our vocabulary, where any do."""
    from graph.sources.rdf import RdfInput

    if isinstance(source, RdfInput) and source.foreign:
        note(f"{source.name}: {count_text(source.foreign, 'triple')} of other vocabularies left out")


def _open_source(kind: ClaimFormat, file: str) -> AbstractContextManager[Input]:
    """Return what a file argument names; part files are opened one after the other."""
    if kind is ClaimFormat.RDF:
        from graph.sources.rdf import RdfInput

        return RdfInput(file)
    if kind is not ClaimFormat.PARQUET:
        return open_input(file)
    from graph.sources.parquet import ParquetParts

    return nullcontext(ParquetParts(file))


def _read_statements(kind: ClaimFormat, source: Input, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statements of an input that is open."""
    return _reader_of(kind)(source, on_skip) if isinstance(source, InputStream) else source.statements(on_skip)


def _reader_of(kind: ClaimFormat) -> Callable[[FileArgument, OnSkip], Iterator[Statement]]:
    """Return the reader of a kind of text file; only that one is imported."""
    match kind:
        case ClaimFormat.CAUSENET:
            from graph.sources.causenet import read_causenet

            return read_causenet
        case ClaimFormat.CONCEPTNET:
            from graph.sources.conceptnet import read_conceptnet

            return read_conceptnet
        case ClaimFormat.CSV:
            from graph.sources.table import read_csv_table

            return read_csv_table
        case _:
            from graph.sources.jsonl import read_statements

            return read_statements
