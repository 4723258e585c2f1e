"""`kgqa export`: a graph as a file of another format; the kinds, and where each of them is."""

from __future__ import annotations

import click

from kgqa.cli.commands import CommandEntry, LazyGroup

EXPORT_KINDS = {
    "csv": CommandEntry("export_csv:csv", "Write a graph as CSV files for Neo4j's bulk importer."),
    "graphml": CommandEntry("export_graphml:graphml", "Write a graph as GraphML, for networkx, Gephi or yEd."),
    "rdf": CommandEntry("export_rdf:rdf", "Write a graph as RDF, for SPARQL servers or rdflib."),
    "svg": CommandEntry("export_svg:svg", "Draw what is around a concept."),
}
"""Every kind of export: "module:function" of `kgqa.cli`, imported when it is asked for, and the first line of its help."""


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
