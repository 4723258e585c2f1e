"""Reranking of BM25's first passages: by words, by phrases, by the fact behind an "if", and by meaning.

The score is a weighted sum: the BM25 scores for the question and for the fact behind its condition, each as a share of the best
one's; the adjacent words of the question that are adjacent in the passage; and, with an encoder, the cosine to the question. The
weights maximise the likelihood of the gold passages of IfQA train (a softmax over the first passages of a question);
`scripts/judge/measure_retrieval.py --fit` fits them again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from kgqa.calibration.fitted_model import load_fitted_model
from kgqa.encoders.sentence_encoder import SentenceEncoder
from kgqa.readers.reader import Passage
from kgqa.retrieval.dense_retrieval import DenseRetriever
from kgqa.retrieval.passage_index import BM25Retriever, PassageIndex, top_scores
from kgqa.retrieval.query_fusion import query_variants
from kgqa.retrieval.search_terms import adjacency_scores, query_terms

RERANK_DEPTH = 50
"""How many passages are put in a new order."""
ENCODED_DEPTH = 20
"""How many passages are encoded for a question, where the index has no vectors: some 20 ms each on one core."""


class RerankWeights(NamedTuple):
    """What each part of a passage's score counts."""

    whole: float
    factual: float
    adjacent: float
    cosine: float = 0.0


PASSAGE_RANKING = "passage_ranking"
"""The name of the fitted model; its outputs are "words", without an encoder, and "meaning", with one."""


class RerankCandidates(NamedTuple):
    """Passages by number in BM25's order, and the parts of their scores, a row each in the order of `Weights`."""

    numbers: Sequence[int]
    parts: Any


class RerankingRetriever:
    """Retrieval by BM25 with its first passages put in a new order, by meaning too where there is an encoder."""

    def __init__(self, index: PassageIndex, encoder: SentenceEncoder | None = None, weights: RerankWeights | None = None) -> None:
        self.index = index
        self._encoder = encoder
        self._lexical = BM25Retriever(index)
        self._dense = DenseRetriever(index, encoder) if encoder and index.has_vectors else None
        self._weights = weights or RerankWeights(**load_fitted_model(PASSAGE_RANKING).weights["meaning" if encoder else "words"])

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` passages, the best first."""
        return [self.index.passage(number, score) for number, score in self.ranked(query, best)]

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and scores of the best passages; those behind the first `DEPTH` keep BM25's order."""
        candidates, rest = self.candidates(query, best)
        if not candidates.numbers:
            return []
        scores = (candidates.parts @ self._weights).tolist()
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        ranked = [(candidates.numbers[place], scores[place]) for place in order]
        least = min(scores)
        behind = [(number, least - place) for place, number in enumerate(rest, 1)]
        return [*ranked, *behind][:best]

    def candidates(self, query: str, best: int = RERANK_DEPTH) -> tuple[RerankCandidates, Sequence[int]]:
        """Return the passages to put in order, and those that follow."""
        import numpy as np

        variants = query_variants(query)
        whole = self._lexical.scores(Counter(query_terms(variants.whole)))
        numbers = [number for number, _ in top_scores(whole, max(best, RERANK_DEPTH))]
        if not numbers:
            return RerankCandidates((), np.empty((0, len(RerankWeights._fields)))), ()
        cosines = self._dense.cosines(variants.whole) if self._dense else None
        depth = ENCODED_DEPTH if self._encoder and not self._dense else RERANK_DEPTH
        nearest = [] if cosines is None else [number for number, _ in top_scores(cosines, RERANK_DEPTH, -2.0)]
        first = list(dict.fromkeys([*numbers[:depth], *nearest]))
        rest = [number for number in numbers[depth:] if number not in set(nearest)]
        texts = [self.index.text(number) for number in first]
        most = float(whole[numbers[0]])
        parts = np.zeros((len(first), len(RerankWeights._fields)))
        parts[:, 0] = whole[first] / most
        if variants.factual:
            parts[:, 1] = self._lexical.scores(Counter(query_terms(variants.factual)))[first] / most
        parts[:, 2] = adjacency_scores(variants.whole, texts, self._idf)
        if cosines is not None:
            parts[:, 3] = cosines[first]
        elif self._encoder:
            parts[:, 3] = self._encoder.passages(texts) @ self._encoder.queries([variants.whole])[0]
        return RerankCandidates(first, parts), rest

    def _idf(self, term: str) -> float:
        return self._lexical.idf(len(self.index.postings(term)[0]))
