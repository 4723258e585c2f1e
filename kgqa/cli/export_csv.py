"""`kgqa export csv`: a graph as files for the bulk importer of Neo4j."""

from __future__ import annotations

import shlex
from contextlib import closing

import click

from graph.stores import open_store
from graph.stores.neo4j.bulk import export_csv
from kgqa.cli.options import graph_option, json_option, output_argument
from kgqa.cli.progress import Progress, WorkCounter
from kgqa.cli.terminal import count_text, printable_text, say, say_json
from kgqa.cli.usage import WrongUse
from kgqa.settings import graph_url


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
