"""Several rankings as one, by reciprocal rank (Cormack, Clarke and Buettcher 2009): a passage gets the sum of w / (k + rank)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kgqa.reading.model import Passage
from kgqa.retrieval.protocols import Retriever
from kgqa.retrieval.queries import query_variants

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
