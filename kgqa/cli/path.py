"""`kgqa path`: the chains of claims from one concept to another."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from graph.algorithms.paths import best_paths
from graph.links import DRIVING_LINKS
from graph.model import Path
from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.change import told
from kgqa.answering.findings import path_finding
from kgqa.answering.validity import LOOKED_AT, SHOWN, by_validity, validity
from kgqa.answering.wording import claim
from kgqa.cli.explore import sure_reading
from kgqa.cli.options import Count, asked_graph, concept, in_json, limit, not_empty, setting_for, settings
from kgqa.cli.terminal import note, quoted, say, say_json
from kgqa.cli.usage import WrongUse
from kgqa.intervention.settings import apply, parse_settings
from kgqa.model import Change
from kgqa.record import chances_record, edge_record
from kgqa.settings import graph_url

if TYPE_CHECKING:
    from graph.intervene.worlds import Difference

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
@click.option("--valid", is_flag=True, help="Only chains that are likely to be valid, the likeliest first.")
@settings
@click.option("--necessary", is_flag=True, help="Say what every chain passes through, and what would block them all.")
@click.option("--svg", metavar="FILE", callback=not_empty, help="Draw the chains into this file, too.")
@in_json
def path(
    x: str,
    y: str,
    graph: str | None,
    max_length: int,
    limit: int,
    valid: bool,
    do: Sequence[str],
    necessary: bool,
    svg: str | None,
    json: bool,
) -> None:
    """Show how X leads to Y, step by step.

    Prints the chains of claims from X to Y along the arrows, best first. The belief in a chain is the product of the beliefs in
    its steps, and less for every step after the first. Behind a chain of several steps stands how probably it is valid: claims
    that are true one by one need not make a chain.
    """
    if svg == "-":
        raise WrongUse("the chains go to stdout, and the picture must go into a file", "kgqa path X Y --svg chains.svg")
    command = ("kgqa path", quoted(x), quoted(y), f"-g {quoted(graph)}" if graph else "")
    with setting_for(*command):
        asked = parse_settings(do)
    with closing(open_store(graph_url(graph))) as store:
        with setting_for(*command):
            world = apply(store, asked) if asked else None
        cause = sure_reading(x, store, ("kgqa path", quoted(y)), graph)
        effect = sure_reading(y, store, (f"kgqa path {quoted(x)}", ""), graph)
        changed = None
        view = world.view if world else store
        most = max(limit, LOOKED_AT) if valid else limit
        if world is None:
            paths = best_paths(store, cause.concepts, effect.concepts, max_length, most, DRIVING_LINKS)
        else:
            from graph.intervene.worlds import difference

            changed = difference(store, world.view, effect.concepts, cause.concepts, DRIVING_LINKS, max_length, most)
            paths = sorted((*changed.surviving, *changed.gained), key=lambda one: (-one.score, one.concepts))[:most]
        if valid:
            paths = [one for probability, one in by_validity(paths, view) if probability >= SHOWN][:limit]
        if json:
            _say_records(view, paths, changed, cause.concepts[0], effect.concepts[0])
        else:
            steps = f"{max_length} steps" if max_length > 1 else "one step"
            what = "chain of causes that is likely to be valid," if valid else "chain of causes"
            none = f"no {what} of at most {steps} leads from '{cause.concepts[0]}' to '{effect.concepts[0]}'"
            if do:
                say(f"with {', '.join(do)}:" if paths else f"with {', '.join(do)}, {none}")
            elif not paths:
                say(none)
            _say_chains(view, paths, changed.gained if changed else ())
            if world is not None and changed is not None:
                _say_change(changed, world.name, cause.concepts[0], effect.concepts[0])
        if necessary:
            from kgqa.cli.blocking import say_necessary

            say_necessary(view, cause.concepts, effect.concepts, max_length, json=json)
        if svg and paths:
            from kgqa.cli.picture import draw_paths

            draw_paths(svg, paths, do)
        elif svg:
            note(f"no chain to draw; '{svg}' is not written")


def _say_chains(view: GraphView, paths: Sequence[Path], gained: Sequence[Path]) -> None:
    """Print chains with their steps, how probably they are valid, and which of them another world has gained."""
    for one in paths:
        doubt = f"  (valid: {validity(one, view):.2f})" if len(one.edges) > 1 else ""
        say(f"{one.score:.2f}  {path_finding(one).text}{doubt}{'  (gained)' if one in gained else ''}", "", "      ")
        for edge in one.edges:
            say(f"{edge.belief:.2f}  {claim(edge)}", "        ", "              ")


def _say_change(changed: Difference, world: str, cause: str, effect: str) -> None:
    """Print which chains another world has lost, and the probability of the effect in both."""
    for one in changed.lost:
        say(f"lost: {one.score:.2f}  {path_finding(one).text}", "", "      ")
    for line in told(Change(effect=effect, given=(cause,), chances=changed.chances, world=world)):
        say(line, "", "      ")


def _say_records(view: GraphView, paths: Sequence[Path], changed: Difference | None, cause: str, effect: str) -> None:
    """Print an object for each chain: with `--do`, those of that world and those that it lost, and what has become of each."""
    chances = changed and chances_record(effect, (cause,), changed.chances)
    fates = {one: word for word in ("surviving", "gained", "lost") for one in (getattr(changed, word) if changed else ())}
    for one in (*paths, *(changed.lost if changed else ())):
        edges = [edge_record(edge) for edge in one.edges]
        probable = round(validity(one, view), 4)
        record = {"concepts": list(one.concepts), "score": round(one.score, 4), "validity": probable, "edges": edges}
        say_json({**record, "change": fates.get(one), "probability": chances})
