"""`kgqa sparql`: a SPARQL query over a graph, in this process."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
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
from graph.stores import open_store
from kgqa import __version__
from kgqa.cli.arguments.options import (
    WholeNumber,
    WrongUse,
    complete_concept,
    graph_option,
    phrase_argument,
    require_value,
)
from kgqa.cli.explore import resolve_concept
from kgqa.cli.output.progress import Progress, WorkCounter
from kgqa.cli.output.terminal import count_text, note, printable_text, say_verbatim, shell_quote
from kgqa.settings import cache_folder, graph_url

MOST_CLAIMS = 10_000
"""The most claims that are loaded with `--around`."""

_GAP = "  "


@click.command(epilog='Example: kgqa sparql "SELECT ?claim WHERE { ?claim a kgqa:Claim } LIMIT 5"')
@phrase_argument("query", "QUERY")
@graph_option
@click.option(
    "--around",
    metavar="X",
    callback=require_value,
    shell_complete=complete_concept,
    help="Load only what is around this concept.",
)
@click.option("--steps", type=WholeNumber(1, 4), metavar="N", default=1, show_default=True, help="How many steps around it.")
@click.option("--json", "layout", flag_value="json", help="Print SPARQL results in JSON; the triples of CONSTRUCT in JSON-LD.")
@click.option("--csv", "layout", flag_value="csv", help="Print CSV.")
def sparql(query: str, graph: str | None, around: str | None, steps: int, layout: str | None) -> None:
    """Run a SPARQL query over a graph.

    QUERY is a query, the name of a file that holds one (FILE.rq), or - for stdin. The prefixes of the vocabulary are declared:
    kgqa, claim, concept, relation, stance, skos, prov, schema and so on. The graph is only read, and nothing goes over the
    network. A large graph is loaded once, into a folder of the user's cache.
    """
    text = read_query(query)
    with closing(open_store(graph_url(graph))) as store, _sparql_as_wrong_use():
        check_sparql(text)
        if around is not None:
            names = resolve_concept(around, store, (f"kgqa sparql {shell_quote(query)} --around", ""), graph).concepts
            source, claims = open_sparql_neighbourhood(store, names, steps, MOST_CLAIMS)
            if claims >= MOST_CLAIMS:
                note(f"only the nearest {MOST_CLAIMS:,} claims around '{names[0]}' are loaded")
        else:
            tally = WorkCounter(store.stats().claims)
            with Progress(f"loading {store.url}", tally) as bar:

                def done(claims: int) -> None:
                    tally.reached(claims)
                    bar.show(count_text(claims, "claim"))

                cache = cache_folder()
                source = open_sparql_graph(store, cache and cache / "sparql", __version__, done)
        print_result(run_sparql(source, text), layout)


def read_query(argument: str) -> str:
    """Return the query that an argument is, or the content of the file that it names; - is stdin."""
    is_query = any(character.isspace() or character == "{" for character in argument) and not Path(argument).is_file()
    return argument if is_query else open_input(argument).text()


def print_result(table: SparqlTable, layout: str | None) -> None:
    """Print a result in JSON or CSV, or as an aligned table."""
    if layout == "json":
        of_graph = table.result.graph is not None
        text = table.result.serialize(format="json-ld" if of_graph else "json") or b""
        click.echo(json.dumps(json.loads(text), ensure_ascii=False))  # rdflib's spacing depends on what else is installed
    elif layout == "csv":
        lines = io.StringIO()
        rows = csv.writer(lines, lineterminator="\n")
        rows.writerow(table.columns)
        rows.writerows([["" if term is None else str(term) for term in row] for row in table.rows])
        click.echo(lines.getvalue().rstrip("\n"))
    else:
        say_verbatim("\n".join(format_table(table)))


def format_table(table: SparqlTable) -> list[str]:
    """Return a result as lines of aligned columns, numbers to the right; an ASK as "true" or "false"."""
    cells = [[printable_text(format_term(term)) for term in row] for row in table.rows]
    if table.result.type == "ASK":
        return cells[0]
    lines = [list(table.columns), *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    numeric = [all(map(_is_number, column)) and bool(column) for column in zip(*cells, strict=True)] or [False] * len(widths)
    return [
        _GAP.join(
            cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    ]


def _is_number(cell: str) -> bool:
    return cell.lstrip("+-").replace(".", "", 1).isdecimal()


@contextmanager
def _sparql_as_wrong_use() -> Iterator[None]:
    """Make a query that cannot be run wrong use."""
    try:
        yield
    except SparqlInvalid as error:
        raise WrongUse(str(error), "kgqa sparql --help") from None
