"""The passages of a corpus in a better order than BM25's: by words, by phrases, by the fact behind an "if", and by meaning.

The first passages by BM25 get a weighted sum: of their BM25 score for the question and for the fact behind its condition, each as
a share of the best one's; of the question's adjacent words that are adjacent in them; and, with an encoder, of their cosine to
the question. The weights make the gold passage of IfQA train questions likeliest (a softmax over the first of a question);
`scripts/measure_retrieval.py --fit` fits them again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from kgqa.reading.model import Passage
from kgqa.retrieval.adjacency import adjacency
from kgqa.retrieval.dense import Dense, SentenceEncoder
from kgqa.retrieval.lexical import Lexical, PassageIndex, top
from kgqa.retrieval.queries import queries
from kgqa.retrieval.terms import query_terms

DEPTH = 50
"""How many passages are put in a new order."""
ENCODED = 20
"""How many passages are encoded for a question, where the index has no vectors: some 20 ms each on one core."""


class Weights(NamedTuple):
    """What each part of a passage's score counts."""

    whole: float
    factual: float
    adjacent: float
    cosine: float = 0.0


BY_WORDS = Weights(10.9, 2.5, 3.3)
BY_MEANING = Weights(7.0, 1.5, 4.0, 73.0)


class Candidates(NamedTuple):
    """Passages by number in BM25's order, and the parts of their scores, a row each in the order of `Weights`."""

    numbers: Sequence[int]
    parts: Any


class Reranked:
    """Retrieval by BM25 with its first passages put in a new order, by meaning too where there is an encoder."""

    def __init__(self, index: PassageIndex, encoder: SentenceEncoder | None = None, weights: Weights | None = None) -> None:
        self.index = index
        self._encoder = encoder
        self._lexical = Lexical(index)
        self._dense = Dense(index, encoder) if encoder and index.has_vectors else None
        self._weights = weights or (BY_MEANING if encoder else BY_WORDS)

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` passages, the best first."""
        return [self.index.passage(number, score) for number, score in self.ranked(query, best)]

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and scores of the best passages; those behind the first `DEPTH` keep BM25's order."""
        found, rest = self.candidates(query, best)
        if not found.numbers:
            return []
        scores = (found.parts @ self._weights).tolist()
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        ranked = [(found.numbers[place], scores[place]) for place in order]
        least = min(scores)
        behind = [(number, least - place) for place, number in enumerate(rest, 1)]
        return [*ranked, *behind][:best]

    def candidates(self, query: str, best: int = DEPTH) -> tuple[Candidates, Sequence[int]]:
        """Return the passages to put in order, and those that follow."""
        import numpy as np

        asked = queries(query)
        whole = self._lexical.scores(Counter(query_terms(asked.whole)))
        numbers = [number for number, _ in top(whole, max(best, DEPTH))]
        if not numbers:
            return Candidates((), np.empty((0, len(Weights._fields)))), ()
        cosines = self._dense.cosines(asked.whole) if self._dense else None
        depth = ENCODED if self._encoder and not self._dense else DEPTH
        nearest = [] if cosines is None else [number for number, _ in top(cosines, DEPTH, -2.0)]
        first = list(dict.fromkeys([*numbers[:depth], *nearest]))
        rest = [number for number in numbers[depth:] if number not in set(nearest)]
        texts = [self.index.text(number) for number in first]
        most = float(whole[numbers[0]])
        parts = np.zeros((len(first), len(Weights._fields)))
        parts[:, 0] = whole[first] / most
        if asked.factual:
            parts[:, 1] = self._lexical.scores(Counter(query_terms(asked.factual)))[first] / most
        parts[:, 2] = adjacency(asked.whole, texts, self._idf)
        if cosines is not None:
            parts[:, 3] = cosines[first]
        elif self._encoder:
            parts[:, 3] = self._encoder.passages(texts) @ self._encoder.queries([asked.whole])[0]
        return Candidates(first, parts), rest

    def _idf(self, term: str) -> float:
        return self._lexical.idf(len(self.index.postings(term)[0]))
