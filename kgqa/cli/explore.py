"""`kgqa causes`, `kgqa effects` and `kgqa show`: look around in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Annotated

import typer

from graph.model import Edge
from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.evidence import cited
from kgqa.answering.wording import claim, counted
from kgqa.cli.options import Graph, Json, Limit
from kgqa.cli.record import edge_record, evidence_record
from kgqa.cli.terminal import say, say_json
from kgqa.errors import ConceptUnknown
from kgqa.linking.linker import Reading, near_names, readings
from kgqa.settings import graph_url

Name = Annotated[str, typer.Argument(metavar="X", help="A concept, for instance smoking.")]


def causes(x: Name, graph: Graph = None, limit: Limit = 20, json: Json = False) -> None:
    """List what causes X, most believed first."""
    with closing(open_store(graph_url(graph))) as store:
        reading = sure_reading(x, store, "causes {}")
        _list([edge for name in reading.concepts for edge in store.causes(name)], limit, json)


def effects(x: Name, graph: Graph = None, limit: Limit = 20, json: Json = False) -> None:
    """List what X causes, most believed first."""
    with closing(open_store(graph_url(graph))) as store:
        reading = sure_reading(x, store, "effects {}")
        _list([edge for name in reading.concepts for edge in store.effects(name)], limit, json)


def show(x: Name, graph: Graph = None, limit: Limit = 10, json: Json = False) -> None:
    """Show a concept: its other names, its causes and its effects, with their sources."""
    with closing(open_store(graph_url(graph))) as store:
        reading = sure_reading(x, store, "show {}")
        concepts = [concept for name in reading.concepts if (concept := store.concept(name)) is not None]
        into = _strongest([edge for name in reading.concepts for edge in store.causes(name)], limit)
        out = _strongest([edge for name in reading.concepts for edge in store.effects(name)], limit)
        if json:
            say_json(
                {
                    "concept": reading.concepts[0],
                    "names": list(reading.concepts),
                    "aliases": [alias for concept in concepts for alias in concept.aliases],
                    "causes": [_with_evidence(store, edge) for edge in into],
                    "effects": [_with_evidence(store, edge) for edge in out],
                }
            )
            return
        say(", ".join(reading.concepts))
        aliases = [alias for concept in concepts for alias in concept.aliases]
        if aliases:
            say(f"also: {', '.join(aliases)}", "  ")
        for heading, edges in (("Causes", into), ("Effects", out)):
            print(f"\n{heading}: {'none known' if not edges else ''}".rstrip())
            for edge in edges:
                _say_edge(edge)


def sure_reading(phrase: str, view: GraphView, command: str) -> Reading:
    """Return the reading of a phrase as a concept of that very name or form.

    Raises `ConceptUnknown` with near names, and the command with the nearest of them in place of `{}`.
    """
    reading = next(readings(phrase, view), None)
    if reading is not None and reading.how in ("exact", "same words", "same stems"):
        return reading
    near = near_names(phrase, view)
    raise ConceptUnknown(phrase, near, "kgqa " + command.format(f"'{near[0]}'") if near else "")


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
    against = f", {edge.against} against" if edge.against else ""
    hedged = f", {edge.hedged} hedged" if edge.hedged else ""
    counts = f"{counted(edge.support, 'source')}{against}{hedged}"
    say(f"{edge.belief:.2f}  {claim(edge)}  ({counts})", "", "      ")


def _with_evidence(view: GraphView, edge: Edge) -> dict[str, object]:
    """Return an edge with its evidence for and against."""
    supporting, denying = cited(view, [edge])
    return {
        **edge_record(edge),
        "evidence": [evidence_record(one) for one in supporting],
        "contradicting": [evidence_record(one) for one in denying],
    }
