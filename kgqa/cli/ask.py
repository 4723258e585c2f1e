"""`kgqa ask`: answer a question, or a file of questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from kgqa.answer_model import Answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import note, say_json, say_verbatim, shell_quote
from kgqa.errors import ReaderUnknown

if TYPE_CHECKING:
    from kgqa.interventions.graph_settings import GraphSetting


def validate_reader(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the reader that is named; raise `WrongUse` where there is none of that name."""
    if cli.require_value(context, parameter, value) is None or value is None:
        return None
    from kgqa.readers.reader import split_reader_name

    try:
        split_reader_name(value)
    except ReaderUnknown as error:
        raise cli.WrongUse(str(error), "kgqa ask QUESTION --passage FILE --reader cascade", context) from error
    return value


@cli.command('kgqa ask "Does smoking cause lung cancer?" --explain')
def ask(
    question: str | None = cli.phrase_argument("question", "[QUESTION]", required=False),
    graph: str | None = cli.graph_option,
    texts: Sequence[str] = cli.option(
        "--passage texts",
        "FILE",
        "Answer from this text, read and mined now, not from the graph (- is stdin).",
        multiple=True,
        callback=None,
    ),
    corpus: str | None = cli.option(
        "--corpus",
        "PATH",
        "Find passages in this index (see kgqa index) or text, and answer from them as well as from the graph.",
    ),
    reader: str | None = cli.option(
        "--reader",
        "NAME[:MODEL]",
        "Who reads passages. Default: cascade, which chooses by the form of the question.",
        callback=validate_reader,
        shell_complete=cli.complete_names(cli.reader_names),
    ),
    do: Sequence[str] = cli.do_option,
    limit: int = cli.limit_option(5),
    risk: float | None = cli.option(
        "--risk",
        "R",
        "Answer only where the expected error is at most R, from 0 to 1; else say what is missing.",
        type=cli.UnitInterval(),
    ),
    quotes: bool = cli.flag(
        "--quotes", "Ask Wikipedia for the sentences behind the answer that the graph keeps only the places of."
    ),
    explain: bool = cli.flag("--explain", "Show every decision from the question to the answer."),
    cypher: bool = cli.flag("--cypher", "Print a statement that draws the answer's paths in Neo4j Browser."),
    batch: str | None = cli.option(
        "--batch",
        "FILE.jsonl",
        'Answer the lines {"id", "question", "passage"?} of a file in order, each with a JSON object (- is stdin).',
        callback=None,
    ),
    workers: int | None = cli.number_option("--workers", 1, 256, "Processes for a --batch. Default: one, more for a large file."),
    json: bool = cli.json_option,
) -> None:
    """Answer a causal question, with its sources.

    QUESTION is in English. The answer says what speaks for it and against it, or, where the graph does not know, what is
    missing. Not to know is an answer, too: the exit code is 0.
    """
    if (question is None) == (batch is None):
        conflict = "neither a QUESTION nor" if batch is None else "both a QUESTION and"
        raise cli.WrongUse(f"{conflict} --batch FILE.jsonl; one of the two is needed", 'kgqa ask "What causes tsunamis?"')
    if len(texts) > 1:
        raise cli.WrongUse("--passage takes one text, and there are several", "cat FILES | kgqa ask --passage - QUESTION")
    passage = texts[0] if texts else None
    if passage is not None and corpus is not None:
        raise cli.WrongUse(
            "--passage and --corpus do not go together: one is the text to read, the other finds it", "kgqa ask --help"
        )
    if quotes and (passage is not None or batch is not None):
        conflict = "--quotes asks Wikipedia about one answer, and does not go with --passage or --batch"
        raise cli.WrongUse(conflict, "kgqa ask QUESTION --quotes")
    option_values = (("", question), ("--batch ", batch), ("-g ", graph), ("--passage ", passage))
    typed = ("kgqa ask", *(f"{option}{shell_quote(value)}" for option, value in option_values if value))
    conditions: tuple[GraphSetting, ...] = ()
    if do:
        from kgqa.interventions.graph_settings import parse_settings

        with cli.complete_setting_remedy(*typed):
            conditions = parse_settings(do)
    text = None
    if passage is not None:
        from kgqa.passages.passage_graph import read_passage_text

        text = read_passage_text(passage)
    options = AnswerOptions(
        *(limit, conditions, risk, reader, corpus),
        mines_always=cypher,
        asks_wikipedia=quotes,
        lists_statements=explain,
    )
    with AnswerSession(graph, options) as session:
        if text is None or batch is not None:
            _ = session.store  # an address that cannot be opened is an error of its own
        with cli.complete_setting_remedy(*typed):
            if batch is not None:
                from kgqa.cli.batch import BatchSession, answer_batch

                answer_batch(batch, BatchSession(session, text, cypher_statement if cypher else None), options, workers)
                return
            cites = _print_answer(session, question or "", text, explain=explain, cypher=cypher, json=json)
        if (cost := session.cost_line()) is not None:
            note(cost)
        if text is None and session.is_starter:
            _note_starter(reader is not None and corpus is None and not session.reads_no_text, cites and not quotes)


def _print_answer(session: AnswerSession, question: str, passage: str | None, *, explain: bool, cypher: bool, json: bool) -> bool:
    """Answer a question and print the answer; return whether places were printed instead of sentences."""
    if json:
        say_json(session.record(question, passage, statement=cypher_statement if cypher else None))
        return False
    from kgqa.cli.output.answer_text import explain_answer, render_answer

    answer = session.answer(question, passage)
    render_answer(answer, explain_answer(answer) if explain else ())
    if cypher and (statement := cypher_statement(answer)) is not None:
        say_verbatim(f"\n{statement}")
    elif cypher:
        note("nothing to draw: the answer rests on no claim")
    return any(item.evidence.lacks_text for item in (*answer.evidence, *answer.against))


def _note_starter(reads: bool, cites: bool) -> None:
    """Note what the starter graph lacks: sentences for a reader, and those behind the places that an answer cites."""
    if reads:
        note("the starter graph keeps no sentences to read, so no reader was asked; --passage or --corpus names texts")
    if cites:
        note("the starter graph keeps places, not sentences; 'kgqa quotes add DUMP' or 'kgqa ask --quotes' shows them")


def cypher_statement(answer: Answer) -> str | None:
    """Return the statement that draws an answer's paths in Neo4j Browser, where there is anything to draw."""
    from kgqa.cli.output.browser_statement import redraw_statement

    return redraw_statement(answer)
