"""`kgqa path`: the chains of claims from one concept to another."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from graph.algorithms.paths import best_paths
from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.chain import drives, path_finding
from kgqa.answering.wording import claim
from kgqa.cli.explore import sure_reading
from kgqa.cli.options import Do, Graph, Json
from kgqa.cli.record import edge_record
from kgqa.cli.terminal import say, say_json
from kgqa.intervention.settings import apply, parse_setting
from kgqa.settings import graph_url


def path(
    x: Annotated[str, typer.Argument(metavar="X", help="The cause.")],
    y: Annotated[str, typer.Argument(metavar="Y", help="The effect.")],
    graph: Graph = None,
    max_length: Annotated[int, typer.Option(min=1, max=6, help="How many steps a chain has at most.")] = 4,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many chains to show at most.")] = 5,
    do: Do = None,
    json: Json = False,
) -> None:
    """Show how X leads to Y: chains of claims along the arrows, best first."""
    settings = [parse_setting(text) for text in do or ()]
    with closing(open_store(graph_url(graph))) as store:
        view: GraphView = apply(store, settings)[0] if settings else store
        cause = sure_reading(x, store, f"path {{}} '{y}'")
        effect = sure_reading(y, store, f"path '{x}' {{}}")
        paths = best_paths(view, cause.concepts, effect.concepts, max_length, limit, drives)
        for one in paths:
            if json:
                edges = [edge_record(edge) for edge in one.edges]
                say_json({"concepts": list(one.concepts), "score": round(one.score, 4), "edges": edges})
                continue
            say(f"{one.score:.2f}  {path_finding(one).text}", "", "      ")
            for edge in one.edges:
                say(f"{edge.belief:.2f}  {claim(edge)}", "        ", "              ")
        if not paths and not json:
            say(f"no chain of at most {max_length} steps leads from '{cause.concepts[0]}' to '{effect.concepts[0]}'")
