"""`kgqa ask`: answer a question, or a file of questions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.cli.options import asked_graph, in_json, limit, phrase, setting_for, settings
from kgqa.cli.record import answer_record
from kgqa.cli.render import render
from kgqa.cli.terminal import note, number_of, quoted, say_json, say_verbatim
from kgqa.cli.usage import WrongUse
from kgqa.errors import KgqaError
from kgqa.model import Answer
from kgqa.pipeline import Pipeline, unanswered
from kgqa.settings import graph_url, starter_graph

if TYPE_CHECKING:
    from graph.sources.streams import InputStream, OnSkip
    from kgqa.intervention.settings import Setting


class Asked(NamedTuple):
    """A question of a batch: its identifier, as it came, and the passage to answer it from, or an empty string."""

    id: object
    question: str
    passage: str


@click.command(epilog='Example: kgqa ask "Does smoking cause lung cancer?" --explain')
@phrase("question", "[QUESTION]", required=False)
@asked_graph
@click.option("--passage", metavar="FILE", help="Answer from this text, mined on the spot, not from the graph (- is stdin).")
@settings
@limit(5)
@click.option("--explain", is_flag=True, help="Show every decision from the question to the answer.")
@click.option("--cypher", is_flag=True, help="Print a statement that draws the answer's paths in Neo4j Browser.")
@click.option(
    "--batch",
    metavar="FILE.jsonl",
    help='Answer the lines {"id", "question", "passage"?} of a file in order, each with a JSON object (- is stdin).',
)
@in_json
def ask(
    question: str | None,
    graph: str | None,
    passage: str | None,
    do: Sequence[str],
    limit: int,
    explain: bool,
    cypher: bool,
    batch: str | None,
    json: bool,
) -> None:
    """Answer a causal question, with its sources.

    QUESTION is in English. The answer says what speaks for it and against it, or, where the graph does not know, what is
    missing. Not to know is an answer, too: the exit code is 0.
    """
    if (question is None) == (batch is None):
        found = "neither a QUESTION nor" if batch is None else "both a QUESTION and"
        raise WrongUse(f"{found} --batch FILE.jsonl; one of the two is needed", 'kgqa ask "What causes tsunamis?"')
    named = (("", question), ("--batch ", batch), ("-g ", graph), ("--passage ", passage))
    command = ("kgqa ask", *(f"{option}{quoted(value)}" for option, value in named if value))
    conditions: tuple[Setting, ...] = ()
    if do:
        from kgqa.intervention.settings import parse_settings

        with setting_for(*command):
            conditions = parse_settings(do)
    with _opened(graph, passage) as store, setting_for(*command):
        if batch is not None:
            _answer_batch(batch, store, limit, conditions, cypher)
            return
        began = time.perf_counter()
        answer = Pipeline(store, limit, conditions).answer(question or "")
        elapsed = (time.perf_counter() - began) * 1000
        if json:
            say_json(answer_record(answer, store.url, store.digest(), elapsed, cypher=_statement(answer, cypher)))
            return
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


def _statement(answer: Answer, wanted: bool) -> str | None:
    """Return the statement that draws an answer's paths in Neo4j Browser, where it is wanted and there is one."""
    if not wanted:
        return None
    from kgqa.answering.redraw import redraw

    return redraw(answer)


def _say_cypher(answer: Answer) -> None:
    """Print the statement that draws an answer's paths, as it is to be pasted, or say that there is none."""
    statement = _statement(answer, True)
    if statement is None:
        note("nothing to draw: the answer rests on no claim")
        return
    say_verbatim(f"\n{statement}")


def _answer_batch(path: str, store: GraphStore, limit: int, conditions: tuple[Setting, ...], cypher: bool) -> None:
    """Answer the questions of a file in order, a JSON object a line, everything being loaded once.

    A question that cannot be answered gets its line, too, with the reason in it; a line that is no question is skipped.
    """
    from graph.sources.records import Tally
    from graph.sources.streams import open_input
    from kgqa.cli.progress import Progress, Skips

    skips = Skips()
    tally = Tally(skips)
    with open_input(path) as stream, Progress("answering", stream, over_output=True) as bar:
        questions = tally.some(_questions(stream, tally.skip), stream.name, 'JSON lines with a "question"')
        for number, one in enumerate(questions, 1):
            say_json(_batch_record(one, store, limit, conditions, cypher))
            bar.show(number_of(number, "question"))
    skips.report()


def _questions(stream: InputStream, on_skip: OnSkip) -> Iterator[Asked]:
    """Yield the questions of a file, and tell `on_skip` of every line that is none."""
    from graph.sources.article import Skipped
    from graph.sources.records import RecordInvalid, json_records, text_field

    for place, record in json_records(stream, on_skip):
        try:
            if "question" not in record:
                raise RecordInvalid('no "question"')
            yield Asked(record.get("id"), text_field(record, "question"), text_field(record, "passage"))
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))


def _batch_record(
    asked: Asked, store: GraphStore, limit: int, conditions: tuple[Setting, ...], cypher: bool
) -> dict[str, object]:
    """Return the answer to one question of a batch, from its passage where it has one."""
    began = time.perf_counter()
    if not asked.passage:
        answer = _answer_one(asked.question, store, limit, conditions)
        statement = _statement(answer, cypher)
        return answer_record(answer, store.url, store.digest(), (time.perf_counter() - began) * 1000, asked.id, statement)
    from kgqa.reading.passage import passage_graph

    with closing(passage_graph(asked.passage)) as read:
        answer = _answer_one(asked.question, read, limit, conditions)
        statement = _statement(answer, cypher)
        return answer_record(answer, read.url, read.digest(), (time.perf_counter() - began) * 1000, asked.id, statement)


def _answer_one(question: str, store: GraphStore, limit: int, conditions: tuple[Setting, ...]) -> Answer:
    """Answer one question of a batch; what cannot be asked is an answer that says so."""
    try:
        return Pipeline(store, limit, conditions).answer(question)
    except KgqaError as error:
        return unanswered(question, str(error))
