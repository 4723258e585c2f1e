"""`kgqa sparql`: a SPARQL query over a graph, in this process."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import click

from graph.rdf.local_sparql import (
    SparqlInvalid,
    SparqlTable,
    check_sparql,
    format_term,
    open_sparql_graph,
    open_sparql_neighbourhood,
    run_sparql,
)
from graph.sources.input_stream import open_input
from graph.text.formula_cells import escape_formula
from kgqa import __version__
from kgqa.cli.arguments import options as cli
from kgqa.cli.explore import concept_names
from kgqa.cli.output.progress import WorkProgress
from kgqa.cli.output.terminal import json_line, note, printable_text, say_verbatim, shell_quote
from kgqa.settings import cache_folder

MOST_CLAIMS = 10_000
"""The most claims that are loaded with `--around`."""

_GAP = "  "


@cli.command('kgqa sparql "SELECT ?claim WHERE { ?claim a kgqa:Claim } LIMIT 5"')
@click.option("--csv", "layout", flag_value="csv", help="Print CSV.")
def sparql(
    query: str = cli.phrase_argument("query", "QUERY"),
    graph: str | None = cli.graph_option,
    around: str | None = cli.option(
        "--around", "X", "Load only what is around this concept.", shell_complete=cli.complete_concept
    ),
    steps: int = cli.number_option("--steps", 1, 4, "How many steps around it.", default=1),
    escape_formulas: bool = cli.escape_formulas_option,
    layout: str | None = cli.option(
        "--json layout", None, "Print SPARQL results in JSON; the triples of CONSTRUCT in JSON-LD.", flag_value="json"
    ),
) -> None:
    """Run a SPARQL query over a graph.

    QUERY is a query, the name of a file that holds one (FILE.rq), or - for stdin. The prefixes of the vocabulary are declared:
    kgqa, claim, concept, relation, stance, skos, prov, schema and so on. The graph is only read, and nothing goes over the
    network. A large graph is loaded once, into a folder of the user's cache.
    """
    is_query = any(character.isspace() or character == "{" for character in query) and not Path(query).is_file()
    text = query if is_query else open_input(query).text()
    try:
        with cli.open_graph(graph) as store:
            check_sparql(text)
            if around is not None:
                names = concept_names(around, store, graph, f"kgqa sparql {shell_quote(query)} --around")
                source, claims = open_sparql_neighbourhood(store, names, steps, MOST_CLAIMS)
                if claims >= MOST_CLAIMS:
                    note(f"only the nearest {MOST_CLAIMS:,} claims around '{names[0]}' are loaded")
            else:
                cache = cache_folder()
                with WorkProgress(f"loading {store.url}", store.stats().claims, "claim") as bar:
                    source = open_sparql_graph(store, cache and cache / "sparql", __version__, bar.reached)
            _print_result(run_sparql(source, text), layout, escape_formula if escape_formulas else str)
    except SparqlInvalid as error:
        raise cli.WrongUse(str(error), "kgqa sparql --help") from None


def _print_result(table: SparqlTable, layout: str | None, csv_cell: Callable[[str], str]) -> None:
    if layout == "json":
        of_graph = table.result.graph is not None
        text = table.result.serialize(format="json-ld" if of_graph else "json") or b""
        click.echo(json_line(json.loads(text)))  # rdflib's spacing depends on what else is installed
    elif layout == "csv":
        lines = io.StringIO()
        rows = csv.writer(lines, lineterminator="\n")
        rows.writerow(table.columns)
        rows.writerows([["" if term is None else csv_cell(str(term)) for term in row] for row in table.rows])
        click.echo(lines.getvalue().rstrip("\n"))
    else:
        say_verbatim("\n".join(_table_lines(table)))


def _table_lines(table: SparqlTable) -> list[str]:
    """Return a result as lines of aligned columns, numbers to the right; an ASK as "true" or "false"."""
    cells = [[printable_text(format_term(term)) for term in row] for row in table.rows]
    if table.result.type == "ASK":
        return cells[0]
    columns = []
    for heading, *column in zip(table.columns, *cells, strict=True):
        width = max(map(len, (heading, *column)))
        numeric = bool(column) and all(map(_is_number, column))
        columns.append([cell.rjust(width) if numeric else cell.ljust(width) for cell in (heading, *column)])
    return [_GAP.join(line).rstrip() for line in zip(*columns, strict=True)]


def _is_number(cell: str) -> bool:
    return cell.lstrip("+-").replace(".", "", 1).isdecimal()
