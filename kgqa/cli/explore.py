"""`kgqa causes`, `kgqa effects` and `kgqa show`: look around in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import click

from graph.algorithms.paths import FeedbackLoop, feedback_loops
from graph.model import Edge
from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.answering.findings import cite_evidence
from kgqa.cli.arguments.options import concept_argument, graph_option, json_option, limit_option, phrase_argument
from kgqa.cli.output.answer_text import print_citation, source_counts
from kgqa.cli.output.terminal import say, say_boldly, say_json, shell_quote
from kgqa.errors import ConceptUnknown
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_phrase, similar_names
from kgqa.record import edge_record, evidence_record
from kgqa.settings import graph_url
from kgqa.wording.claim_clauses import claim_clause


@click.command(epilog="Example: kgqa causes smoking --limit 5")
@phrase_argument("x", "X", of=concept_argument)
@graph_option
@limit_option(20, "causes")
@json_option
def causes(x: str, graph: str | None, limit: int, json: bool) -> None:
    """List what causes X, most believed first.

    X is a concept, for instance smoking or "lung cancer".
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = resolve_concept(x, store, ("kgqa causes", ""), graph)
        _print_edges([edge for name in reading.concepts for edge in store.causes(name)], limit, json)


@click.command(epilog="Example: kgqa effects smoking --limit 5")
@phrase_argument("x", "X", of=concept_argument)
@graph_option
@limit_option(20, "effects")
@json_option
def effects(x: str, graph: str | None, limit: int, json: bool) -> None:
    """List what X causes, most believed first.

    X is a concept, for instance smoking or "lung cancer".
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = resolve_concept(x, store, ("kgqa effects", ""), graph)
        _print_edges([edge for name in reading.concepts for edge in store.effects(name)], limit, json)


@click.command(epilog='Example: kgqa show "lung cancer" --limit 3')
@phrase_argument("x", "X", of=concept_argument)
@graph_option
@limit_option(10, "causes and effects")
@click.option("--loops", is_flag=True, help="Show the feedback loops through X, too.")
@json_option
def show(x: str, graph: str | None, limit: int, loops: bool, json: bool) -> None:
    """Show a concept: its names, causes and effects.

    X is a concept, for instance smoking or "lung cancer". Every cause and effect comes with a place that says so.
    """
    with closing(open_store(graph_url(graph))) as store:
        reading = resolve_concept(x, store, ("kgqa show", ""), graph)
        concepts = [concept for name in reading.concepts if (concept := store.concept(name)) is not None]
        aliases = [alias for concept in concepts for alias in concept.aliases]
        into = _strongest_edges([edge for name in reading.concepts for edge in store.causes(name)], limit)
        out = _strongest_edges([edge for name in reading.concepts for edge in store.effects(name)], limit)
        feedback = feedback_loops(store, reading.concepts, limit=limit) if loops else ()
        if json:
            say_json(
                {
                    "concept": reading.concepts[0],
                    "names": list(reading.concepts),
                    "aliases": aliases,
                    "causes": [_with_evidence(store, edge) for edge in into],
                    "effects": [_with_evidence(store, edge) for edge in out],
                    **({"loops": list(map(_loop_record, feedback))} if loops else {}),
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
                _print_edge(edge)
                for citation in cite_evidence(store, [edge], each=1)[0]:
                    print_citation(citation, "", "      ")
        if loops:
            say()
            say("Loops" if feedback else "Loops: none known")
            for loop in feedback:
                sign = "reinforcing" if loop.reinforcing else "balancing"
                say(f"{loop.path.score:.2f}  {sign}: {' → '.join(loop.path.concepts)}", "", "      ")
                for edge in loop.path.edges:
                    say(f"{edge.belief:.2f}  {claim_clause(edge)}", "        ", "              ")


def resolve_concept(phrase: str, view: GraphView, around: tuple[str, str], graph: str | None) -> ConceptLink:
    """Return the reading of a phrase as a concept of that very name or form.

    Raises `ConceptUnknown` with near names and a command to try: the nearest name between what stands around it.
    """
    reading = next(link_phrase(phrase, view), None)
    if reading is not None and reading.how in ("exact", "alias", "acronym", "same words", "same stems"):
        return reading
    near = similar_names(phrase, view)
    if not near:
        raise ConceptUnknown(phrase)
    before, after = around
    words = (before, shell_quote(near[0]), after, f"-g {shell_quote(graph)}" if graph else "")
    raise ConceptUnknown(phrase, near, " ".join(word for word in words if word))


def _print_edges(edges: Sequence[Edge], limit: int, json: bool) -> None:
    """Print edges, strongest first."""
    strongest = _strongest_edges(edges, limit)
    for edge in strongest:
        if json:
            say_json(edge_record(edge))
        else:
            _print_edge(edge)
    if not edges and not json:
        say("none known")


def _strongest_edges(edges: Sequence[Edge], limit: int) -> list[Edge]:
    """Return the edges by belief, support and name, at most `limit`."""
    return sorted(edges, key=lambda edge: (-edge.belief, -edge.support, edge.cause, edge.effect))[:limit]


def _print_edge(edge: Edge) -> None:
    """Print an edge on a line with its belief and its counts."""
    say(f"{edge.belief:.2f}  {claim_clause(edge)}  ({source_counts(edge)})", "", "      ")


def _loop_record(loop: FeedbackLoop) -> dict[str, object]:
    """Return a feedback loop with its edges."""
    return {
        "concepts": list(loop.path.concepts),
        "score": round(loop.path.score, 4),
        "reinforcing": loop.reinforcing,
        "edges": [edge_record(edge) for edge in loop.path.edges],
    }


def _with_evidence(view: GraphView, edge: Edge) -> dict[str, object]:
    """Return an edge with its evidence for and against."""
    supporting, denying = cite_evidence(view, [edge])
    return {
        **edge_record(edge),
        "evidence": [evidence_record(citation) for citation in supporting],
        "contradicting": [evidence_record(citation) for citation in denying],
    }
