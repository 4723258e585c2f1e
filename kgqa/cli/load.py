"""`kgqa load`: load claims that others have gathered."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import StrEnum
from typing import Annotated

import typer

from graph.model import Statement
from graph.protocols import Added
from graph.sources.streams import FileArgument, OnSkip, open_input
from graph.stores import open_store
from kgqa.cli.options import Json, WrittenGraph
from kgqa.cli.progress import Progress, Skips
from kgqa.cli.terminal import say, say_json

BATCH = 10_000


class Kind(StrEnum):
    """What a file of claims is."""

    CAUSENET = "causenet"
    CONCEPTNET = "conceptnet"
    CSV = "csv"
    JSONL = "jsonl"


def load(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="causenet, conceptnet, csv or jsonl.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file, compressed or not (- is stdin).")],
    graph: WrittenGraph,
    json: Json = False,
) -> None:
    """Load claims from a file into a graph; loading the same file again changes nothing."""
    read = _reader(kind)
    skips = Skips()
    with open_input(file) as stream, closing(open_store(graph, write=True, create=True)) as store:
        statements = read(stream, skips)
        added, seen = Added(), 0
        with Progress(f"loading {stream.title}", stream) as bar:
            while batch := list(itertools.islice(statements, BATCH)):
                added += store.add(batch)
                seen += len(batch)
                bar.show(f"{seen:,} records")
        skips.report()
        counts = {"concepts": added.concepts, "claims": added.claims, "evidence": added.evidence}
        if json:
            say_json({"input": file, "graph": store.url, "records": seen, "skipped": skips.count, "added": counts})
        else:
            say(f"{file}: {seen:,} records read, {skips.count:,} skipped")
            say(
                f"{store.url}: {added.claims:,} new claims, {added.evidence:,} new evidence records, "
                f"{added.concepts:,} new concepts"
            )


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
