"""`kgqa check`: verify that a graph is sound."""

from __future__ import annotations

from contextlib import closing

import click

from graph.errors import StoreDamaged
from graph.stores import open_store
from kgqa.cli.arguments.options import WrongUse, graph_option, json_option
from kgqa.cli.output.terminal import count_text, note, say, say_json, say_verbatim
from kgqa.settings import graph_url


@click.command(epilog="Example: kgqa check -g mine.kgqa")
@graph_option
@click.option("--mend", is_flag=True, help="First make anew what is derived: counts, word indexes, the index.")
@json_option
@click.pass_context
def check(context: click.Context, graph: str | None, mend: bool, json: bool) -> None:
    """Verify that a graph is sound.

    Verifies its file, its references, its counts, its digest and its index. The exit code is 1 where something is wrong.
    """
    url = graph_url(graph)
    try:
        if mend:
            _repair(url, context)
        with closing(open_store(url)) as store:
            problems = list(store.check())
    except StoreDamaged as error:
        # It cannot even be opened; its remedy would be this very command.
        if not json:
            note(str(error))
            context.exit(1)
        problems = [str(error)]
    if json:
        say_json({"url": url, "sound": not problems, "problems": problems})
    else:
        for problem in problems:
            say(f"- {problem}", "", "  ")
        say_verbatim(f"{url}: {'sound' if not problems else count_text(len(problems), 'problem')}")
    if problems:
        context.exit(1)


def _repair(url: str, context: click.Context) -> None:
    if url == "memory:" or "://" in url:
        raise WrongUse(f"only a graph in a file can be mended, not '{url}'", "kgqa check --mend -g mine.kgqa", context)
    from graph.stores.sqlite.embedded_store import repair_store

    repair_store(url)
