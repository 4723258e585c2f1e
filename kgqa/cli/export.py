"""`kgqa export`: a graph as a file of another format."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import TextIO

import click

from graph.algorithms.reachability import neighbourhood
from graph.atomic_file import STDOUT, write_atomically
from graph.model import Alias, Statement
from graph.protocols import GraphStore
from graph.rdf.rdf_writer import SYNTAXES, write_rdf
from graph.rdf.rdflib_graph import DOCUMENT_SYNTAXES, write_rdf_document
from graph.stores import open_store
from kgqa.cli.arguments import options as cli
from kgqa.cli.commands import CommandEntry, LazyGroup
from kgqa.cli.explore import concept_names
from kgqa.cli.output.progress import WorkProgress
from kgqa.cli.output.terminal import count_text, note, printable_text, say, say_json, shell_quote
from kgqa.settings import graph_url

EXPORT_KINDS = {
    "csv": CommandEntry("export:csv", "Write a graph as CSV files for Neo4j's bulk importer."),
    "graphml": CommandEntry("export:graphml", "Write a graph as GraphML, for networkx, Gephi or yEd."),
    "rdf": CommandEntry("export:rdf", "Write a graph as RDF, for SPARQL servers or rdflib."),
    "svg": CommandEntry("export:svg", "Draw what is around a concept."),
}
MOST_CLAIMS = 100_000
"""The most claims that are written with `--around`."""

_RDF_SYNTAXES = [*SYNTAXES, *DOCUMENT_SYNTAXES]

export = LazyGroup(
    "export",
    table=EXPORT_KINDS,
    noun="kind",
    help="Write a graph into a file of another format.\n\nThe file is written whole or not at all.",
    subcommand_metavar="KIND OUT [OPTIONS]...",
    epilog="Example: kgqa export graphml graph.graphml -g mine.kgqa",
)


@cli.command("kgqa export csv import -g mine.kgqa")
def csv(
    out: str = cli.output_argument,
    escape_formulas: bool = cli.escape_formulas_option,
    graph: str | None = cli.graph_option,
    json: bool = cli.json_option,
) -> None:
    """Write a graph as CSV files for Neo4j's bulk importer.

    OUT is a new folder. The command that imports it into an empty, stopped database is printed; kgqa makes the indexes when
    it opens the graph for the first time.
    """
    if out == "-":
        raise cli.WrongUse("the files of 'export csv' need a folder, and cannot go to stdout", "kgqa export csv import")
    from graph.stores.neo4j.csv_export import export_csv

    with cli.open_graph(graph) as store:
        totals = store.stats()
        with WorkProgress(f"writing {out}", totals.claims, "claim") as bar:
            arguments = export_csv(store, out, bar.reached, escape_formulas=escape_formulas)
    if json:
        import_command = shlex.join(["neo4j-admin", *arguments])
        counts = {"claims": totals.claims, "digest": totals.digest}
        say_json({"graph": store.url, "output": out, **counts, "command": import_command})
        return
    say(f"{out}: {count_text(totals.claims, 'claim')} of {store.url}, digest {totals.digest}")
    say("Import them where the database is, while it is stopped:")
    click.echo(_shell_lines(arguments))


def _shell_lines(arguments: list[str]) -> str:
    """Return the command as it may be pasted into a shell, an option a line."""
    words = [printable_text(shlex.quote(word)) for word in ("neo4j-admin", *arguments)]
    options = next((place for place, word in enumerate(words) if word.startswith(("-", "'-"))), len(words))
    return " \\\n  ".join([" ".join(words[:options]), *words[options:]])


@cli.command("kgqa export graphml graph.graphml.gz -g mine.kgqa")
def graphml(out: str = cli.output_argument, graph: str | None = cli.graph_option, json: bool = cli.json_option) -> None:
    """Write a graph as GraphML, for networkx, Gephi or yEd.

    OUT may end in .gz, .bz2 or .zst; - is stdout. A node is a concept, an edge a claim with its relation, polarity, strength,
    belief and counts.
    """
    from graph.draw.graph_export import write_graphml

    with _graph_and_file(out, graph) as (store, file, on_claims):
        written = write_graphml(store, file, on_claims)
    if json:
        say_json({"graph": graph_url(graph), "output": out, "concepts": written.concepts, "claims": written.claims})
        return
    counts = f"{count_text(written.concepts, 'concept')} and {count_text(written.claims, 'claim')}"
    _say_beside(out, f"{counts} of {graph_url(graph)}")


@cli.command("kgqa export rdf graph.ttl.gz -g mine.kgqa")
def rdf(
    out: str = cli.output_argument,
    syntax: str | None = cli.choice_option(
        "--syntax", _RDF_SYNTAXES, "How to write it. Default: as the name of OUT says; for - nt.", default=None
    ),
    flat: bool = cli.flag("--flat", "Write only triples from cause to effect, of what is believed; not to be read back."),
    around: str | None = cli.option(
        "--around", "X", "Write only what is around this concept.", shell_complete=cli.complete_concept
    ),
    steps: int = cli.number_option("--steps", 1, 4, "How many steps around it.", default=1),
    limit: int = cli.limit_option(1_000, "claims around it", most=MOST_CLAIMS),
    graph: str | None = cli.graph_option,
    json: bool = cli.json_option,
) -> None:
    """Write a graph as RDF, for SPARQL servers or rdflib.

    OUT ends in .ttl (Turtle), .nt (N-Triples), .trig (TriG), .jsonld (JSON-LD) or .rdf (RDF/XML), and may end in .gz, .bz2 or
    .zst besides; - is stdout. kgqa load rdf reads it back to the same graph. JSON-LD and RDF/XML are for smaller graphs: rdflib
    holds all of their triples in memory.
    """
    chosen = syntax or _syntax_of(out)
    with _graph_and_file(out, graph) as (store, file, on_claims):
        if around is not None:
            names = concept_names(around, store, graph, f"kgqa export rdf {shell_quote(out)} --around")
            store = _part_around(store, names, steps, limit)
        written = (write_rdf if chosen in SYNTAXES else write_rdf_document)(store, file, chosen, on_claims, flat=flat)
    if json:
        counts = {"claims": written.claims, "evidence": written.evidence, "aliases": written.aliases, "triples": written.triples}
        say_json({"graph": graph_url(graph), "output": out, "syntax": chosen, **counts})
        return
    claims, triples = count_text(written.claims, "claim"), count_text(written.triples, "triple")
    _say_beside(out, f"{claims} of {graph_url(graph)} in {triples}")


@contextmanager
def _graph_and_file(out: str, graph: str | None) -> Iterator[tuple[GraphStore, TextIO, Callable[[int], None]]]:
    """Open a graph and the file to write it to, with what shows the progress over its claims."""
    with cli.open_graph(graph) as store:
        size = store.stats().claims
        with WorkProgress(f"writing {out}", size, "claim") as bar, write_atomically(out) as file:
            yield store, file, bar.reached


def _part_around(store: GraphStore, names: Sequence[str], steps: int, limit: int) -> GraphStore:
    """Return a graph in memory of what is around some concepts, with its evidence and aliases."""
    around = neighbourhood(store, names, steps, limit)
    part = open_store("memory:")
    part.add(Statement(edge.claim, record) for edge in around.edges for record in store.evidence(edge.claim))
    concepts = ((name, store.concept(name)) for name in around.concepts)
    part.add((), [Alias(alias, name) for name, concept in concepts if concept is not None for alias in concept.aliases])
    return part


def _say_beside(out: str, text: str) -> None:
    """Print what is in an output, on stderr where the output itself is stdout."""
    (note if out == STDOUT else say)(f"{out}: {text}")


def _syntax_of(out: str) -> str:
    """Return the syntax that the name of a file asks for; raise `WrongUse` where it asks for none."""
    if out == STDOUT:
        return "nt"
    suffixes = [suffix.removeprefix(".") for suffix in PurePath(out).suffixes]
    syntax = next((suffix for suffix in reversed(suffixes) if suffix not in {"gz", "bz2", "zst"}), "")
    if syntax not in _RDF_SYNTAXES:
        known = ", ".join(f".{known_syntax}" for known_syntax in _RDF_SYNTAXES)
        raise cli.WrongUse(f"'{out}' does not say how to write RDF ({known})", f"kgqa export rdf --syntax ttl {out}")
    return syntax


@cli.command('kgqa export svg cancer.svg --around "lung cancer"')
def svg(
    out: str = cli.output_argument,
    around: str = cli.option("--around", "X", "The concept in the middle.", required=True, **cli.CONCEPT),
    steps: int = cli.number_option("--steps", 1, 4, "How many steps to go from it at most.", default=1),
    limit: int = cli.limit_option(16, "claims", most=200),
    graph: str | None = cli.graph_option,
) -> None:
    """Draw what is around a concept.

    OUT is an SVG file, - is stdout. The causes of X stand on its left, its effects on its right, most believed first; a bar
    ends what prevents or reduces.
    """
    from graph.draw.svg import draw_svg
    from kgqa.cli.explore import edge_text
    from kgqa.wording.claim_clauses import claim_verb

    with cli.open_graph(graph) as store:
        names = concept_names(around, store, graph, f"kgqa export svg {shell_quote(out)} --around")
        edges = [edge for edge in neighbourhood(store, names, steps, limit).edges if edge.cause != edge.effect]
    if not edges:
        note(f"nothing is known around '{names[0]}'; no picture is drawn")
        return
    with write_atomically(out) as file:
        file.write(draw_svg(edges, f"Around {names[0]}", "; ".join(map(edge_text, edges)), names, claim_verb))
    drawn = len({name for edge in edges for name in (edge.cause, edge.effect)})
    _say_beside(out, f"{count_text(drawn, 'concept')} and {count_text(len(edges), 'claim')}")
