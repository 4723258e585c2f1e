"""How the passages of a corpus are found for a question: as its index ranks them best, or by one kind of query alone."""

from __future__ import annotations

from enum import StrEnum

from kgqa.retrieval.protocols import Retriever

READ = 5
"""How many of the passages of a corpus are read."""
DEEP = 100
"""How many are looked for where it is measured at which place the right one is."""


class Query(StrEnum):
    """What a corpus is searched by.

    `BEST` is what measures best, an order of its own over what BM25 finds; the others are BM25 alone: by all of a question, by
    its main clause, by the fact that its "if" denies, or by all three, fused.
    """

    BEST = "best"
    WHOLE = "whole"
    MAIN = "main"
    FACTUAL = "factual"
    FUSED = "fused"


def retriever_of(path: str, by: Query = Query.BEST) -> Retriever:
    """Return what retrieves from a corpus; raises the errors of `open_corpus`."""
    from kgqa.retrieval.corpus import open_corpus, open_index

    if by is Query.BEST:
        return open_corpus(path)
    from kgqa.retrieval.fusion import Supposed
    from kgqa.retrieval.lexical import Lexical

    lexical = Lexical(open_index(path))
    return Supposed(lexical) if by is Query.FUSED else lexical


def query_of(question: str, by: Query) -> str:
    """Return the part of a question that a corpus is searched by; all of it where it has no such part."""
    if by not in (Query.MAIN, Query.FACTUAL):
        return question
    from kgqa.retrieval.queries import queries

    asked = queries(question)
    return (asked.main if by is Query.MAIN else asked.factual) or asked.whole
