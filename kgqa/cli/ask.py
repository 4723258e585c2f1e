"""`kgqa ask`: answer a question, or a file of questions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.cli.linking import linker_of
from kgqa.cli.options import Count, Share, asked_graph, in_json, limit, phrase, setting_for, settings
from kgqa.cli.terminal import note, quoted, say_json, say_verbatim
from kgqa.cli.usage import WrongUse
from kgqa.model import Answer
from kgqa.pipeline import Pipeline
from kgqa.settings import graph_url, starter_graph

if TYPE_CHECKING:
    from kgqa.intervention.settings import Setting


@click.command(epilog='Example: kgqa ask "Does smoking cause lung cancer?" --explain')
@phrase("question", "[QUESTION]", required=False)
@asked_graph
@click.option("--passage", metavar="FILE", help="Answer from this text, mined on the spot, not from the graph (- is stdin).")
@settings
@limit(5)
@click.option(
    "--risk",
    type=Share(),
    metavar="R",
    help="Answer only where the expected error is at most R, from 0 to 1; else say what is missing.",
)
@click.option("--embeddings", is_flag=True, help="Read an otherwise unknown phrase as the name nearest in meaning; see embed.")
@click.option("--explain", is_flag=True, help="Show every decision from the question to the answer.")
@click.option("--cypher", is_flag=True, help="Print a statement that draws the answer's paths in Neo4j Browser.")
@click.option(
    "--batch",
    metavar="FILE.jsonl",
    help='Answer the lines {"id", "question", "passage"?} of a file in order, each with a JSON object (- is stdin).',
)
@click.option("--workers", type=Count(1, 256), metavar="N", help="Processes for a --batch. Default: one, more for a large file.")
@in_json
def ask(
    question: str | None,
    graph: str | None,
    passage: str | None,
    do: Sequence[str],
    limit: int,
    risk: float | None,
    embeddings: bool,
    explain: bool,
    cypher: bool,
    batch: str | None,
    workers: int | None,
    json: bool,
) -> None:
    """Answer a causal question, with its sources.

    QUESTION is in English. The answer says what speaks for it and against it, or, where the graph does not know, what is
    missing. Not to know is an answer, too: the exit code is 0.
    """
    if (question is None) == (batch is None):
        found = "neither a QUESTION nor" if batch is None else "both a QUESTION and"
        raise WrongUse(f"{found} --batch FILE.jsonl; one of the two is needed", 'kgqa ask "What causes tsunamis?"')
    if embeddings and passage is not None:
        raise WrongUse("--embeddings are made for a graph, not for a passage", "kgqa embed --help")
    named = (("", question), ("--batch ", batch), ("-g ", graph), ("--passage ", passage))
    command = ("kgqa ask", *(f"{option}{quoted(value)}" for option, value in named if value))
    conditions: tuple[Setting, ...] = ()
    if do:
        from kgqa.intervention.settings import parse_settings

        with setting_for(*command):
            conditions = parse_settings(do)
    with _opened(graph, passage) as store, setting_for(*command):
        if batch is not None:
            from kgqa.cli.batch import Terms, answer_batch

            answer_batch(batch, store, Terms(limit, conditions, drawn if cypher else None, risk, embeddings), workers)
            return
        linker = linker_of(store, embeddings)
        began = time.perf_counter()
        answer = Pipeline(store, limit, conditions, linker=linker, risk=risk).answer(question or "")
        elapsed = (time.perf_counter() - began) * 1000
        if json:
            from kgqa.record import answer_record

            say_json(answer_record(answer, store.url, store.digest(), elapsed, cypher=drawn(answer) if cypher else None))
            return
        from kgqa.cli.render import render

        render(answer, explain)
        if cypher:
            _say_cypher(answer)
        if store.url == starter_graph() and answer.evidence:
            note("the starter graph keeps places, not sentences: mine the articles with 'kgqa mine' to read them here")


@contextmanager
def _opened(graph: str | None, passage: str | None) -> Iterator[GraphStore]:
    """Give the graph to ask: that of the passage, mined on the spot, or the one that was named."""
    if passage is None:
        with closing(open_store(graph_url(graph))) as store:
            yield store
        return
    from kgqa.reading.passage import passage_graph, read_passage

    with closing(passage_graph(read_passage(passage))) as store:
        yield store


def drawn(answer: Answer) -> str | None:
    """Return the statement that draws an answer's paths in Neo4j Browser, where there is anything to draw."""
    from kgqa.answering.redraw import redraw

    return redraw(answer)


def _say_cypher(answer: Answer) -> None:
    """Print the statement that draws an answer's paths, as it is to be pasted, or say that there is none."""
    statement = drawn(answer)
    if statement is None:
        note("nothing to draw: the answer rests on no claim")
        return
    say_verbatim(f"\n{statement}")
