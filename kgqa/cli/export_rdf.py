"""`kgqa export rdf`: a graph as RDF, for SPARQL servers, rdflib and the like."""

from __future__ import annotations

from contextlib import closing
from pathlib import PurePath

import click

from graph.export.output import STDOUT, write_atomically
from graph.export.rdf import write_rdf
from graph.export.rdf_syntax import SYNTAXES
from graph.stores import open_store
from kgqa.cli.options import graph_option, json_option, output_argument
from kgqa.cli.progress import Progress, WorkCounter
from kgqa.cli.terminal import count_text, note, say, say_json
from kgqa.cli.usage import WrongUse
from kgqa.settings import graph_url


@click.command(epilog="Example: kgqa export rdf graph.ttl.gz -g mine.kgqa")
@output_argument
@click.option("--syntax", type=click.Choice(list(SYNTAXES)), help="How to write it. Default: as the name of OUT says; for - nt.")
@graph_option
@json_option
def rdf(out: str, syntax: str | None, graph: str | None, json: bool) -> None:
    """Write a graph as RDF, for SPARQL servers or rdflib.

    OUT ends in .ttl (Turtle), .nt (N-Triples) or .trig (TriG), and may end in .gz, .bz2 or .zst besides; - is stdout. kgqa load
    rdf reads it back to the same graph.
    """
    chosen = syntax or _syntax_of(out)
    url = graph_url(graph)
    with closing(open_store(url)) as store:
        tally = WorkCounter(store.stats().claims)
        with Progress(f"writing {out}", tally) as bar, write_atomically(out) as file:

            def done(claims: int) -> None:
                tally.reached(claims)
                bar.show(count_text(claims, "claim"))

            written = write_rdf(store, file, chosen, done)
    if json:
        counts = {"claims": written.claims, "evidence": written.evidence, "aliases": written.aliases, "triples": written.triples}
        say_json({"graph": url, "output": out, "syntax": chosen, **counts})
        return
    tell = note if out == STDOUT else say
    tell(f"{out}: {count_text(written.claims, 'claim')} of {url} in {count_text(written.triples, 'triple')}")


def _syntax_of(out: str) -> str:
    """Return the syntax that the name of a file asks for; raise `WrongUse` where it asks for none."""
    if out == STDOUT:
        return "nt"
    suffixes = [suffix.removeprefix(".") for suffix in PurePath(out).suffixes]
    syntax = next((suffix for suffix in reversed(suffixes) if suffix not in {"gz", "bz2", "zst"}), "")
    if syntax not in SYNTAXES:
        raise WrongUse(f"'{out}' does not say how to write RDF (.ttl, .nt or .trig)", f"kgqa export rdf --syntax ttl {out}")
    return syntax
