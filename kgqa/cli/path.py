"""`kgqa path`: the chains of claims from one concept to another."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import click

from graph.algorithms.paths import best_paths
from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.chain import drives
from kgqa.answering.findings import path_finding
from kgqa.answering.wording import claim
from kgqa.cli.explore import sure_reading
from kgqa.cli.options import Count, asked_graph, concept, in_json, limit, settings
from kgqa.cli.record import edge_record
from kgqa.cli.terminal import quoted, say, say_json
from kgqa.intervention.settings import apply, parse_setting
from kgqa.settings import graph_url

MAX_LENGTH = 6


@click.command(epilog='Example: kgqa path smoking "lung cancer" --max-length 3')
@click.argument("x", metavar="X", callback=concept)
@click.argument("y", metavar="Y", callback=concept)
@asked_graph
@click.option(
    "--max-length",
    type=Count(1, MAX_LENGTH),
    metavar="N",
    default=4,
    show_default=True,
    help="How many steps a chain has at most.",
)
@limit(5, "chains", most=100)
@settings
@in_json
def path(x: str, y: str, graph: str | None, max_length: int, limit: int, do: Sequence[str], json: bool) -> None:
    """Show how X leads to Y, step by step.

    Prints the chains of claims from X to Y along the arrows, best first. The belief in a chain is the product of the beliefs in
    its steps, and less for every step after the first.
    """
    conditions = [parse_setting(text) for text in do]
    with closing(open_store(graph_url(graph))) as store:
        view: GraphView = apply(store, conditions)[0] if conditions else store
        cause = sure_reading(x, store, ("kgqa path", quoted(y)), graph)
        effect = sure_reading(y, store, (f"kgqa path {quoted(x)}", ""), graph)
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
            world = f"with {', '.join(do)}, " if do else ""
            steps = f"{max_length} steps" if max_length > 1 else "one step"
            say(f"{world}no chain of causes of at most {steps} leads from '{cause.concepts[0]}' to '{effect.concepts[0]}'")
