"""`kgqa load`: load claims that others have gathered."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import StrEnum

import click

from graph.errors import GraphError
from graph.model import Statement
from graph.protocols import Added
from graph.sources.streams import FileArgument, OnSkip, open_input
from graph.stores import open_store
from kgqa.cli.added import added_record, added_text
from kgqa.cli.inputs import readable
from kgqa.cli.options import in_json, written_graph
from kgqa.cli.progress import Progress, Skips
from kgqa.cli.terminal import number_of, say, say_json

BATCH = 10_000


class Kind(StrEnum):
    """What a file of claims is."""

    CAUSENET = "causenet"
    CONCEPTNET = "conceptnet"
    CSV = "csv"
    JSONL = "jsonl"


@click.command(epilog="Example: kgqa load causenet causenet-precision.jsonl.bz2 -g mine.kgqa")
@click.argument("kind", metavar="KIND", type=click.Choice([kind.value for kind in Kind]))
@click.argument("file", metavar="FILE")
@written_graph
@in_json
def load(kind: str, file: str, graph: str, json: bool) -> None:
    """Load claims that others have gathered into a graph.

    KIND is causenet, conceptnet, csv or jsonl. FILE may be compressed (.gz, .bz2, .zst); - is stdin. To load a file twice
    changes nothing, so a run that was stopped is simply run again.
    """
    skips = Skips()
    damage: list[GraphError] = []
    with open_input(file) as stream:
        statements = readable(_reader(Kind(kind))(stream, skips), damage.append)
        first = next(statements, None)
        if first is None and damage:
            raise damage[0]  # before a store is made
        statements = itertools.chain(() if first is None else (first,), statements)
        with closing(open_store(graph, write=True, create=True)) as store, Progress(f"loading {stream.title}", stream) as bar:
            added, seen = Added(), 0
            while batch := list(itertools.islice(statements, BATCH)):
                added += store.add(batch)
                seen += len(batch)
                bar.show(f"{seen:,} records")
    skips.report()
    if json:
        say_json({"input": file, "graph": graph, "records": seen, "skipped": skips.count, "added": added_record(added)})
    else:
        say(f"{stream.name}: {number_of(seen, 'record')} read, {skips.count:,} skipped")
        say(f"new in {graph}: {added_text(added)}")
    if damage:
        raise damage[0]


def _reader(kind: Kind) -> Callable[[FileArgument, OnSkip], Iterator[Statement]]:
    """Return the reader of a kind of file; only that one is imported."""
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
        case Kind.JSONL:
            from graph.sources.jsonl import read_statements

            return read_statements
