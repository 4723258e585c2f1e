"""`kgqa load`: load claims that others have gathered."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from enum import StrEnum
from typing import TYPE_CHECKING

import click

from graph.errors import GraphError
from graph.model import Statement
from graph.protocols import Added
from graph.sources.streams import FileArgument, InputStream, OnSkip, open_input
from graph.stores import open_store
from kgqa.cli.added import added_record, added_text
from kgqa.cli.inputs import readable
from kgqa.cli.options import in_json, written_graph
from kgqa.cli.progress import Progress, Skips
from kgqa.cli.terminal import number_of, say, say_json

if TYPE_CHECKING:
    from graph.sources.parquet import ParquetParts

BATCH = 10_000


class Kind(StrEnum):
    """What a file of claims is."""

    CAUSENET = "causenet"
    CONCEPTNET = "conceptnet"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


@click.command(epilog="Example: kgqa load causenet causenet-precision.jsonl.bz2 -g mine.kgqa")
@click.argument("kind", metavar="KIND", type=click.Choice([kind.value for kind in Kind]))
@click.argument("file", metavar="FILE")
@written_graph
@in_json
def load(kind: str, file: str, graph: str, json: bool) -> None:
    """Load claims that others have gathered into a graph.

    KIND is causenet, conceptnet, csv, jsonl or parquet. FILE may be compressed (.gz, .bz2, .zst); - is stdin. For parquet it is a
    file or a folder of part files, as kgqa mine --engine spark writes it. To load a file twice changes nothing, so a run that
    was stopped is simply run again.
    """
    skips = Skips()
    damage: list[GraphError] = []
    with _opened(Kind(kind), file) as source:
        statements = readable(_statements(Kind(kind), source, skips), damage.append)
        first = next(statements, None)
        if first is None and damage:
            raise damage[0]  # before a store is made
        statements = itertools.chain(() if first is None else (first,), statements)
        with closing(open_store(graph, write=True, create=True)) as store, Progress(f"loading {source.title}", source) as bar:
            added, seen = Added(), 0
            while batch := list(itertools.islice(statements, BATCH)):
                added += store.add(batch)
                seen += len(batch)
                bar.show(f"{number_of(seen, 'record')}")
            aliases = readable(() if isinstance(source, InputStream) else source.aliases(), damage.append)
            while names := list(itertools.islice(aliases, BATCH)):
                store.add((), names)
    skips.report()
    if json:
        say_json({"input": file, "graph": graph, "records": seen, "skipped": skips.count, "added": added_record(added)})
    else:
        say(f"{source.name}: {number_of(seen, 'record')} read, {skips.count:,} skipped")
        say(f"new in {graph}: {added_text(added)}")
    if damage:
        raise damage[0]


def _opened(kind: Kind, file: str) -> AbstractContextManager[InputStream | ParquetParts]:
    """Return what a file argument names; part files are opened one after the other."""
    if kind is not Kind.PARQUET:
        return open_input(file)
    from graph.sources.parquet import ParquetParts

    return nullcontext(ParquetParts(file))


def _statements(kind: Kind, source: InputStream | ParquetParts, on_skip: OnSkip) -> Iterator[Statement]:
    """Yield the statements of an input that is open."""
    return _reader(kind)(source, on_skip) if isinstance(source, InputStream) else source.statements(on_skip)


def _reader(kind: Kind) -> Callable[[FileArgument, OnSkip], Iterator[Statement]]:
    """Return the reader of a kind of text file; only that one is imported."""
    match kind:
        case Kind.CAUSENET:
            from graph.sources.causenet import read_causenet

            return read_causenet
        case Kind.CONCEPTNET:
            from graph.sources.conceptnet import read_conceptnet

            return read_conceptnet
        case Kind.CSV:
            from graph.sources.table import read_table

            return read_table
        case _:
            from graph.sources.jsonl import read_statements

            return read_statements
