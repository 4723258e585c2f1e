"""`kgqa ask`: answer a question, or a file of questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from kgqa.answer_model import Answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import note, say_json, say_verbatim, shell_quote
from kgqa.errors import ReaderUnknown

if TYPE_CHECKING:
    from graph.sources.article import Article
    from kgqa.interventions.graph_settings import GraphSetting
    from kgqa.record_schema import AnswerRecord


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
        "Answer from this text, wikitext, HTML or JSON, read and mined now, not from the graph (- is stdin).",
        multiple=True,
        callback=None,
    ),
    corpus: str | None = cli.option(
        "--corpus",
        "PATH",
        "Find passages in this index (see kgqa index) or text, and answer from them as well as from the graph.",
    ),
    articles: str | None = cli.option(
        "--articles", "PATH", "The index (see kgqa index) or text that the links of the passage lead into."
    ),
    follow: bool = cli.flag("--follow", "Follow links of the passage where it does not answer itself, and say what was read."),
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
    receipt: str | None = cli.option(
        "--receipt", "FILE", "Write all that the answer was made of into this file, for kgqa replay."
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
    passage = _checked_passage(texts, corpus, articles, follow=follow, is_batch=batch is not None)
    if quotes and (passage is not None or batch is not None):
        conflict = "--quotes asks Wikipedia about one answer, and does not go with --passage or --batch"
        raise cli.WrongUse(conflict, "kgqa ask QUESTION --quotes")
    if receipt is not None and (batch is not None or receipt == "-"):
        conflict = (
            "--receipt is of one answer, and does not go with --batch"
            if batch is not None
            else ("the answer goes to stdout, and the receipt must go into a file")
        )
        raise cli.WrongUse(conflict, "kgqa ask QUESTION --receipt receipt.json")
    option_values = (("", question), ("--batch ", batch), ("-g ", graph), ("--passage ", passage))
    typed = ("kgqa ask", *(f"{option}{shell_quote(value)}" for option, value in option_values if value))
    conditions: tuple[GraphSetting, ...] = ()
    if do:
        from kgqa.interventions.graph_settings import parse_settings

        with cli.complete_setting_remedy(*typed):
            conditions = parse_settings(do)
    text: str | Article | None = None
    if passage is not None:
        from kgqa.passages.linked_passage import read_passage, read_passage_text

        # A receipt keeps the text as it stands, with its markup.
        text = read_passage(passage) if receipt is None else read_passage_text(passage)
    options = AnswerOptions(
        *(limit, conditions, risk, reader, corpus),
        mines_always=cypher,
        asks_wikipedia=quotes,
        lists_statements=explain,
        articles=articles,
        follows=follow,
    )
    with AnswerSession(graph, options) as session:
        if text is None or batch is not None:
            _ = session.store  # an address that cannot be opened is an error of its own
        with cli.complete_setting_remedy(*typed):
            if batch is not None:
                from kgqa.cli.output.batch import BatchSession, answer_batch

                article = None if isinstance(text, str) else text
                answer_batch(batch, BatchSession(session, article, cypher_statement if cypher else None), options, workers)
                return
            form = AnswerForm(explain, cypher, json)
            cites = _print_answer(session, question or "", text, form, (receipt, passage))
        if (cost := session.cost_line()) is not None:
            note(cost)
        if text is None and session.is_starter:
            _note_starter(reader is not None and corpus is None and not session.reads_no_text, cites and not quotes)


def _checked_passage(
    texts: Sequence[str], corpus: str | None, articles: str | None, *, follow: bool, is_batch: bool
) -> str | None:
    """Return the passage that is named; raise `WrongUse` for several, and for options that do not go with it."""
    if len(texts) > 1:
        raise cli.WrongUse("--passage takes one text, and there are several", "cat FILES | kgqa ask --passage - QUESTION")
    if texts and corpus is not None:
        fact = "--passage and --corpus do not go together: one is the text to read, the other finds it"
        raise cli.WrongUse(fact, "kgqa ask --help")
    if articles is not None and not texts and not is_batch:
        raise cli.WrongUse("--articles is where the links of a --passage lead, and there is none", "kgqa ask --help")
    if follow and articles is None:
        raise cli.WrongUse("--follow needs --articles PATH, where the links lead", "kgqa index ARTICLES -o articles.passages")
    return texts[0] if texts else None


class AnswerForm(NamedTuple):
    """What is printed of an answer: its explanation, the statement that draws it, or its record."""

    explain: bool
    cypher: bool
    json: bool


def _print_answer(
    session: AnswerSession, question: str, passage: str | Article | None, form: AnswerForm, files: tuple[str | None, str | None]
) -> bool:
    """Answer a question and print the answer; return whether places were printed instead of sentences.

    `files` are that of the receipt, where one is wanted, and that of the passage.
    """
    receipt, passage_file = files
    if receipt is not None:
        text = passage if isinstance(passage, str) else None
        answer, record = _write_receipt(session, question, text, receipt, passage_file, cypher=form.cypher)
    elif form.json:
        record = session.record(question, passage, statement=cypher_statement if form.cypher else None)
    else:
        answer = session.answer(question, passage)
    if form.json:
        say_json(record)
        return False
    from kgqa.cli.output.answer_text import render_answer
    from kgqa.wording.explanation import explain_answer

    render_answer(answer, explain_answer(answer) if form.explain else ())
    if form.cypher and (statement := cypher_statement(answer)) is not None:
        say_verbatim(f"\n{statement}")
    elif form.cypher:
        note("nothing to draw: the answer rests on no claim")
    return any(item.evidence.lacks_text for item in (*answer.evidence, *answer.against))


def _write_receipt(
    session: AnswerSession, question: str, passage: str | None, receipt: str, passage_file: str | None, *, cypher: bool
) -> tuple[Answer, AnswerRecord]:
    """Answer a question, write the receipt into its file, and return the answer with its record."""
    from graph.atomic_file import write_atomically
    from kgqa.json_text import json_text
    from kgqa.receipt import answer_with_receipt

    made = answer_with_receipt(session, question, passage, passage_file, cypher=cypher)
    with write_atomically(receipt) as file:
        file.write(f"{json_text(made.receipt)}\n")
    return made.answer, made.record


def _note_starter(reads: bool, cites: bool) -> None:
    """Note what the starter graph lacks: sentences for a reader, and those behind the places that an answer cites."""
    if reads:
        note("the starter graph keeps no sentences to read, so no reader was asked; --passage or --corpus names texts")
    if cites:
        note("the starter graph keeps places, not sentences; 'kgqa quotes add DUMP' or 'kgqa ask --quotes' shows them")


def cypher_statement(answer: Answer) -> str | None:
    """Return the statement that draws an answer's paths in Neo4j Browser, where there is anything to draw."""
    from kgqa.wording.browser_statement import redraw_statement

    return redraw_statement(answer)
