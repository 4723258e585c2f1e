"""`kgqa export rdf`: a graph as RDF, for SPARQL servers, rdflib and the like."""

from __future__ import annotations

from contextlib import closing
from pathlib import PurePath

import click

from graph.export.output import STDOUT, written_whole
from graph.export.rdf import write_rdf
from graph.export.rdf_syntax import SYNTAXES
from graph.stores import open_store
from kgqa.cli.options import asked_graph, in_json, output
from kgqa.cli.progress import Progress, Tally
from kgqa.cli.terminal import note, number_of, say, say_json
from kgqa.cli.usage import WrongUse
from kgqa.settings import graph_url


@click.command(epilog="Example: kgqa export rdf graph.ttl.gz -g mine.kgqa")
@output
@click.option("--syntax", type=click.Choice(list(SYNTAXES)), help="How to write it. Default: as the name of OUT says; for - nt.")
@asked_graph
@in_json
def rdf(out: str, syntax: str | None, graph: str | None, json: bool) -> None:
    """Write a graph as RDF, for SPARQL servers or rdflib.

    OUT ends in .ttl (Turtle), .nt (N-Triples) or .trig (TriG), and may end in .gz, .bz2 or .zst besides; - is stdout. kgqa load
    rdf reads it back to the same graph.
    """
    chosen = syntax or _syntax(out)
    url = graph_url(graph)
    with closing(open_store(url)) as store:
        tally = Tally(store.stats().claims)
        with Progress(f"writing {out}", tally) as bar, written_whole(out) as file:

            def done(claims: int) -> None:
                tally.reached(claims)
                bar.show(number_of(claims, "claim"))

            written = write_rdf(store, file, chosen, done)
    if json:
        counts = {"claims": written.claims, "evidence": written.evidence, "aliases": written.aliases, "triples": written.triples}
        say_json({"graph": url, "output": out, "syntax": chosen, **counts})
        return
    tell = note if out == STDOUT else say
    tell(f"{out}: {number_of(written.claims, 'claim')} of {url} in {number_of(written.triples, 'triple')}")


def _syntax(out: str) -> str:
    """Return the syntax that the name of a file asks for; raise `WrongUse` where it asks for none."""
    if out == STDOUT:
        return "nt"
    suffixes = [suffix.removeprefix(".") for suffix in PurePath(out).suffixes]
    found = next((suffix for suffix in reversed(suffixes) if suffix not in {"gz", "bz2", "zst"}), "")
    if found not in SYNTAXES:
        raise WrongUse(f"'{out}' does not say how to write RDF (.ttl, .nt or .trig)", f"kgqa export rdf --syntax ttl {out}")
    return found
