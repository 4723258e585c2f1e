"""The one way in: `answer` for one question, `AnswerSession` for many; `kgqa ask` and `kgqa ask --batch` use it too.

A session opens graph, embeddings, corpus and reader when a question first needs them, and keeps them open.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from graph.protocols import GraphStore, GraphView
from kgqa.answers import Answer
from kgqa.errors import KgqaError
from kgqa.linking.linker import link_phrase
from kgqa.pipeline import Pipeline
from kgqa.request import Linker
from kgqa.settings import Settings, graph_url, starter_graph

if TYPE_CHECKING:
    from kgqa.interventions.graph_settings import GraphSetting
    from kgqa.passages.passage_source import PassageSource


def answer(
    question: str,
    graph: str | GraphView | None = None,
    *,
    limit: int = 10,
    do: Sequence[str] = (),
    passage: str | None = None,
    risk: float | None = None,
    corpus: str | None = None,
    reader: str | None = None,
) -> Answer:
    """Return the answer to a causal question, or, from a text, to any question.

    `graph` is an open one, which stays open, or the address of one (by default what `KGQA_GRAPH` names, else the starter graph);
    `do` are settings such as "smoking=absent". `passage` is a text to answer from instead of a graph, `corpus` the path of an
    index (or of a text) to find passages in, and `reader` who reads them, "NAME" or "NAME:MODEL". At most `limit` findings are
    shown; with a `risk` of 0..1 there is an answer only where the expected error is at most that. Raises `KgqaError` or
    `GraphError`, whose message says what is wrong.
    """
    settings: tuple[GraphSetting, ...] = ()
    if do:
        from kgqa.interventions.graph_settings import parse_settings

        settings = parse_settings(do)
    with AnswerSession(graph, AnswerOptions(limit, settings, risk, reader=reader, corpus=corpus)) as session:
        return session.answer(question, passage)


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """How every question of a session is answered; `mines_always` mines the claims of a passage even where a reader suffices."""

    limit: int = 10
    settings: tuple[GraphSetting, ...] = field(default=())
    risk: float | None = None
    embeddings: bool = False
    reader: str | None = None
    corpus: str | None = None
    mines_always: bool = False


class AnswerSession:
    """Answers questions from one graph, its address or an open one, or each from a passage; closes a graph that it opened.

    Without `settings` those of the environment are read, once.
    """

    def __init__(
        self, graph: str | GraphView | None = None, options: AnswerOptions | None = None, settings: Settings | None = None
    ) -> None:
        self._graph = graph
        self._options = options or AnswerOptions()
        self._settings = settings or Settings.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @cached_property
    def store(self) -> GraphStore:
        """The graph at the address of the session; raises what `open_store` raises."""
        from graph.stores import open_store

        return open_store(graph_url(self._graph if isinstance(self._graph, str) else None, self._settings))

    @cached_property
    def linker(self) -> Linker:
        """The linker of phrases to concepts; raises what `EmbeddingLinker` raises where there are no usable embeddings."""
        if not self._options.embeddings:
            return link_phrase
        from kgqa.linking.name_embeddings import EmbeddingLinker

        return EmbeddingLinker(self.store, self._settings.encoder or None)

    @cached_property
    def _passages(self) -> PassageSource:
        from kgqa.passages.passage_source import PassageSource

        return PassageSource(self._options.reader, self._options.corpus, self._settings)

    @property
    def is_starter(self) -> bool:
        """Whether the graph is the starter graph, which keeps no sentences."""
        return self.store.url == starter_graph()

    def answer(self, question: str, passage: str | None = None) -> Answer:
        """Return the answer to a question, from the passage if there is one; raises `KgqaError` or `GraphError`."""
        with self._pipeline(question, passage) as (pipeline, _):
            return pipeline.answer(question)

    def record(
        self,
        question: str,
        passage: str | None = None,
        *,
        identifier: object = None,
        statement: Callable[[Answer], str | None] | None = None,
        refuse: bool = False,
    ) -> dict[str, Any]:
        """Return the answer as `--json` prints it, with its Cypher `statement`; with `refuse`, a `KgqaError` becomes one."""
        from kgqa.record import answer_record

        began = time.perf_counter()
        with self._pipeline(question, passage) as (pipeline, store_of_answer):
            try:
                result = pipeline.answer(question)
            except KgqaError as error:
                if not refuse:
                    raise
                from kgqa.answering.refusals import refuse_question

                result = refuse_question(question, str(error))
            elapsed = (time.perf_counter() - began) * 1000
            store = store_of_answer()
            url, digest = (store.url, store.digest()) if store else (None, None)
            return answer_record(result, url, digest, elapsed, identifier, statement(result) if statement else None)

    def cost_line(self) -> str | None:
        """Return what a server of a reader was asked so far, in a line; `None` where none was asked."""
        charged = self._passages.charged if "_passages" in self.__dict__ else None
        return None if charged is None else charged.cost_line()

    def close(self) -> None:
        """Close the graph if the session opened it."""
        if (store := self.__dict__.pop("store", None)) is not None:
            store.close()

    @contextmanager
    def _pipeline(self, question: str, passage: str | None) -> Iterator[tuple[Pipeline, Callable[[], GraphStore | None]]]:
        """Yield the pipeline of a question, and what returns its graph: `None` where a passage was not mined."""
        options = self._options
        if passage is None:
            pipeline = self._graph_pipeline()
            yield pipeline, lambda: self.store
            return
        from kgqa.passages.passage_graph import PassageGraph

        with closing(PassageGraph(passage, question)) as claims:
            texts = self._passages.of_passage(passage, None if options.mines_always else claims)
            yield Pipeline(claims.store, options.limit, options.settings, risk=options.risk, texts=texts), lambda: claims.mined

    def _graph_pipeline(self) -> Pipeline:
        """Return the pipeline over the graph and the corpus, or over the graph and, where it does not know, its sentences."""
        options = self._options
        texts = self._passages.of_corpus() if options.corpus is not None else None
        if self._graph is not None and not isinstance(self._graph, str):
            return Pipeline(self._graph, options.limit, options.settings, risk=options.risk, texts=texts)
        store, reads = self.store, texts is None and not self.is_starter
        sentences = (lambda: self._passages.of_sentences(store)) if reads else None
        return Pipeline(
            *(store, options.limit, options.settings),
            linker=self.linker,
            risk=options.risk,
            texts=texts,
            fallback_texts=sentences,
        )
