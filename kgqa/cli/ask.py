"""`kgqa ask`: answer a question."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Annotated

import typer

from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.cli.options import Do, Graph, Json, Limit
from kgqa.cli.record import answer_record
from kgqa.cli.render import render
from kgqa.cli.terminal import note, say_json
from kgqa.errors import KgqaError
from kgqa.intervention.settings import parse_setting
from kgqa.model import Answer, Condition
from kgqa.pipeline import Pipeline, unanswered
from kgqa.settings import graph_url, starter_graph


def ask(
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help='For instance "What causes tsunamis?".')] = None,
    graph: Graph = None,
    passage: Annotated[
        str | None, typer.Option(metavar="FILE", help="Answer from this text, not the graph (- is stdin).")
    ] = None,
    do: Do = None,
    limit: Limit = 5,
    explain: Annotated[bool, typer.Option("--explain", help="Show every decision from the question to the answer.")] = False,
    batch: Annotated[str | None, typer.Option(metavar="FILE.jsonl", help='Answer {"id", "question"} lines.')] = None,
    json: Json = False,
) -> None:
    """Answer a causal question, with its sources, what speaks against it, or what is missing."""
    if (question is None) == (batch is None):
        raise typer.BadParameter("give a QUESTION or --batch FILE.jsonl, one of the two")
    settings = tuple(parse_setting(text) for text in do or ())
    if batch is not None:
        with _opened(graph, passage) as store:
            _answer_batch(batch, store, limit, settings)
        return
    with _opened(graph, passage) as store:
        began = time.perf_counter()
        answer = Pipeline(store, limit, settings).answer(question or "")
        elapsed = (time.perf_counter() - began) * 1000
        if json:
            say_json(answer_record(answer, store.url, store.digest(), elapsed))
            return
        render(answer, explain)
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


def _answer_batch(path: str, store: GraphStore, limit: int, settings: tuple[Condition, ...]) -> None:
    """Answer the questions of a file in order, a JSON object a line, everything being loaded once.

    A question that cannot be answered gets its line, too, with the reason in it; a line that is no question is skipped.
    """
    from graph.sources.records import RecordInvalid, json_records, text_field
    from graph.sources.streams import open_input

    url, digest = store.url, store.digest()
    with open_input(path) as stream:
        for place, record in json_records(stream, lambda skipped: note(f"{skipped.where}: {skipped.why}; skipped")):
            try:
                question, passage = text_field(record, "question"), text_field(record, "passage")
            except RecordInvalid as error:
                note(f"{place}: {error}; skipped")
                continue
            began = time.perf_counter()
            answer = _answer_one(question, passage, store, limit, settings)
            elapsed = (time.perf_counter() - began) * 1000
            say_json(answer_record(answer, "memory:" if passage else url, digest, elapsed, record.get("id")))


def _answer_one(question: str, passage: str, store: GraphStore, limit: int, settings: tuple[Condition, ...]) -> Answer:
    """Answer one question of a batch, from its passage where it has one."""
    try:
        if not passage:
            return Pipeline(store, limit, settings).answer(question)
        from kgqa.reading.passage import passage_graph

        with closing(passage_graph(passage)) as read:
            return Pipeline(read, limit, settings).answer(question)
    except KgqaError as error:
        return unanswered(question, str(error))
