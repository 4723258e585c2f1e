"""The one way in: `answer` for one question, `answers` for several, by an `AnswerSession`, which the command line uses too.

A session opens graph, corpus and reader when a question first needs them, and keeps them open.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from os import PathLike, fspath
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from graph.protocols import GraphStore, GraphView
from kgqa.answer_model import Answer
from kgqa.errors import ArgumentInvalid, KgqaError
from kgqa.pipeline import Pipeline, graph_embeddings
from kgqa.settings import MOST_FINDINGS, Settings, graph_url, starter_graph

if TYPE_CHECKING:
    from graph.sources.article import Article
    from kgqa.answering.matching.claim_answers import OpenClaims
    from kgqa.interventions.graph_settings import GraphSetting
    from kgqa.passages.passage_source import PassageSource
    from kgqa.record_schema import AnswerRecord


def answer(
    question: str,
    graph: str | PathLike[str] | GraphView | None = None,
    *,
    limit: int = 10,
    do: str | Sequence[str] = (),
    passage: str | PathLike[str] | None = None,
    risk: float | None = None,
    corpus: str | PathLike[str] | None = None,
    reader: str | None = None,
    articles: str | PathLike[str] | None = None,
    follow: bool = False,
) -> Answer:
    """Return the answer to a causal question, or, from a text, to any question.

    `graph` is an open graph, which stays open, or the address of one (by default `KGQA_GRAPH`, else the starter graph); `do` is a
    setting such as "smoking=absent", or several. `passage` is a text, or the path of a file with one, to answer from instead of a
    graph; `corpus` is the path of an index (or of a text) to find passages in, and `reader` reads them, "NAME" or "NAME:MODEL".
    `articles` is the path of an index that the links of a passage lead into; `follow` reads it where the passage does not answer.
    At most `limit` findings (1 to 1000) are returned; with a `risk` of 0..1 there is an answer only where the expected error
    is at most that. Raises `kgqa.Error`.
    """
    # Unpacking runs the generator to its end, which closes the graph.
    options = {"limit": limit, "do": do, "passage": passage, "risk": risk, "corpus": corpus, "reader": reader}
    (result,) = answers([question], graph, **options, articles=articles, follow=follow)  # type: ignore[arg-type]
    return result


def answers(
    questions: Iterable[str],
    graph: str | PathLike[str] | GraphView | None = None,
    *,
    limit: int = 10,
    do: str | Sequence[str] = (),
    passage: str | PathLike[str] | None = None,
    risk: float | None = None,
    corpus: str | PathLike[str] | None = None,
    reader: str | None = None,
    articles: str | PathLike[str] | None = None,
    follow: bool = False,
) -> Iterator[Answer]:
    """Iterate over the answers to questions; graph, corpus and reader are opened once. The arguments are those of `answer`."""
    texts = [questions] if isinstance(questions, str) else questions
    address = fspath(graph) if isinstance(graph, PathLike) else graph
    options = _checked_options(limit, do, risk, reader, None if corpus is None else fspath(corpus))
    options = options._replace(articles=None if articles is None else fspath(articles), follows=follow)
    text = _passage_text(passage)

    def answer_each() -> Iterator[Answer]:
        with AnswerSession(address, options) as session:
            for question in texts:
                if not isinstance(question, str):
                    raise ArgumentInvalid("question", question, "is no text")
                yield session.answer(question, text)

    return answer_each()


def _checked_options(
    limit: int, do: str | Sequence[str], risk: float | None, reader: str | None, corpus: str | None
) -> AnswerOptions:
    """Return the options of a session; raises `ArgumentInvalid`, `SettingInvalid` and `ReaderUnknown`."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_FINDINGS:
        raise ArgumentInvalid("limit", limit, f"is not in the range 1<=x<={MOST_FINDINGS}")
    if risk is not None and (isinstance(risk, bool) or not isinstance(risk, int | float) or not 0 <= risk <= 1):
        raise ArgumentInvalid("risk", risk, "is not in the range 0<=x<=1")
    if reader is not None:
        from kgqa.readers.reader import split_reader_name

        split_reader_name(reader)
    settings: tuple[GraphSetting, ...] = ()
    if do:
        from kgqa.interventions.graph_settings import parse_settings

        settings = parse_settings([do] if isinstance(do, str) else do)
    return AnswerOptions(limit, settings, risk, reader=reader, corpus=corpus)


def _passage_text(passage: str | PathLike[str] | None) -> str | Article | None:
    if passage is None or isinstance(passage, str):
        return passage
    if not isinstance(passage, PathLike):
        raise ArgumentInvalid("passage", passage, "is neither a text nor a path")
    from kgqa.passages.linked_passage import read_passage

    return read_passage(fspath(passage))


class AnswerOptions(NamedTuple):
    """How every question of a session is answered; `mines_always` mines the claims of a passage even where a reader suffices.

    With `lists_statements` an answer lists all that its question takes for granted, as its record does.
    `articles` is the index that the links of passages lead into; with `follows` they are followed.
    With `asks_wikipedia` the sentences behind an answer that the graph does not have are looked up there.
    """

    limit: int = 10
    settings: tuple[GraphSetting, ...] = ()
    risk: float | None = None
    reader: str | None = None
    corpus: str | None = None
    mines_always: bool = False
    asks_wikipedia: bool = False
    lists_statements: bool = False
    articles: str | None = None
    follows: bool = False


class AnswerSession(AbstractContextManager["AnswerSession"]):
    """Answers questions from one graph, its address or an open one, or each from a passage; closes a graph that it opened.

    Without `settings` those of the environment are read, once.
    """

    def __init__(
        self,
        graph: str | GraphView | None = None,
        options: AnswerOptions | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._graph = graph
        self._options = options or AnswerOptions()
        self._settings = settings or Settings.read()

    @property
    def options(self) -> AnswerOptions:
        """How the questions are answered."""
        return self._options

    @property
    def settings(self) -> Settings:
        """The settings of the environment as the session reads them."""
        return self._settings

    @property
    def address(self) -> str:
        """The address of the graph; that of an open graph is the one that it was opened by, empty where it has none."""
        if self._graph is None or isinstance(self._graph, str):
            return graph_url(self._graph, self._settings)
        return getattr(self._graph, "url", "")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def with_options(self, options: AnswerOptions) -> AnswerSession:
        """Return a session with other options, of the same reader and corpus, over the same open graph; close only this one."""
        _ = self.store, self._passages, self._embeddings  # made here, so that they are opened once for all such sessions
        session = copy(self)
        session._options = options
        return session

    @cached_property
    def store(self) -> GraphStore:
        """The graph at the address of the session; raises what `open_store` raises."""
        from graph.stores import open_store

        return open_store(graph_url(self._graph if isinstance(self._graph, str) else None, self._settings))

    @cached_property
    def _embeddings(self) -> OpenClaims:
        return graph_embeddings(lambda: self.store)

    @cached_property
    def _passages(self) -> PassageSource:
        from kgqa.passages.passage_source import PassageSource

        return PassageSource(self._options.reader, self._options.corpus, self._settings, self._options.articles)

    @property
    def is_starter(self) -> bool:
        """Whether the graph is the starter graph, which keeps no sentences."""
        return self.store.url == starter_graph()

    @property
    def reads_no_text(self) -> bool:
        """Whether the reader that is named answers without a text."""
        return self._passages.reads_no_text

    def answer(self, question: str, passage: str | Article | None = None) -> Answer:
        """Return the answer to a question, from the passage if there is one; raises `KgqaError` or `GraphError`."""
        source = self._linked_passage(passage)
        with self._pipeline(question, source, lists_statements=self._options.lists_statements) as (pipeline, _):
            return self._with_quotes(self._with_links(pipeline.answer(question), source))

    def record(
        self,
        question: str,
        passage: str | Article | None = None,
        *,
        identifier: object = None,
        statement: Callable[[Answer], str | None] | None = None,
        refuse: bool = False,
    ) -> AnswerRecord:
        """Return the answer as `--json` prints it, with its Cypher `statement`; with `refuse`, a `KgqaError` becomes one."""
        return self.answer_with_record(question, passage, identifier=identifier, statement=statement, refuse=refuse)[1]

    def answer_with_record(
        self,
        question: str,
        passage: str | Article | None = None,
        *,
        identifier: object = None,
        statement: Callable[[Answer], str | None] | None = None,
        refuse: bool = False,
    ) -> tuple[Answer, AnswerRecord]:
        """Return the answer to a question with its record; the arguments are those of `record`."""
        from kgqa.record import answer_record

        began = time.perf_counter()
        source = self._linked_passage(passage)
        with self._pipeline(question, source, lists_statements=True) as (pipeline, store_of_answer):
            try:
                result = self._with_quotes(self._with_links(pipeline.answer(question), source))
            except KgqaError as error:
                if not refuse:
                    raise
                from kgqa.answering.refusals import refuse_question

                result = refuse_question(question, str(error))
            elapsed = (time.perf_counter() - began) * 1000
            store = store_of_answer()
            url, digest = (store.url, store.digest()) if store else (None, None)
            cypher = statement(result) if statement else None
            return result, answer_record(result, url, digest, elapsed, identifier, cypher)

    def cost_line(self) -> str | None:
        """Return the cost of the server of a reader so far, in a line; `None` where no server was used."""
        charged = self._passages.charged if "_passages" in self.__dict__ else None
        return None if charged is None else charged.cost_line()

    def close(self) -> None:
        """Close the graph if the session opened it."""
        if (store := self.__dict__.pop("store", None)) is not None:
            store.close()

    def _linked_passage(self, passage: str | Article | None) -> Article | None:
        if not isinstance(passage, str):
            return passage
        from kgqa.passages.linked_passage import passage_article

        return passage_article(passage)

    def _with_links(self, answer: Answer, passage: Article | None) -> Answer:
        """Return an answer that links of its passage complete, or that says which of them would."""
        if passage is None or not (passage.links or self._options.articles) or self._options.settings:
            return answer
        from kgqa.hops.hop_answer import LinkFollower, answer_with_links
        from kgqa.questions.classifier import classify

        follower = LinkFollower(self._passages.articles, classify, lambda: self._passages.reader)
        return answer_with_links(answer.question, answer, passage, follower, follows=self._options.follows)

    def _with_quotes(self, answer: Answer) -> Answer:
        """Return an answer whose records have their sentences, as far as they are known without the graph."""
        if not any(item.evidence.lacks_text for item in (*answer.evidence, *answer.against)):
            return answer
        from kgqa.answer_quotes import quote_answer

        return quote_answer(answer, self._settings, online=self._options.asks_wikipedia)

    @contextmanager
    def _pipeline(
        self, question: str, passage: Article | None, *, lists_statements: bool
    ) -> Iterator[tuple[Pipeline, Callable[[], GraphStore | None]]]:
        """Yield the pipeline of a question, and what returns its graph: `None` where a passage was not mined."""
        options = self._options
        if passage is None:
            pipeline = self._graph_pipeline()
            yield replace(pipeline, lists_statements=lists_statements), lambda: self.store
            return
        from kgqa.passages.passage_graph import PassageGraph

        with closing(PassageGraph(passage.text, question)) as claims:
            texts = self._passages.of_passage(passage.text, None if options.mines_always else claims)
            pipeline = Pipeline(claims.store, options.limit, options.settings, risk=options.risk, texts=texts)
            yield replace(pipeline, lists_statements=lists_statements), lambda: claims.mined

    def _graph_pipeline(self) -> Pipeline:
        """Return the pipeline over the graph and the corpus, or over the graph and, where it does not know, its sentences."""
        options = self._options
        texts = self._passages.of_corpus() if options.corpus is not None else None
        if texts is None and self._passages.reads_no_text:
            texts = self._passages.of_nothing()
        if self._graph is not None and not isinstance(self._graph, str):
            claims = self._passages.claims
            return Pipeline(self._graph, options.limit, options.settings, risk=options.risk, texts=texts, claims=claims)
        store = self.store
        sentences = (lambda: self._passages.of_sentences(store)) if texts is None and not self.is_starter else None
        return Pipeline(
            *(store, options.limit, options.settings),
            embeddings=self._embeddings,
            risk=options.risk,
            texts=texts,
            fallback_texts=sentences,
            claims=self._passages.claims,
        )
