"""`kgqa ask`: answer a question, or a file of questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from kgqa.answer_model import Answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.cli.arguments.options import (
    UnitInterval,
    WholeNumber,
    WrongUse,
    complete_names,
    complete_setting_remedy,
    do_option,
    graph_option,
    json_option,
    limit_option,
    phrase_argument,
    reader_names,
    require_value,
)
from kgqa.cli.output.terminal import note, say_json, say_verbatim, shell_quote
from kgqa.errors import ReaderUnknown

if TYPE_CHECKING:
    from kgqa.cli.output.answer_explanation import ExplanationPart
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
@click.option(
    "--reader",
    metavar="NAME[:MODEL]",
    callback=validate_reader,
    shell_complete=complete_names(reader_names),
    help="Who reads passages. Default: extractive.",
)
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
    text = None
    if passage is not None:
        from kgqa.passages.passage_graph import read_passage_text

        text = read_passage_text(passage)
    options = AnswerOptions(limit, conditions, risk, embeddings, reader, corpus, mines_always=cypher)
    with AnswerSession(graph, options) as session:
        if text is None or batch is not None:
            _ = session.store  # an address that cannot be opened is an error of its own
        with complete_setting_remedy(*command):
            if batch is not None:
                from kgqa.cli.batch import answer_batch

                answer_batch(batch, session, options, text, cypher_statement if cypher else None, workers)
                return
            if text is not None:
                os.environ.setdefault(*ONE_THREAD)
            answer = _print_answer(session, question or "", text, AnswerDisplay(explain, cypher, json))
        _report_cost(session)
        if text is None and session.is_starter:
            _note_starter(reader is not None and corpus is None, answer is not None and bool(answer.evidence))


def _note_starter(reads: bool, cites: bool) -> None:
    """Print on stderr what the starter graph lacks: sentences for a reader, and sentences behind the evidence it cites."""
    if reads:
        note("the starter graph keeps no sentences to read, so no reader was asked; --passage or --corpus names texts")
    if cites:
        note("the starter graph keeps places, not sentences: mine the articles with 'kgqa mine' to read them here")


def _report_cost(session: AnswerSession) -> None:
    """Print on stderr what a server was asked for the answers, where one was."""
    if (cost := session.cost_line()) is not None:
        note(cost)


class AnswerDisplay(NamedTuple):
    """How an answer is shown."""

    explain: bool
    cypher: bool
    json: bool


def _print_answer(session: AnswerSession, question: str, passage: str | None, display: AnswerDisplay) -> Answer | None:
    """Answer a question and print the answer; return it unless it was printed as JSON."""
    if display.json:
        say_json(session.record(question, passage, statement=cypher_statement if display.cypher else None))
        return None
    from kgqa.cli.output.answer_text import render_answer

    answer = session.answer(question, passage)
    explanation: Iterable[ExplanationPart] = ()
    if display.explain:
        from kgqa.cli.output.answer_explanation import explain_answer

        explanation = explain_answer(answer)
    render_answer(answer, explanation)
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
