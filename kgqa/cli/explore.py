"""`kgqa causes`, `kgqa effects` and `kgqa show`: look around in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import click

from graph.model import Edge
from graph.protocols import GraphView
from kgqa.answer_quotes import quote_records
from kgqa.answering.findings import cite_evidence
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.answer_text import print_citation
from kgqa.cli.output.terminal import say, say_boldly, say_json, shell_quote
from kgqa.errors import ConceptUnknown
from kgqa.graph_lookup import concept_record, look_up_concept, named_concepts, strongest_edges
from kgqa.record import edge_record
from kgqa.wording.claim_clauses import claim_clause
from kgqa.wording.explanation import source_counts

x_argument = cli.phrase_argument("x", "X", of=cli.concept_argument)


def _list_command(side: Literal["causes", "effects"], line: str) -> click.Command:
    """Return the command that lists the edges on one side of a concept, strongest first."""

    def list_side(
        x: str = x_argument,
        graph: str | None = cli.graph_option,
        limit: int = cli.limit_option(20, side),
        json: bool = cli.json_option,
    ) -> None:
        with cli.open_graph(graph) as store:
            names = concept_names(x, store, graph, f"kgqa {side}")
            edges = strongest_edges(map(store.causes if side == "causes" else store.effects, names), limit)
        for edge in edges:
            if json:
                say_json(edge_record(edge))
            else:
                _print_edge(edge)
        if not edges and not json:
            say("none known")

    list_side.__doc__ = f'{line}\n\nX is a concept, for instance smoking or "lung cancer".'
    return cli.command(f"kgqa {side} smoking --limit 5", side)(list_side)


causes = _list_command("causes", "List what causes X, most believed first.")
effects = _list_command("effects", "List what X causes, most believed first.")


@cli.command('kgqa show "lung cancer" --limit 3')
def show(
    x: str = x_argument,
    graph: str | None = cli.graph_option,
    limit: int = cli.limit_option(10, "causes and effects"),
    loops: bool = cli.flag("--loops", "Show the feedback loops through X, too."),
    json: bool = cli.json_option,
) -> None:
    """Show a concept: its names, causes and effects.

    X is a concept, for instance smoking or "lung cancer". Every cause and effect comes with a place that says so.
    """
    with cli.open_graph(graph) as store:
        names = concept_names(x, store, graph, "kgqa show")
        concept = look_up_concept(store, names, limit, loops=loops)
        if json:
            say_json(concept_record(store, concept, loops=loops))
            return
        say_boldly(", ".join(names))
        if concept.aliases:
            say(f"also: {', '.join(concept.aliases)}", "  ")
        for heading, edges in (("Causes", concept.causes), ("Effects", concept.effects)):
            say()
            say(heading if edges else f"{heading}: none known")
            for edge in edges:
                _print_edge(edge)
                for citation in quote_records(next(filter(None, cite_evidence(store, [edge], each=1)), ())):
                    print_citation(citation, "", "      ")
        if loops:
            say()
            say("Loops" if concept.loops else "Loops: none known")
            for loop in concept.loops:
                sign = "reinforcing" if loop.reinforcing else "balancing"
                say(f"{loop.path.score:.2f}  {sign}: {' → '.join(loop.path.concepts)}", "", "      ")
                print_steps(loop.path.edges)


def concept_names(phrase: str, view: GraphView, graph: str | None, before: str, after: str = "") -> Sequence[str]:
    """Return the concepts that have a phrase as their very name, or in another form.

    Raises `ConceptUnknown` with near names and a command to try: the nearest name between what stands `before` and `after`.
    """
    try:
        return named_concepts(phrase, view)
    except ConceptUnknown as error:
        if error.near:
            words = (before, shell_quote(error.near[0]), after, f"-g {shell_quote(graph)}" if graph else "")
            error.remedy = " ".join(filter(None, words))
        raise


def print_steps(edges: Iterable[Edge]) -> None:
    """Print the edges of a path, each on a line with its belief."""
    for edge in edges:
        say(f"{edge.belief:.2f}  {claim_clause(edge)}", "        ", "              ")


def edge_text(edge: Edge) -> str:
    """Return an edge as a clause with its belief, for the description of a picture."""
    return f"{claim_clause(edge)} ({edge.belief:.2f})"


def _print_edge(edge: Edge) -> None:
    say(f"{edge.belief:.2f}  {claim_clause(edge)}  ({source_counts(edge)})", "", "      ")
