"""The reader and the corpus that somebody names, and the texts they make: opened when they are first used, and then kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from graph.protocols import GraphStore
from kgqa.pipeline import Pipeline
from kgqa.settings import starter_graph

_SENTENCES_READ = 12
"""How many of the sentences that a graph keeps are read."""

if TYPE_CHECKING:
    from kgqa.answering.passages import PassageInput
    from kgqa.reading.passage import PassageGraph
    from kgqa.reading.protocols import MeteredReader, Reader
    from kgqa.retrieval.protocols import Retriever


class PassageSource:
    """A reader, "NAME" or "NAME:MODEL" or the default one, and a corpus to retrieve from, where there is one."""

    def __init__(self, reader: str | None = None, corpus: str | None = None) -> None:
        self._reader = reader
        self._corpus = corpus
        self._is_reader_named = reader is not None

    @cached_property
    def reader(self) -> Reader:
        """The reader; raises the errors of `reader_of`."""
        from kgqa.reading.readers import DEFAULT_READER, load_reader

        return load_reader(self._reader or DEFAULT_READER)

    @property
    def charged(self) -> MeteredReader | None:
        """The reader, where it was used and asks a server."""
        from kgqa.reading.protocols import MeteredReader

        reader = self.__dict__.get("reader")
        return reader if isinstance(reader, MeteredReader) else None

    @cached_property
    def corpus(self) -> Retriever:
        """The corpus; raises the errors of `open_corpus`."""
        from kgqa.answering.retrieved import open_retriever

        return open_retriever(self._corpus or "")

    def extend_pipeline(self, store: GraphStore, pipeline: Pipeline) -> Pipeline:
        """Return a pipeline over a graph that reads the corpus, too, or else, where the graph does not know, its sentences."""
        if self._corpus is not None:
            return replace(pipeline, texts=self.of_corpus())
        if store.url == starter_graph():
            return pipeline
        return replace(pipeline, fallback_texts=lambda: self.of_sentences(store))

    def of_passage(self, text: str, claims: PassageGraph | None) -> PassageInput:
        """Return a text that was given; without its `claims` beside it they are mined in any case."""
        from kgqa.answering.passages import PassageInput
        from kgqa.reading.model import Passage
        from kgqa.reading.passage import unwrap_lines

        passages = (Passage(unwrap_lines(text)),)
        return PassageInput(
            lambda question: passages,
            lambda: self.reader,
            promises=claims.promises if claims else None,
            is_reader_named=self._is_reader_named,
        )

    def of_corpus(self) -> PassageInput:
        """Return the passages of the corpus."""
        from kgqa.answering.passages import PassageInput
        from kgqa.answering.retrieved import PASSAGES_READ

        return PassageInput(
            lambda question: self.corpus.retrieve(question, PASSAGES_READ),
            lambda: self.reader,
            title="corpus",
            is_reader_named=self._is_reader_named,
        )

    def of_sentences(self, store: GraphStore) -> PassageInput:
        """Return the sentences that a graph keeps."""
        from kgqa.answering.passages import PassageInput
        from kgqa.retrieval.sentences import EvidenceRetriever

        sentences = EvidenceRetriever(store)
        return PassageInput(
            lambda question: sentences.retrieve(question, _SENTENCES_READ),
            lambda: self.reader,
            given=False,
            title="graph",
            is_reader_named=self._is_reader_named,
        )
