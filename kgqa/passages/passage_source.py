"""The reader and the corpus that a user names, and the passages that they give: opened when first used, and then kept."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property, partial
from typing import TYPE_CHECKING

from graph.protocols import GraphStore

if TYPE_CHECKING:
    from kgqa.passages.corpus_claims import CorpusClaims
    from kgqa.passages.passage_answer import PassageInput
    from kgqa.passages.passage_graph import PassageGraph
    from kgqa.readers.reader import MeteredReader, Reader
    from kgqa.retrieval.article_lookup import ArticleLookup
    from kgqa.retrieval.retrievers import IndexRetriever, Retriever
    from kgqa.settings import Settings


PASSAGES_READ = 5
"""How many of the passages of a corpus are read."""
PASSAGES_RANKED = 100
"""How many are looked for where it is measured at which place the right one is."""
_SENTENCES_READ = 12
"""How many of the sentences that a graph keeps are read."""


class PassageSource:
    """A reader, "NAME" or "NAME:MODEL" or the default one, a corpus to retrieve from, and the articles that links lead to."""

    def __init__(
        self,
        reader: str | None = None,
        corpus: str | None = None,
        settings: Settings | None = None,
        articles: str | None = None,
    ) -> None:
        self._reader = reader
        self._corpus = corpus
        self._settings = settings
        self._articles = articles

    @cached_property
    def reader(self) -> Reader:
        """The reader; raises the errors of `reader_of`."""
        from kgqa.readers.reader import DEFAULT_READER, load_reader

        return load_reader(self._reader or DEFAULT_READER, self._settings)

    @property
    def charged(self) -> MeteredReader | None:
        """The reader, where it was used and asks a server."""
        from kgqa.readers.reader import MeteredReader

        reader = self.__dict__.get("reader")
        return reader if isinstance(reader, MeteredReader) else None

    @cached_property
    def corpus(self) -> IndexRetriever:
        """The corpus; raises the errors of `open_corpus`."""
        from kgqa.retrieval.corpus import open_corpus

        return open_corpus(self._corpus or "", settings=self._settings)

    @cached_property
    def articles(self) -> ArticleLookup | None:
        """The articles that links lead to, where they are named; raises the errors of `open_passage_index`."""
        if self._articles is None:
            return None
        from kgqa.retrieval.article_lookup import ArticleLookup
        from kgqa.retrieval.corpus import open_passage_index

        return ArticleLookup(open_passage_index(self._articles))

    @cached_property
    def claims(self) -> CorpusClaims | None:
        """The claims of the corpus, found for each question; `None` without a corpus."""
        if self._corpus is None:
            return None
        from kgqa.passages.corpus_claims import CorpusClaims

        return CorpusClaims(lambda: self.corpus.index)

    def of_passage(self, text: str, claims: PassageGraph | None) -> PassageInput:
        """Return a text that was given; without its `claims` beside it they are mined in any case."""
        from kgqa.passages.passage_graph import unwrap_lines
        from kgqa.readers.reader import Passage

        passages = (Passage(unwrap_lines(text)),)
        return self._input(lambda question: passages, promises=claims.promises if claims else None)

    def of_corpus(self) -> PassageInput:
        """Return the passages of the corpus."""
        return self._input(lambda question: self.corpus.retrieve(question, PASSAGES_READ), title="corpus")

    @property
    def reads_no_text(self) -> bool:
        """Whether the reader that is named answers without a text."""
        from kgqa.readers.reader import CLOSED_READERS, split_reader_name

        return self._reader is not None and split_reader_name(self._reader)[0] in CLOSED_READERS

    def of_nothing(self) -> PassageInput:
        """Return no passages, for a reader that answers without."""
        return self._input(lambda question: (), title="model alone", closed=True)

    def of_sentences(self, store: GraphStore) -> PassageInput:
        """Return the sentences that a graph keeps."""
        from kgqa.retrieval.corpus import EvidenceRetriever

        sentences = EvidenceRetriever(store)
        return self._input(lambda question: sentences.retrieve(question, _SENTENCES_READ), given=False, title="graph")

    @property
    def _input(self) -> Callable[..., PassageInput]:
        from kgqa.passages.passage_answer import PassageInput

        return partial(PassageInput, reader=lambda: self.reader, is_reader_named=self._reader is not None)


class CorpusQuery(StrEnum):
    """What a corpus is searched by.

    `BEST` is what measures best, an order of its own over what BM25 finds; the others are BM25 alone: by all of a question, by
    its main clause, by the fact that its "if" denies, or by all three, fused.
    """

    BEST = "best"
    WHOLE = "whole"
    MAIN = "main"
    FACTUAL = "factual"
    FUSED = "fused"


def open_retriever(path: str, by: CorpusQuery = CorpusQuery.BEST, settings: Settings | None = None) -> Retriever:
    """Return what retrieves from a corpus; raises the errors of `open_corpus`."""
    from kgqa.retrieval.corpus import open_corpus, open_passage_index

    if by is CorpusQuery.BEST:
        return open_corpus(path, settings=settings)
    from kgqa.retrieval.retrievers import BM25Retriever, ConditionalRetriever

    lexical = BM25Retriever(open_passage_index(path))
    return ConditionalRetriever(lexical) if by is CorpusQuery.FUSED else lexical


def corpus_query_text(question: str, by: CorpusQuery) -> str:
    """Return the part of a question that a corpus is searched by; all of it where it has no such part."""
    if by not in (CorpusQuery.MAIN, CorpusQuery.FACTUAL):
        return question
    from kgqa.retrieval.retrievers import query_variants

    parts = query_variants(question)
    return (parts.main if by is CorpusQuery.MAIN else parts.factual) or parts.whole
