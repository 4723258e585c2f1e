"""`kgqa export`: a graph as a file of another format; the kinds, and where each of them is.

`kgqa export csv`: a graph as files for the bulk importer of Neo4j.

`kgqa export graphml`: a graph for networkx, Gephi, yEd and the like.

`kgqa export rdf`: a graph as RDF, for SPARQL servers, rdflib and the like.

`kgqa export svg`: a picture of what is around a concept.
"""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import PurePath

import click

from graph.atomic_file import STDOUT, write_atomically
from graph.rdf.rdf_writer import SYNTAXES, write_rdf
from graph.rdf.rdflib_graph import DOCUMENT_SYNTAXES, write_rdf_document
from graph.stores import open_store
from kgqa.cli.arguments.options import (
    WholeNumber,
    WrongUse,
    complete_concept,
    concept_argument,
    graph_option,
    json_option,
    limit_option,
    output_argument,
)
from kgqa.cli.commands import CommandEntry, LazyGroup
from kgqa.cli.output.progress import Progress, WorkCounter
from kgqa.cli.output.terminal import count_text, note, printable_text, say, say_json, shell_quote
from kgqa.settings import graph_url

EXPORT_KINDS = {
    "csv": CommandEntry("export:csv", "Write a graph as CSV files for Neo4j's bulk importer."),
    "graphml": CommandEntry("export:graphml", "Write a graph as GraphML, for networkx, Gephi or yEd."),
    "rdf": CommandEntry("export:rdf", "Write a graph as RDF, for SPARQL servers or rdflib."),
    "svg": CommandEntry("export:svg", "Draw what is around a concept."),
}
"""Every kind of export: "module:function" of `kgqa.cli`, imported when it is asked for, and the first line of its help."""


_RDF_SYNTAXES = [*SYNTAXES, *DOCUMENT_SYNTAXES]


class ExportGroup(LazyGroup):
    """The kinds of the table above."""

    table = EXPORT_KINDS
    noun = "kind"


@click.command(
    cls=ExportGroup,
    invoke_without_command=True,
    subcommand_metavar="KIND OUT [OPTIONS]...",
    epilog="Example: kgqa export graphml graph.graphml -g mine.kgqa",
)
@click.pass_context
def export(context: click.Context) -> None:
    """Write a graph into a file of another format.

    The file is written whole or not at all.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)


@click.command(name="csv", epilog="Example: kgqa export csv import -g mine.kgqa")
@output_argument
@graph_option
@json_option
def csv(out: str, graph: str | None, json: bool) -> None:
    """Write a graph as CSV files for Neo4j's bulk importer.

    OUT is a new folder. The command that imports it into an empty, stopped database is printed; kgqa makes the indexes when
    it opens the graph for the first time.
    """
    if out == "-":
        raise WrongUse("the files of 'export csv' need a folder, and cannot go to stdout", "kgqa export csv import")
    from graph.stores.neo4j.csv_export import export_csv

    url = graph_url(graph)
    with closing(open_store(url)) as store:
        totals = store.stats()
        tally = WorkCounter(totals.claims)
        with Progress(f"writing {out}", tally) as bar:

            def done(claims: int) -> None:
                tally.reached(claims)
                bar.show(count_text(claims, "claim"))

            arguments = export_csv(store, out, done)
    command = shlex.join(["neo4j-admin", *arguments])
    if json:
        say_json({"graph": store.url, "output": out, "claims": totals.claims, "digest": totals.digest, "command": command})
        return
    say(f"{out}: {count_text(totals.claims, 'claim')} of {store.url}, digest {totals.digest}")
    say("Import them where the database is, while it is stopped:")
    click.echo(_shell_lines(arguments))


def _shell_lines(arguments: list[str]) -> str:
    """Return the command as it may be pasted into a shell, an option a line."""
    words = [printable_text(shlex.quote(word)) for word in ("neo4j-admin", *arguments)]
    options = next((place for place, word in enumerate(words) if word.startswith(("-", "'-"))), len(words))
    return " \\\n  ".join([" ".join(words[:options]), *words[options:]])


@click.command(epilog="Example: kgqa export graphml graph.graphml.gz -g mine.kgqa")
@output_argument
@graph_option
@json_option
def graphml(out: str, graph: str | None, json: bool) -> None:
    """Write a graph as GraphML, for networkx, Gephi or yEd.

    OUT may end in .gz, .bz2 or .zst; - is stdout. A node is a concept, an edge a claim with its relation, polarity, strength,
    belief and counts.
    """
    from graph.draw.graph_export import write_graphml

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


@click.command(epilog="Example: kgqa export rdf graph.ttl.gz -g mine.kgqa")
@output_argument
@click.option("--syntax", type=click.Choice(_RDF_SYNTAXES), help="How to write it. Default: as the name of OUT says; for - nt.")
@graph_option
@json_option
def rdf(out: str, syntax: str | None, graph: str | None, json: bool) -> None:
    """Write a graph as RDF, for SPARQL servers or rdflib.

    OUT ends in .ttl (Turtle), .nt (N-Triples), .trig (TriG), .jsonld (JSON-LD) or .rdf (RDF/XML), and may end in .gz, .bz2 or
    .zst besides; - is stdout. kgqa load rdf reads it back to the same graph. JSON-LD and RDF/XML are for smaller graphs: rdflib
    holds all of their triples in memory.
    """
    chosen = syntax or _syntax_of(out)
    url = graph_url(graph)
    with closing(open_store(url)) as store:
        tally = WorkCounter(store.stats().claims)
        with Progress(f"writing {out}", tally) as bar, write_atomically(out) as file:

            def done(claims: int) -> None:
                tally.reached(claims)
                bar.show(count_text(claims, "claim"))

            written = (write_rdf if chosen in SYNTAXES else write_rdf_document)(store, file, chosen, done)
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
    if syntax not in _RDF_SYNTAXES:
        known = ", ".join(f".{known_syntax}" for known_syntax in _RDF_SYNTAXES)
        raise WrongUse(f"'{out}' does not say how to write RDF ({known})", f"kgqa export rdf --syntax ttl {out}")
    return syntax


@click.command(epilog='Example: kgqa export svg cancer.svg --around "lung cancer"')
@output_argument
@click.option(
    "--around",
    metavar="X",
    required=True,
    callback=concept_argument,
    shell_complete=complete_concept,
    help="The concept in the middle.",
)
@click.option(
    "--steps", type=WholeNumber(1, 4), metavar="N", default=1, show_default=True, help="How many steps to go from it at most."
)
@limit_option(16, "claims", most=200)
@graph_option
def svg(out: str, around: str, steps: int, limit: int, graph: str | None) -> None:
    """Draw what is around a concept.

    OUT is an SVG file, - is stdout. The causes of X stand on its left, its effects on its right, most believed first; a bar
    ends what prevents or reduces.
    """
    from graph.algorithms.reachability import neighbourhood
    from kgqa.cli.explore import resolve_concept
    from kgqa.cli.output.graph_picture import draw_around

    with closing(open_store(graph_url(graph))) as store:
        reading = resolve_concept(around, store, (f"kgqa export svg {shell_quote(out)} --around", ""), graph)
        neighbours = neighbourhood(store, reading.concepts, steps, limit).edges
        edges = [edge for edge in neighbours if edge.cause != edge.effect]
        if not edges:
            note(f"nothing is known around '{reading.concepts[0]}'; no picture is drawn")
            return
        draw_around(out, reading.concepts, edges)
    drawn = len({name for edge in edges for name in (edge.cause, edge.effect)})
    (note if out == STDOUT else say)(f"{out}: {count_text(drawn, 'concept')} and {count_text(len(edges), 'claim')}")
