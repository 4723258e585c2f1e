"""`kgqa ask --batch`: the questions of a file in order, everything loaded once, by several processes where that pays."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from graph.sources.article import Article
from graph.sources.input_stream import InputStream, OnSkip, open_input, read_items
from graph.sources.jsonl import Record, RecordInvalid, json_records, parse_records, text_field
from kgqa.answer_model import Answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.cli.output.progress import Progress, SkipCounter
from kgqa.cli.output.terminal import count_text, json_line, note

CHUNK_SIZE = 32
"""How many questions a process gets at a time."""
PARALLEL_FROM_BYTES = 1 << 15
"""The size of a file, in bytes, from which on more processes than one are started; a start costs some fifty answers."""
_COLLECTED_AFTER = (50_000, 20, 100)
"""When unreachable cycles are looked for: answers make thousands of objects that live on for a moment, and hardly any cycle."""


class BatchQuestion(NamedTuple):
    """A question of a batch: its identifier, as it came, and the passage to answer it from, or `None`."""

    id: object
    question: str
    passage: str | None


class BatchSession(NamedTuple):
    """What the questions of a batch are answered with: those without a passage of their own from `passage`, if there is one."""

    session: AnswerSession
    passage: Article | None
    statement: Callable[[Answer], str | None] | None

    def line(self, question: BatchQuestion) -> str:
        """Return the line that answers a question, from its passage where it has one, be it empty."""
        passage = self.passage if question.passage is None else question.passage
        return json_line(
            self.session.record(question.question, passage, identifier=question.id, statement=self.statement, refuse=True)
        )


def answer_batch(path: str, batch: BatchSession, options: AnswerOptions, workers: int | None) -> None:
    """Answer the questions of a file in order, a JSON object a line.

    A question that cannot be answered gets its line, too, with the reason in it; a line that is no question is skipped. Without a
    number of `workers`, a large file is answered by one process a processor; a graph that is not a file by this process alone.
    """
    store = batch.session.store
    skips = SkipCounter()
    count = 1
    if Path(store.url).is_file():  # other processes can open the same graph
        is_large = Path(path).is_file() and Path(path).stat().st_size >= PARALLEL_FROM_BYTES
        count = workers or (len(os.sched_getaffinity(0)) if is_large else 1)
    with ExitStack() as ending, open_input(path) as stream, Progress("answering", stream, over_output=True) as bar:
        questions = read_items(stream, _read_questions, 'JSON lines with a "question"', skips)
        lines: Iterable[str]
        ending.callback(gc.set_threshold, *gc.get_threshold())
        if count == 1:
            gc.set_threshold(*_COLLECTED_AFTER)
            lines = map(batch.line, questions)
        else:
            from graph.mining.workers import map_over_processes

            chunks = iter(lambda: list(itertools.islice(questions, CHUNK_SIZE)), [])
            answered = map_over_processes(_question_lines, chunks, count, _open_session, (store.url, options, *batch[1:]))
            ending.callback(answered.close)
            lines = itertools.chain.from_iterable(answered)
        for number, line in enumerate(lines, 1):
            print(line)
            bar.show(count_text(number, "question"))
    skips.report()
    if (cost := batch.session.cost_line()) is not None:
        note(cost)


_prepared: list[BatchSession] = []


def _open_session(
    url: str, options: AnswerOptions, passage: Article | None, statement: Callable[[Answer], str | None] | None
) -> None:
    gc.set_threshold(*_COLLECTED_AFTER)
    session = AnswerSession(url, options)
    _ = session.store
    _prepared.append(BatchSession(session, passage, statement))


def _question_lines(chunk: Sequence[BatchQuestion]) -> list[str]:
    return [_prepared[0].line(question) for question in chunk]


def _read_questions(stream: InputStream, on_skip: OnSkip) -> Iterator[BatchQuestion]:
    return parse_records(json_records(stream, on_skip), _parse_question, on_skip)


def _parse_question(record: Record, _: str) -> BatchQuestion:
    if "question" not in record:
        raise RecordInvalid('no "question"')
    passage = None if record.get("passage") is None else text_field(record, "passage")
    return BatchQuestion(record.get("id"), text_field(record, "question"), passage)
