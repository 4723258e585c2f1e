"""`kgqa ask`: answer a question, or a file of questions."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import click

from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answers import Answer
from kgqa.api import build_linker
from kgqa.cli.arguments.options import (
    UnitInterval,
    WholeNumber,
    WrongUse,
    complete_setting_remedy,
    do_option,
    graph_option,
    json_option,
    limit_option,
    phrase_argument,
    require_value,
)
from kgqa.cli.output.terminal import note, say_json, say_verbatim, shell_quote
from kgqa.errors import ReaderUnknown
from kgqa.passages.passage_source import PassageSource
from kgqa.pipeline import Pipeline
from kgqa.settings import graph_url, starter_graph

if TYPE_CHECKING:
    from kgqa.interventions.graph_settings import GraphSetting

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "1")
"""Few sentences are parsed, and threads that wait for one another take longer over them than one, above all beside other work."""


def validate_reader(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the reader that is named; raise `WrongUse` where there is none of that name."""
    if require_value(context, parameter, value) is None or value is None:
        return None
    from kgqa.readers.registry import split_reader_name

    try:
        split_reader_name(value)
    except ReaderUnknown as error:
        raise WrongUse(str(error), "kgqa ask QUESTION --passage FILE --reader extractive", context) from error
    return value


@click.command(epilog='Example: kgqa ask "Does smoking cause lung cancer?" --explain')
@phrase_argument("question", "[QUESTION]", required=False)
@graph_option
@click.option(
    "--passage",
    "texts",
    metavar="FILE",
    multiple=True,
    help="Answer from this text, read and mined now, not from the graph (- is stdin).",
)
@click.option(
    "--corpus",
    metavar="PATH",
    callback=require_value,
    help="Find passages in this index (see kgqa index) or text, and answer from them as well as from the graph.",
)
@click.option("--reader", metavar="NAME[:MODEL]", callback=validate_reader, help="Who reads passages. Default: extractive.")
@do_option
@limit_option(5)
@click.option(
    "--risk",
    type=UnitInterval(),
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
@click.option(
    "--workers", type=WholeNumber(1, 256), metavar="N", help="Processes for a --batch. Default: one, more for a large file."
)
@json_option
def ask(
    question: str | None,
    graph: str | None,
    texts: Sequence[str],
    corpus: str | None,
    reader: str | None,
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
        conflict = "neither a QUESTION nor" if batch is None else "both a QUESTION and"
        raise WrongUse(f"{conflict} --batch FILE.jsonl; one of the two is needed", 'kgqa ask "What causes tsunamis?"')
    if len(texts) > 1:
        raise WrongUse("--passage takes one text, and there are several", "cat FILES | kgqa ask --passage - QUESTION")
    passage = texts[0] if texts else None
    if passage is not None and corpus is not None:
        raise WrongUse(
            "--passage and --corpus do not go together: one is the text to read, the other finds it", "kgqa ask --help"
        )
    if embeddings and passage is not None:
        raise WrongUse("--embeddings are made for a graph, not for a passage", "kgqa embed --help")
    option_values = (("", question), ("--batch ", batch), ("-g ", graph), ("--passage ", passage))
    command = ("kgqa ask", *(f"{option}{shell_quote(value)}" for option, value in option_values if value))
    conditions: tuple[GraphSetting, ...] = ()
    if do:
        from kgqa.interventions.graph_settings import parse_settings

        with complete_setting_remedy(*command):
            conditions = parse_settings(do)
    shelf = PassageSource(reader, corpus)
    text = None
    if passage is not None:
        from kgqa.passages.passage_graph import PassageGraph, read_passage_text

        text = read_passage_text(passage)
    if text is not None and batch is None:
        os.environ.setdefault(*ONE_THREAD)
        with closing(PassageGraph(text, question or "")) as claims, complete_setting_remedy(*command):
            given = shelf.of_passage(text, None if cypher else claims)
            pipeline = Pipeline(claims.store, limit, conditions, risk=risk, texts=given)
            _print_answer(pipeline, question or "", AnswerDisplay(explain, cypher, json), lambda: claims.mined)
        _report_cost(shelf)
        return
    with closing(open_store(graph_url(graph))) as store, complete_setting_remedy(*command):
        if batch is not None:
            from kgqa.cli.batch import BatchOptions, answer_batch

            statement = cypher_statement if cypher else None
            answer_batch(
                batch, store, BatchOptions(limit, conditions, statement, risk, embeddings, reader, corpus, text), workers
            )
            return
        linker = build_linker(store, embeddings)
        pipeline = shelf.extend_pipeline(store, Pipeline(store, limit, conditions, linker=linker, risk=risk))
        answer = _print_answer(pipeline, question or "", AnswerDisplay(explain, cypher, json), lambda: store)
        _report_cost(shelf)
        if reader is not None and corpus is None and store.url == starter_graph():
            note("the starter graph keeps no sentences to read, so no reader was asked; --passage or --corpus names texts")
        if not json and store.url == starter_graph() and answer.evidence:
            note("the starter graph keeps places, not sentences: mine the articles with 'kgqa mine' to read them here")


def _report_cost(shelf: PassageSource) -> None:
    """Tell on stderr what a server was asked for an answer, where one was."""
    if (charged := shelf.charged) is not None:
        note(charged.cost_line())


class AnswerDisplay(NamedTuple):
    """How an answer is shown."""

    explain: bool
    cypher: bool
    json: bool


def _print_answer(
    pipeline: Pipeline, question: str, display: AnswerDisplay, get_store: Callable[[], GraphStore | None]
) -> Answer:
    """Answer a question and show the answer with the graph that was asked, where one was."""
    began = time.perf_counter()
    answer = pipeline.answer(question)
    elapsed = (time.perf_counter() - began) * 1000
    if display.json:
        from kgqa.record import answer_record

        store, statement = get_store(), cypher_statement(answer) if display.cypher else None
        url, digest = (store.url, store.digest()) if store else (None, None)
        say_json(answer_record(answer, url, digest, elapsed, cypher=statement))
        return answer
    from kgqa.cli.output.answer_text import render_answer

    render_answer(answer, display.explain)
    if display.cypher:
        _print_cypher(answer)
    return answer


def cypher_statement(answer: Answer) -> str | None:
    """Return the statement that draws an answer's paths in Neo4j Browser, where there is anything to draw."""
    from kgqa.cli.output.browser_statement import redraw_statement

    return redraw_statement(answer)


def _print_cypher(answer: Answer) -> None:
    """Print the statement that draws an answer's paths, as it is to be pasted, or say that there is none."""
    statement = cypher_statement(answer)
    if statement is None:
        note("nothing to draw: the answer rests on no claim")
        return
    say_verbatim(f"\n{statement}")
