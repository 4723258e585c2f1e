"""`kgqa load`: load claims that others have gathered.

`kgqa load wikidata`: causal statements of Wikidata, or of any SPARQL endpoint with data in its shape.
"""

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
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, open_input
from graph.stores import is_new_file, open_store
from kgqa.cli.arguments.inputs import read_until_damaged
from kgqa.cli.arguments.options import json_option, target_graph_option
from kgqa.cli.output.progress import Progress, SkipCounter, WorkCounter, added_record, added_text
from kgqa.cli.output.terminal import count_text, note, say, say_json
from kgqa.settings import user_agent

if TYPE_CHECKING:
    from graph.rdf.rdf_reader import RdfInput
    from graph.sources.parquet import ParquetParts

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
    from graph.stores.sqlite.bulk_insert import load_new

    seen = 0

    def show_progress(taken: int, sorting: bool) -> None:
        nonlocal seen
        seen = taken
        bar.show(f"{count_text(seen, 'record')}{', being put in order' if sorting else ''}")

    return load_new(graph, statements, show_progress), seen


def _note_foreign_triples(source: object) -> None:
    """Say how many triples of an RDF file say nothing in our vocabulary, where any do."""
    from graph.rdf.rdf_reader import RdfInput

    if isinstance(source, RdfInput) and source.foreign:
        note(f"{source.name}: {count_text(source.foreign, 'triple')} of other vocabularies left out")


def _open_source(kind: ClaimFormat, file: str) -> AbstractContextManager[Input]:
    """Return what a file argument names; part files are opened one after the other."""
    if kind is ClaimFormat.RDF:
        from graph.rdf.rdf_reader import RdfInput

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
            from graph.sources.csv_table import read_csv_table

            return read_csv_table
        case _:
            from graph.sources.jsonl import read_statements

            return read_statements


def load_wikidata(address: str | None, graph: str, json: bool) -> None:
    """Load what an endpoint says into a graph; a run that was stopped goes on behind the last page that it added.

    When all is read the places are forgotten, so that the next run sees what has changed since.
    """
    from graph.net.sparql_endpoint import SparqlEndpoint
    from graph.sources.wikidata import read_wikidata_pages, wikidata_table

    address = address or wikidata_table().endpoint
    skips = SkipCounter()
    endpoint = SparqlEndpoint(address, user_agent(), on_wait=_note_wait)
    endpoint.check()  # before a graph is made
    added, seen, properties = Added(), 0, [prop.id for prop in wikidata_table().properties]
    with closing(open_store(graph, write=True, create=True)) as store:
        behind = {prop: store.progress(_progress_key(address, prop)) for prop in properties}
        if any(behind.values()):
            note(f"goes on where it was stopped: {', '.join(f'{prop} behind Q{item}' for prop, item in behind.items() if item)}")
        tally = WorkCounter(len(properties))
        with Progress(f"loading {address}", tally) as bar:
            for page in read_wikidata_pages(endpoint.select, behind.__getitem__, skips):
                added += store.add(page.statements, page.aliases, (_progress_key(address, page.property), page.last))
                seen += len(page.statements)
                tally.reached(properties.index(page.property))
                bar.show(f"{page.property}, {count_text(seen, 'statement')}")
        for prop in properties:
            store.add((), (), (_progress_key(address, prop), 0))
    skips.report()
    if json:
        say_json({"input": address, "graph": graph, "records": seen, "skipped": skips.count, "added": added_record(added)})
    else:
        say(f"{address}: {count_text(seen, 'statement')} read, {skips.count:,} skipped")
        say(f"new in {graph}: {added_text(added)}")


def _progress_key(address: str, prop: str) -> str:
    """Return the name under which a graph remembers how far a property was read."""
    return f"wikidata {address} {prop}"


def _note_wait(why: str, seconds: float) -> None:
    note(f"the endpoint {why}; asking again in {count_text(round(seconds), 'second')}")
