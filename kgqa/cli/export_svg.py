"""`kgqa export svg`: a picture of what is around a concept."""

from __future__ import annotations

from contextlib import closing

import click

from graph.algorithms.neighbourhood import neighbourhood
from graph.export.output import STDOUT
from graph.stores import open_store
from kgqa.cli.explore import resolve_concept
from kgqa.cli.options import WholeNumber, concept_argument, graph_option, limit_option, output_argument
from kgqa.cli.picture import draw_around
from kgqa.cli.terminal import count_text, note, say, shell_quote
from kgqa.settings import graph_url


@click.command(epilog='Example: kgqa export svg cancer.svg --around "lung cancer"')
@output_argument
@click.option("--around", metavar="X", required=True, callback=concept_argument, help="The concept in the middle.")
@click.option(
    "--steps", type=WholeNumber(1, 4), metavar="N", default=1, show_default=True, help="How many steps to go from it at most."
)
@limit_option(16, "claims", most=200)
@graph_option
def svg(out: str, around: str, steps: int, limit: int, graph: str | None) -> None:
    """Draw what is around a concept.

    OUT is an SVG file, - is stdout. The causes of X stand on its left, its effects on its right, most believed first; a bar
    ends what prevents or reduces.
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = resolve_concept(around, store, (f"kgqa export svg {shell_quote(out)} --around", ""), graph)
        neighbours = neighbourhood(store, reading.concepts, steps, limit).edges
        edges = [edge for edge in neighbours if edge.cause != edge.effect]
        if not edges:
            note(f"nothing is known around '{reading.concepts[0]}'; no picture is drawn")
            return
        draw_around(out, reading.concepts, edges)
    drawn = len({name for edge in edges for name in (edge.cause, edge.effect)})
    (note if out == STDOUT else say)(f"{out}: {count_text(drawn, 'concept')} and {count_text(len(edges), 'claim')}")
