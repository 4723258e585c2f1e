"""`kgqa copy`: copy a graph from one store to another."""

from __future__ import annotations

from contextlib import closing

import click

from graph.stores import open_store
from graph.stores.store_copy import copy_graph as copied
from kgqa.cli.arguments.options import WrongUse, json_option, require_argument
from kgqa.cli.output.progress import Progress, WorkCounter, added_record, added_text
from kgqa.cli.output.terminal import count_text, say, say_json


@click.command(epilog="Example: kgqa copy mine.kgqa bolt://localhost:7687")
@click.argument("source", metavar="FROM", callback=require_argument)
@click.argument("target", metavar="TO", callback=require_argument)
@json_option
@click.pass_context
def copy(context: click.Context, source: str, target: str, json: bool) -> None:
    """Copy a graph from one store to another.

    FROM and TO are files, or addresses of Neo4j: bolt://HOST:PORT or neo4j://HOST:PORT, encrypted with bolt+s:// or, where the
    certificate cannot be verified, bolt+ssc://; ?database=NAME names a database. TO is made if missing, and keeps what it holds.
    A copy that was stopped is run again, and goes on where it was.
    """
    if source == target:
        raise WrongUse("FROM and TO are the same graph", f"{context.command_path} --help", context)
    with closing(open_store(source)) as source_store, closing(open_store(target, create=True)) as target_store:
        size = source_store.stats()
        tally = WorkCounter(size.evidence)
        with Progress(f"copying {source_store.url}", tally) as bar:

            def show(records: int) -> None:
                tally.reached(records)
                bar.show(count_text(records, "record"))

            added = copied(source_store, target_store, show)
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
