"""`kgqa export svg`: a picture of what is around a concept."""

from __future__ import annotations

from contextlib import closing

import click

from graph.algorithms.neighbourhood import neighbourhood
from graph.export.output import STDOUT
from graph.stores import open_store
from kgqa.cli.explore import sure_reading
from kgqa.cli.options import Count, asked_graph, concept, limit, output
from kgqa.cli.picture import draw_around
from kgqa.cli.terminal import note, number_of, quoted, say
from kgqa.settings import graph_url


@click.command(epilog='Example: kgqa export svg cancer.svg --around "lung cancer"')
@output
@click.option("--around", metavar="X", required=True, callback=concept, help="The concept in the middle.")
@click.option(
    "--steps", type=Count(1, 4), metavar="N", default=1, show_default=True, help="How many steps to go from it at most."
)
@limit(16, "claims", most=200)
@asked_graph
def svg(out: str, around: str, steps: int, limit: int, graph: str | None) -> None:
    """Draw what is around a concept.

    OUT is an SVG file, - is stdout. The causes of X stand on its left, its effects on its right, most believed first; a bar
    ends what prevents or reduces.
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = sure_reading(around, store, (f"kgqa export svg {quoted(out)} --around", ""), graph)
        found = neighbourhood(store, reading.concepts, steps, limit).edges
        edges = [edge for edge in found if edge.cause != edge.effect]
        if not edges:
            note(f"nothing is known around '{reading.concepts[0]}'; no picture is drawn")
            return
        draw_around(out, reading.concepts, edges)
    drawn = len({name for edge in edges for name in (edge.cause, edge.effect)})
    (note if out == STDOUT else say)(f"{out}: {number_of(drawn, 'concept')} and {number_of(len(edges), 'claim')}")
