"""`kgqa load` and `kgqa copy`: put the claims of files, of Wikidata, or of another graph into a graph."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

import click

from graph.errors import GraphError
from graph.model import Statement
from graph.protocols import Added
from graph.sources.input_stream import FileArgument, InputStream, OnSkip, open_input
from graph.stores import is_new_file, open_store
from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import read_until_damaged
from kgqa.cli.output.progress import Progress, SkipCounter, WorkProgress, added_record, added_text
from kgqa.cli.output.terminal import count_text, note, say, say_json
from kgqa.settings import user_agent

if TYPE_CHECKING:
    from graph.rdf.rdf_reader import RdfInput
    from graph.sources.parquet import ParquetParts

    Input = InputStream | ParquetParts | RdfInput


BATCH = 10_000
LARGE = 1 << 26
"""An input of so many bytes, compressed or not, makes a new graph in one bulk insert, whole or not at all: many times as fast."""


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


def read_columns(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return what columns are called, by what they hold."""
    from graph.sources.csv_table import COLUMNS

    for field, sign, name in (value.partition("=") for value in values):
        if field not in COLUMNS or not sign or not name.strip():
            raise click.BadParameter(
                f"'{field}{sign}{name}' is not FIELD=NAME with FIELD of {', '.join(COLUMNS)}.", context, parameter
            )
    return dict(value.split("=", 1) for value in values)


@cli.command("kgqa load causenet causenet-precision.jsonl.bz2 -g mine.kgqa")
def load(
    kind: str = cli.argument("kind", "KIND", type=click.Choice([kind.value for kind in ClaimFormat])),
    file: str | None = cli.argument("file", "FILE", required=False, callback=require_file),
    graph: str = cli.target_graph_option(),
    column: dict[str, str] = cli.option(
        "--column",
        "FIELD=NAME",
        "The column NAME of a csv holds FIELD: cause, effect, relation, stance, text, title, url ...; may be repeated.",
        multiple=True,
        callback=read_columns,
    ),
    json: bool = cli.json_option,
) -> None:
    """Load claims that others have gathered into a graph.

    KIND is causenet, conceptnet, csv, jsonl, parquet, rdf or wikidata. FILE may be compressed (.gz, .bz2, .zst); - is stdin. For
    parquet it is a file or a folder of part files, as kgqa mine --engine spark writes it; for wikidata the address of a SPARQL
    endpoint, by default the public one. To load a file twice changes nothing, so a run that was stopped is simply run again.
    """
    if column and kind != ClaimFormat.CSV:
        raise cli.WrongUse(f"--column names the columns of a csv, not of {kind}", "kgqa load --help")
    if kind == ClaimFormat.WIKIDATA or file is None:
        _load_wikidata(file, graph, json)
        return
    skips = SkipCounter()
    damage: list[GraphError] = []
    with _open_source(kind, file) as source:
        read = _text_reader(kind, column)(source, skips) if isinstance(source, InputStream) else source.statements(skips)
        statements = read_until_damaged(read, damage.append)
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
    if kind == ClaimFormat.RDF:
        from graph.rdf.rdf_reader import RdfInput

        if isinstance(source, RdfInput) and source.foreign:
            note(f"{source.name}: {count_text(source.foreign, 'triple')} of other vocabularies left out")
    if json:
        say_json(_load_record(file, graph, seen, skips, added))
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


def _load_record(source: str, graph: str, seen: int, skips: SkipCounter, added: Added) -> dict[str, object]:
    return {"input": source, "graph": graph, "records": seen, "skipped": skips.count, "added": added_record(added)}


def _open_source(kind: str, file: str) -> AbstractContextManager[Input]:
    """Return what a file argument names; part files are opened one after the other."""
    if kind == ClaimFormat.RDF:
        from graph.rdf.rdf_reader import RdfInput

        return RdfInput(file)
    if kind != ClaimFormat.PARQUET:
        return open_input(file)
    from graph.sources.parquet import ParquetParts

    return nullcontext(ParquetParts(file))


def _note_ignored(names: list[str]) -> None:
    note(f"not read: {count_text(len(names), 'column')}: {', '.join(names[:8])}{' ...' if len(names) > 8 else ''}")


def _text_reader(kind: str, columns: dict[str, str]) -> Callable[[FileArgument, OnSkip], Iterator[Statement]]:
    """Return the reader of a kind of text file; only that one is imported."""
    match kind:
        case ClaimFormat.CAUSENET:
            from graph.sources.causenet import read_causenet as read
        case ClaimFormat.CONCEPTNET:
            from graph.sources.conceptnet import read_conceptnet as read
        case ClaimFormat.CSV:
            from graph.sources.csv_table import read_csv_table

            read = partial(read_csv_table, columns=columns, on_ignored=_note_ignored)
        case _:
            from graph.sources.jsonl import read_statements as read
    return read


def _load_wikidata(address: str | None, graph: str, json: bool) -> None:
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
    keys = {prop: f"wikidata {address} {prop}" for prop in properties}  # of how far a property was read
    with closing(open_store(graph, write=True, create=True)) as store:
        behind = {prop: store.progress(key) for prop, key in keys.items()}
        if any(behind.values()):
            note(f"goes on where it was stopped: {', '.join(f'{prop} behind Q{item}' for prop, item in behind.items() if item)}")
        with WorkProgress(f"loading {address}", len(properties)) as bar:
            for page in read_wikidata_pages(endpoint.select, behind.__getitem__, skips):
                added += store.add(page.statements, page.aliases, (keys[page.property], page.last))
                seen += len(page.statements)
                bar.reached(properties.index(page.property), f"{page.property}, {count_text(seen, 'statement')}")
        for key in keys.values():
            store.add((), (), (key, 0))
    skips.report()
    if json:
        say_json(_load_record(address, graph, seen, skips, added))
    else:
        say(f"{address}: {count_text(seen, 'statement')} read, {skips.count:,} skipped")
        say(f"new in {graph}: {added_text(added)}")


def _note_wait(why: str, seconds: float) -> None:
    note(f"the endpoint {why}; asking again in {count_text(round(seconds), 'second')}")


@cli.command("kgqa copy mine.kgqa bolt://localhost:7687")
def copy(
    context: click.Context,
    source: str = cli.argument("source", "FROM", callback=cli.require_argument),
    target: str = cli.argument("target", "TO", callback=cli.require_argument),
    json: bool = cli.json_option,
) -> None:
    """Copy a graph from one store to another.

    FROM and TO are files, or addresses of Neo4j: bolt://HOST:PORT or neo4j://HOST:PORT, encrypted with bolt+s:// or, where the
    certificate cannot be verified, bolt+ssc://; ?database=NAME names a database. TO is made if missing, and keeps what it holds.
    A copy that was stopped is run again, and goes on where it was.
    """
    if source == target:
        raise cli.WrongUse("FROM and TO are the same graph", f"{context.command_path} --help", context)
    from graph.stores.store_copy import copy_graph

    with closing(open_store(source)) as source_store, closing(open_store(target, create=True)) as target_store:
        size = source_store.stats()
        with WorkProgress(f"copying {source_store.url}", size.evidence, "record") as bar:
            added = copy_graph(source_store, target_store, bar.reached)
        digests = size.digest, target_store.digest()
    if json:
        urls, both = {"from": source_store.url, "to": target_store.url}, {"digest": digests[0], "digest_to": digests[1]}
        say_json({**urls, **both, "added": added_record(added)})
        return
    say(f"new in {target_store.url}: {added_text(added)}")
    if digests[0] == digests[1]:
        say(f"digest of both: {digests[0]}")
    else:
        say(f"digest of {source_store.url}: {digests[0]}")
        say(f"digest of {target_store.url}, which holds more: {digests[1]}")
