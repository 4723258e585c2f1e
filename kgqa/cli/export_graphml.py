"""`kgqa export graphml`: a graph for networkx, Gephi, yEd and the like."""

from __future__ import annotations

from contextlib import closing

import click

from graph.export.graphml import write_graphml
from graph.export.output import STDOUT, written_whole
from graph.stores import open_store
from kgqa.cli.options import asked_graph, in_json, output
from kgqa.cli.progress import Progress, Tally
from kgqa.cli.terminal import note, number_of, say, say_json
from kgqa.settings import graph_url


@click.command(epilog="Example: kgqa export graphml graph.graphml.gz -g mine.kgqa")
@output
@asked_graph
@in_json
def graphml(out: str, graph: str | None, json: bool) -> None:
    """Write a graph as GraphML, for networkx, Gephi or yEd.

    OUT may end in .gz, .bz2 or .zst; - is stdout. A node is a concept, an edge a claim with its relation, polarity, strength,
    belief and counts.
    """
    url = graph_url(graph)
    with closing(open_store(url)) as store:
        tally = Tally(store.stats().claims)
        with Progress(f"writing {out}", tally) as bar, written_whole(out) as file:

            def done(claims: int) -> None:
                tally.reached(claims)
                bar.show(number_of(claims, "claim"))

            written = write_graphml(store, file, done)
    if json:
        say_json({"graph": url, "output": out, "concepts": written.concepts, "claims": written.claims})
        return
    tell = note if out == STDOUT else say
    tell(f"{out}: {number_of(written.concepts, 'concept')} and {number_of(written.claims, 'claim')} of {url}")
