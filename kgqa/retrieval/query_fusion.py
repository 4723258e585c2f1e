"""Query variants of an "if" question, and the fusion of their rankings.

The three queries are the whole question, its main clause, and the fact that its condition contradicts (IfQA §4.5): a condition
contradicts the passage, and a main clause often names nothing in it, so each is searched on its own as well. Rankings are fused
by reciprocal rank (Cormack, Clarke and Buettcher 2009): a passage gets the sum of w / (k + rank).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from kgqa.edits.conditional_clauses import plain_main_clause, presupposed_fact
from kgqa.edits.order_queries import exposure_process
from kgqa.questions.conditional import parse_conditional
from kgqa.readers.reader import Passage
from kgqa.retrieval.retriever import Retriever


class ClauseQueries(NamedTuple):
    """What to search for: the whole question, its main clause, and its presupposition as a fact.

    Where the question supposes nothing, the others are the whole as well.
    """

    whole: str
    main: str
    fact: str


def clause_queries(question: str) -> ClauseQueries:
    """Return the queries of a question.

    A process that reaches the most exposed first is a question for the quality that decides: "which country is flooded first?"
    for the lowest-lying country.
    """
    whole = " ".join(question.split())
    conditional = parse_conditional(question)
    if conditional is None or not conditional.main:
        return ClauseQueries(whole, whole, whole)
    process = exposure_process(conditional.clause, conditional.main)
    if process is not None:
        sort = next((word for word in conditional.main.split() if word.lower() not in ("which", "what", "of", "the")), "")
        return ClauseQueries(whole, plain_main_clause(conditional.main), f"{process.decides} {sort} in the world")
    return ClauseQueries(whole, plain_main_clause(conditional.main), presupposed_fact(conditional) or whole)


class QueryVariants(NamedTuple):
    """What to look for: `main` and `factual` are empty where a question supposes nothing."""

    whole: str
    main: str = ""
    factual: str = ""


def query_variants(question: str) -> QueryVariants:
    """Return what to look for to answer a question."""
    whole, main, fact = clause_queries(question)
    return QueryVariants(whole, "" if main == whole else main, "" if fact == whole else fact)


RECIPROCAL_RANK_OFFSET = 10
QUERY_WEIGHTS = (1.0, 0.1, 0.1)
"""What a rank counts for the whole question, its main clause and the fact behind its condition; fitted on IfQA train."""
_FUSION_DEPTH = 100


class FusedRetriever:
    """What several retrievers find for a query, together."""

    def __init__(self, retrievers: Sequence[Retriever], weights: Sequence[float] = (), k: float = RECIPROCAL_RANK_OFFSET) -> None:
        self._retrievers = tuple(retrievers)
        self._weights = tuple(weights) or (1.0,) * len(self._retrievers)
        self._k = k

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return the passages that stand highest in all the rankings."""
        rankings = (retriever.retrieve(query, max(best, _FUSION_DEPTH)) for retriever in self._retrievers)
        return fuse_rankings(zip(self._weights, rankings, strict=True), best, self._k)


class ConditionalRetriever:
    """What one retriever finds for the three queries of an "if" question, together; for any other question, what it finds."""

    def __init__(self, retriever: Retriever, weights: Sequence[float] = QUERY_WEIGHTS, k: float = RECIPROCAL_RANK_OFFSET) -> None:
        self._retriever = retriever
        self._weights = tuple(weights)
        self._k = k

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return the passages that stand highest for the whole question, its main clause and the fact behind its condition."""
        weighted_queries = [
            (weight, text) for weight, text in zip(self._weights, query_variants(query), strict=True) if text and weight
        ]
        return fuse_rankings(
            ((weight, self._retriever.retrieve(text, max(best, _FUSION_DEPTH))) for weight, text in weighted_queries),
            best,
            self._k,
        )


def fuse_rankings(
    rankings: Iterable[tuple[float, Sequence[Passage]]], best: int, k: float = RECIPROCAL_RANK_OFFSET
) -> Sequence[Passage]:
    """Return the passages of weighted rankings, best first, with their sums as scores; of two with one sum, the first seen.

    A text that several rankings have, under whatever id, is one passage.
    """
    scores: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for weight, ranking in rankings:
        for rank, passage in enumerate(ranking, 1):
            passages.setdefault(passage.text, passage)
            scores[passage.text] = scores.get(passage.text, 0.0) + weight / (k + rank)
    order = sorted(scores, key=lambda text: -scores[text])[:best]
    return [replace(passages[text], score=scores[text]) for text in order]
