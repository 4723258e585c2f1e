"""`kgqa ask --batch`: the questions of a file in order, everything loaded once, by several processes where that pays."""

from __future__ import annotations

import gc
import itertools
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from graph.protocols import GraphStore
from graph.sources.article import Skipped
from graph.sources.input_stream import InputStream, OnSkip, open_input
from graph.sources.jsonl import RecordInvalid, SkipTally, json_records, text_field
from graph.stores import open_store
from kgqa.answers import Answer
from kgqa.api import build_linker
from kgqa.cli.output.progress import Progress, SkipCounter
from kgqa.cli.output.terminal import count_text, json_line, note
from kgqa.errors import KgqaError
from kgqa.passages.passage_source import PassageSource
from kgqa.pipeline import Pipeline, refuse_question
from kgqa.record import answer_record
from kgqa.request import Linker

if TYPE_CHECKING:
    from kgqa.interventions.graph_settings import GraphSetting

CHUNK_SIZE = 32
"""How many questions a process is handed at a time."""

PARALLEL_FROM_BYTES = 1 << 15
"""The size of a file, in bytes, from which on more processes than one are started; a start costs some fifty answers."""


_COLLECTED_AFTER = (50_000, 20, 100)
"""When unreachable cycles are looked for: answers make thousands of objects that live on for a moment, and hardly any cycle."""


class BatchQuestion(NamedTuple):
    """A question of a batch: its identifier, as it came, and the passage to answer it from, or `None`."""

    id: object
    question: str
    passage: str | None


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How every question of a batch is answered; those without a passage of their own from `passage`, where there is one."""

    limit: int
    conditions: tuple[GraphSetting, ...] = ()
    statement: Callable[[Answer], str | None] | None = None
    risk: float | None = None
    embeddings: bool = False
    reader: str | None = None
    corpus: str | None = None
    passage: str | None = None


def answer_batch(path: str, store: GraphStore, terms: BatchOptions, workers: int | None) -> None:
    """Answer the questions of a file in order, a JSON object a line.

    A question that cannot be answered gets its line, too, with the reason in it; a line that is no question is skipped. Without a
    number of `workers`, a large file is answered by one a processor; a graph that is not a file is asked by this process alone.
    """
    means = BatchResources(store, terms, build_linker(store, terms.embeddings), PassageSource(terms.reader, terms.corpus))
    skips = SkipCounter()
    tally = SkipTally(skips)
    count = 1 if not _is_shareable(store) else workers or _worker_count(path)
    with ExitStack() as ending, open_input(path) as stream, Progress("answering", stream, over_output=True) as bar:
        questions = tally.require_items(_read_questions(stream, tally.skip), stream.name, 'JSON lines with a "question"')
        lines: Iterable[str]
        ending.callback(gc.set_threshold, *gc.get_threshold())
        if count == 1:
            gc.set_threshold(*_COLLECTED_AFTER)
            lines = (_question_line(batch_question, means) for batch_question in questions)
        else:
            from graph.mining.workers import map_over_processes

            answered = map_over_processes(
                _question_lines, _question_chunks(questions), count, _open_resources, (store.url, terms)
            )
            ending.callback(answered.close)
            lines = itertools.chain.from_iterable(answered)
        for number, line in enumerate(lines, 1):
            print(line)
            bar.show(count_text(number, "question"))
    skips.report()
    if (charged := means.shelf.charged) is not None:
        note(charged.cost_line())


def _is_shareable(store: GraphStore) -> bool:
    """Return whether other processes can open the same graph: it is a file."""
    return Path(store.url).is_file()


def _worker_count(path: str) -> int:
    """Return how many processes are worth their start for a file."""
    file = Path(path)
    return len(os.sched_getaffinity(0)) if file.is_file() and file.stat().st_size >= PARALLEL_FROM_BYTES else 1


def _question_chunks(questions: Iterator[BatchQuestion]) -> Iterator[Sequence[BatchQuestion]]:
    """Yield the questions by the chunk."""
    while chunk := list(itertools.islice(questions, CHUNK_SIZE)):
        yield chunk


class BatchResources(NamedTuple):
    """What the questions of a batch are answered with."""

    store: GraphStore
    terms: BatchOptions
    link: Linker
    shelf: PassageSource


_prepared: list[BatchResources] = []


def _open_resources(url: str, terms: BatchOptions) -> None:
    """Open the graph in a process of its own."""
    gc.set_threshold(*_COLLECTED_AFTER)
    store = open_store(url)
    _prepared.append(
        BatchResources(store, terms, build_linker(store, terms.embeddings), PassageSource(terms.reader, terms.corpus))
    )


def _question_lines(chunk: Sequence[BatchQuestion]) -> list[str]:
    """Return the lines of a chunk, in a process that was prepared."""
    return [_question_line(batch_question, _prepared[0]) for batch_question in chunk]


def _read_questions(stream: InputStream, on_skip: OnSkip) -> Iterator[BatchQuestion]:
    """Yield the questions of a file, and tell `on_skip` of every line that is none."""
    for place, record in json_records(stream, on_skip):
        try:
            if "question" not in record:
                raise RecordInvalid('no "question"')
            passage = None if record.get("passage") is None else text_field(record, "passage")
            yield BatchQuestion(record.get("id"), text_field(record, "question"), passage)
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))


def _question_line(batch_question: BatchQuestion, means: BatchResources) -> str:
    """Return the line that answers one question, from its passage where it has one; an empty one tells nothing."""
    began = time.perf_counter()
    terms = means.terms
    passage = terms.passage if batch_question.passage is None else batch_question.passage
    if passage is None:
        pipeline = Pipeline(means.store, terms.limit, terms.conditions, linker=means.link, risk=terms.risk)
        return _answer_line(batch_question, means.shelf.extend_pipeline(means.store, pipeline), terms, lambda: means.store, began)
    from kgqa.passages.passage_graph import PassageGraph

    with closing(PassageGraph(passage, batch_question.question)) as claims:
        texts = means.shelf.of_passage(passage, None if terms.statement else claims)
        pipeline = Pipeline(claims.store, terms.limit, terms.conditions, risk=terms.risk, texts=texts)
        return _answer_line(batch_question, pipeline, terms, lambda: claims.mined, began)


def _answer_line(
    batch_question: BatchQuestion, pipeline: Pipeline, terms: BatchOptions, graph: Callable[[], GraphStore | None], began: float
) -> str:
    """Return the line that answers one question; what cannot be asked is an answer that says so."""
    try:
        answer = pipeline.answer(batch_question.question)
    except KgqaError as error:
        answer = refuse_question(batch_question.question, str(error))
    statement = terms.statement(answer) if terms.statement else None
    elapsed = (time.perf_counter() - began) * 1000
    store = graph()
    url, digest = (store.url, store.digest()) if store else (None, None)
    return json_line(answer_record(answer, url, digest, elapsed, batch_question.id, statement))
