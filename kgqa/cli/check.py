"""`kgqa check`: verify that a graph is sound."""

from __future__ import annotations

from contextlib import closing

import typer

from graph.stores import open_store
from kgqa.cli.options import Graph, Json
from kgqa.cli.terminal import say, say_json
from kgqa.settings import graph_url


def check(graph: Graph = None, json: Json = False) -> None:
    """Verify a graph: its file, its references, its counts and its digest. Exit code 1 where something is wrong."""
    with closing(open_store(graph_url(graph))) as store:
        problems = list(store.check())
        if json:
            say_json({"url": store.url, "sound": not problems, "problems": problems})
        else:
            for problem in problems:
                say(f"- {problem}", "", "  ")
            say(f"{store.url}: {'sound' if not problems else f'{len(problems)} problems'}")
    if problems:
        raise typer.Exit(1)
