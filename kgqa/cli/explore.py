"""`kgqa causes`, `kgqa effects` and `kgqa show`: look around in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import click

from graph.algorithms.cycles import Loop, feedback_loops
from graph.model import Edge
from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.evidence import cited
from kgqa.answering.wording import claim
from kgqa.cli.options import asked_graph, concept, in_json, limit, phrase
from kgqa.cli.render import cited_lines, sources_of
from kgqa.cli.terminal import quoted, say, say_boldly, say_json
from kgqa.errors import ConceptUnknown
from kgqa.linking.linker import Reading, near_names, readings
from kgqa.record import edge_record, evidence_record
from kgqa.settings import graph_url


@click.command(epilog="Example: kgqa causes smoking --limit 5")
@phrase("x", "X", of=concept)
@asked_graph
@limit(20, "causes")
@in_json
def causes(x: str, graph: str | None, limit: int, json: bool) -> None:
    """List what causes X, most believed first.

    X is a concept, for instance smoking or "lung cancer".
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = sure_reading(x, store, ("kgqa causes", ""), graph)
        _list([edge for name in reading.concepts for edge in store.causes(name)], limit, json)


@click.command(epilog="Example: kgqa effects smoking --limit 5")
@phrase("x", "X", of=concept)
@asked_graph
@limit(20, "effects")
@in_json
def effects(x: str, graph: str | None, limit: int, json: bool) -> None:
    """List what X causes, most believed first.

    X is a concept, for instance smoking or "lung cancer".
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = sure_reading(x, store, ("kgqa effects", ""), graph)
        _list([edge for name in reading.concepts for edge in store.effects(name)], limit, json)


@click.command(epilog='Example: kgqa show "lung cancer" --limit 3')
@phrase("x", "X", of=concept)
@asked_graph
@limit(10, "causes and effects")
@click.option("--loops", is_flag=True, help="Show the feedback loops through X, too.")
@in_json
def show(x: str, graph: str | None, limit: int, loops: bool, json: bool) -> None:
    """Show a concept: its names, causes and effects.

    X is a concept, for instance smoking or "lung cancer". Every cause and effect comes with a place that says so.
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = sure_reading(x, store, ("kgqa show", ""), graph)
        concepts = [concept for name in reading.concepts if (concept := store.concept(name)) is not None]
        aliases = [alias for concept in concepts for alias in concept.aliases]
        into = _strongest([edge for name in reading.concepts for edge in store.causes(name)], limit)
        out = _strongest([edge for name in reading.concepts for edge in store.effects(name)], limit)
        found = feedback_loops(store, reading.concepts, limit=limit) if loops else ()
        if json:
            say_json(
                {
                    "concept": reading.concepts[0],
                    "names": list(reading.concepts),
                    "aliases": aliases,
                    "causes": [_with_evidence(store, edge) for edge in into],
                    "effects": [_with_evidence(store, edge) for edge in out],
                    **({"loops": list(map(_loop_record, found))} if loops else {}),
                }
            )
            return
        say_boldly(", ".join(reading.concepts))
        if aliases:
            say(f"also: {', '.join(aliases)}", "  ")
        for heading, edges in (("Causes", into), ("Effects", out)):
            say()
            say(heading if edges else f"{heading}: none known")
            for edge in edges:
                _say_edge(edge)
                for one in cited(store, [edge], each=1)[0]:
                    cited_lines(one, "", "      ")
        if loops:
            say()
            say("Loops" if found else "Loops: none known")
            for loop in found:
                sign = "reinforcing" if loop.reinforcing else "balancing"
                say(f"{loop.path.score:.2f}  {sign}: {' → '.join(loop.path.concepts)}", "", "      ")
                for edge in loop.path.edges:
                    say(f"{edge.belief:.2f}  {claim(edge)}", "        ", "              ")


def sure_reading(phrase: str, view: GraphView, around: tuple[str, str], graph: str | None) -> Reading:
    """Return the reading of a phrase as a concept of that very name or form.

    Raises `ConceptUnknown` with near names and a command to try: the nearest name between what stands around it.
    """
    reading = next(readings(phrase, view), None)
    if reading is not None and reading.how in ("exact", "alias", "acronym", "same words", "same stems"):
        return reading
    near = near_names(phrase, view)
    if not near:
        raise ConceptUnknown(phrase)
    before, after = around
    words = (before, quoted(near[0]), after, f"-g {quoted(graph)}" if graph else "")
    raise ConceptUnknown(phrase, near, " ".join(word for word in words if word))


def _list(edges: Sequence[Edge], limit: int, json: bool) -> None:
    """Print edges, strongest first."""
    shown = _strongest(edges, limit)
    for edge in shown:
        if json:
            say_json(edge_record(edge))
        else:
            _say_edge(edge)
    if not edges and not json:
        say("none known")


def _strongest(edges: Sequence[Edge], limit: int) -> list[Edge]:
    """Return the edges by belief, support and name, at most `limit`."""
    return sorted(edges, key=lambda edge: (-edge.belief, -edge.support, edge.cause, edge.effect))[:limit]


def _say_edge(edge: Edge) -> None:
    """Print an edge on a line with its belief and its counts."""
    say(f"{edge.belief:.2f}  {claim(edge)}  ({sources_of(edge)})", "", "      ")


def _loop_record(loop: Loop) -> dict[str, object]:
    """Return a feedback loop with its edges."""
    return {
        "concepts": list(loop.path.concepts),
        "score": round(loop.path.score, 4),
        "reinforcing": loop.reinforcing,
        "edges": [edge_record(edge) for edge in loop.path.edges],
    }


def _with_evidence(view: GraphView, edge: Edge) -> dict[str, object]:
    """Return an edge with its evidence for and against."""
    supporting, denying = cited(view, [edge])
    return {
        **edge_record(edge),
        "evidence": [evidence_record(one) for one in supporting],
        "contradicting": [evidence_record(one) for one in denying],
    }
