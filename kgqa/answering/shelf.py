"""The reader and the corpus that somebody names, and the texts they make: opened when they are first used, and then kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from graph.protocols import GraphStore
from kgqa.pipeline import Pipeline
from kgqa.settings import starter_graph

_SENTENCES = 12
"""How many of the sentences that a graph keeps are read."""

if TYPE_CHECKING:
    from kgqa.answering.passages import Texts
    from kgqa.reading.passage import PassageGraph
    from kgqa.reading.protocols import Charged, Reader
    from kgqa.retrieval.protocols import Retriever


class Shelf:
    """A reader, "NAME" or "NAME:MODEL" or the default one, and a corpus to retrieve from, where there is one."""

    def __init__(self, reader: str | None = None, corpus: str | None = None) -> None:
        self._reader = reader
        self._corpus = corpus
        self._named = reader is not None

    @cached_property
    def reader(self) -> Reader:
        """The reader; raises the errors of `reader_of`."""
        from kgqa.reading.readers import DEFAULT, reader_of

        return reader_of(self._reader or DEFAULT)

    @property
    def charged(self) -> Charged | None:
        """The reader, where it was used and asks a server."""
        from kgqa.reading.protocols import Charged

        reader = self.__dict__.get("reader")
        return reader if isinstance(reader, Charged) else None

    @cached_property
    def corpus(self) -> Retriever:
        """The corpus; raises the errors of `open_corpus`."""
        from kgqa.answering.retrieved import retriever_of

        return retriever_of(self._corpus or "")

    def over(self, store: GraphStore, pipeline: Pipeline) -> Pipeline:
        """Return a pipeline over a graph that reads the corpus, too, or else, where the graph does not know, its sentences."""
        if self._corpus is not None:
            return replace(pipeline, texts=self.of_corpus())
        if store.url == starter_graph():
            return pipeline
        return replace(pipeline, kept=lambda: self.of_sentences(store))

    def of_passage(self, text: str, claims: PassageGraph | None) -> Texts:
        """Return a text that was given; without its `claims` beside it they are mined in any case."""
        from kgqa.answering.passages import Texts
        from kgqa.reading.model import Passage
        from kgqa.reading.passage import unwrapped

        passages = (Passage(unwrapped(text)),)
        return Texts(
            lambda question: passages, lambda: self.reader, promises=claims.promises if claims else None, named=self._named
        )

    def of_corpus(self) -> Texts:
        """Return the passages of the corpus."""
        from kgqa.answering.passages import Texts
        from kgqa.answering.retrieved import READ

        return Texts(
            lambda question: self.corpus.retrieve(question, READ), lambda: self.reader, title="corpus", named=self._named
        )

    def of_sentences(self, store: GraphStore) -> Texts:
        """Return the sentences that a graph keeps."""
        from kgqa.answering.passages import Texts
        from kgqa.retrieval.sentences import EvidenceSentences

        kept = EvidenceSentences(store)
        return Texts(
            lambda question: kept.retrieve(question, _SENTENCES),
            lambda: self.reader,
            given=False,
            title="graph",
            named=self._named,
        )
