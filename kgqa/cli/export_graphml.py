"""`kgqa export graphml`: a graph for networkx, Gephi, yEd and the like."""

from __future__ import annotations

from contextlib import closing

import click

from graph.export.graphml import write_graphml
from graph.export.output import STDOUT, write_atomically
from graph.stores import open_store
from kgqa.cli.options import graph_option, json_option, output_argument
from kgqa.cli.progress import Progress, WorkCounter
from kgqa.cli.terminal import count_text, note, say, say_json
from kgqa.settings import graph_url


@click.command(epilog="Example: kgqa export graphml graph.graphml.gz -g mine.kgqa")
@output_argument
@graph_option
@json_option
def graphml(out: str, graph: str | None, json: bool) -> None:
    """Write a graph as GraphML, for networkx, Gephi or yEd.

    OUT may end in .gz, .bz2 or .zst; - is stdout. A node is a concept, an edge a claim with its relation, polarity, strength,
    belief and counts.
    """
    url = graph_url(graph)
    with closing(open_store(url)) as store:
        tally = WorkCounter(store.stats().claims)
        with Progress(f"writing {out}", tally) as bar, write_atomically(out) as file:

            def done(claims: int) -> None:
                tally.reached(claims)
                bar.show(count_text(claims, "claim"))

            written = write_graphml(store, file, done)
    if json:
        say_json({"graph": url, "output": out, "concepts": written.concepts, "claims": written.claims})
        return
    tell = note if out == STDOUT else say
    tell(f"{out}: {count_text(written.concepts, 'concept')} and {count_text(written.claims, 'claim')} of {url}")
