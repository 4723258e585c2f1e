"""How the passages of a corpus are found for a question: as its index ranks them best, or by one kind of query alone."""

from __future__ import annotations

from enum import StrEnum

from kgqa.retrieval.protocols import Retriever

PASSAGES_READ = 5
"""How many of the passages of a corpus are read."""
PASSAGES_RANKED = 100
"""How many are looked for where it is measured at which place the right one is."""


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


def open_retriever(path: str, by: CorpusQuery = CorpusQuery.BEST) -> Retriever:
    """Return what retrieves from a corpus; raises the errors of `open_corpus`."""
    from kgqa.retrieval.corpus import open_corpus, open_passage_index

    if by is CorpusQuery.BEST:
        return open_corpus(path)
    from kgqa.retrieval.fusion import ConditionalRetriever
    from kgqa.retrieval.lexical import BM25Retriever

    lexical = BM25Retriever(open_passage_index(path))
    return ConditionalRetriever(lexical) if by is CorpusQuery.FUSED else lexical


def corpus_query_text(question: str, by: CorpusQuery) -> str:
    """Return the part of a question that a corpus is searched by; all of it where it has no such part."""
    if by not in (CorpusQuery.MAIN, CorpusQuery.FACTUAL):
        return question
    from kgqa.retrieval.queries import query_variants

    parts = query_variants(question)
    return (parts.main if by is CorpusQuery.MAIN else parts.factual) or parts.whole
