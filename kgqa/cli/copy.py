"""`kgqa copy`: copy a graph from one store to another."""

from __future__ import annotations

from contextlib import closing

import click

from graph.stores import open_store
from graph.stores.copying import copy as copied
from kgqa.cli.added import added_record, added_text
from kgqa.cli.options import given, in_json
from kgqa.cli.progress import Progress, Tally
from kgqa.cli.terminal import number_of, say, say_json
from kgqa.cli.usage import WrongUse


@click.command(epilog="Example: kgqa copy mine.kgqa bolt://localhost:7687")
@click.argument("source", metavar="FROM", callback=given)
@click.argument("target", metavar="TO", callback=given)
@in_json
@click.pass_context
def copy(context: click.Context, source: str, target: str, json: bool) -> None:
    """Copy a graph from one store to another.

    FROM and TO are files, or addresses of Neo4j: bolt://HOST:PORT or neo4j://HOST:PORT, encrypted with bolt+s:// or, where the
    certificate cannot be verified, bolt+ssc://; ?database=NAME names a database. TO is made if missing, and keeps what it holds.
    A copy that was stopped is run again, and goes on where it was.
    """
    if source == target:
        raise WrongUse("FROM and TO are the same graph", f"{context.command_path} --help", context)
    with closing(open_store(source)) as one, closing(open_store(target, create=True)) as other:
        size = one.stats()
        tally = Tally(size.evidence)
        with Progress(f"copying {one.url}", tally) as bar:

            def show(records: int) -> None:
                tally.reached(records)
                bar.show(number_of(records, "record"))

            added = copied(one, other, show)
        digests = size.digest, other.digest()
        if json:
            urls, both = {"from": one.url, "to": other.url}, {"digest": digests[0], "digest_to": digests[1]}
            say_json({**urls, **both, "added": added_record(added)})
            return
        say(f"new in {other.url}: {added_text(added)}")
        if digests[0] == digests[1]:
            say(f"digest of both: {digests[0]}")
        else:
            say(f"digest of {one.url}: {digests[0]}")
            say(f"digest of {other.url}, which holds more: {digests[1]}")
