"""Retrievers over a passage index: by BM25, by vectors, reranked by both, and by the three queries of an "if" question.

The BM25 weight of a passage for a query is the sum over the query's terms t of

    ln(1 + (N - n_t + 1/2) / (n_t + 1/2)) * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

with n_t of N passages holding t, f times in this one (Robertson and Zaragoza 2009, eq. 3.15, with the idf that is never below 0).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf, log
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from kgqa.calibration.linear_model import load_fitted_model
from kgqa.edits.order_queries import exposure_process
from kgqa.edits.plain_question import plain_main_clause, presupposed_fact
from kgqa.encoders.text_encoders import SentenceEncoder
from kgqa.errors import CorpusInvalid, SentenceEncoderInvalid
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.readers.reader import Passage
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.search_terms import adjacency_scores, query_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float32]

K1 = 0.9
B = 0.4
_ROWS = 4096
RERANK_PARTS = ("whole", "factual", "adjacent", "cosine")
"""The parts of a reranked passage's score."""
RERANK_DEPTH = 50
"""How many passages are put in a new order."""
ENCODED_DEPTH = 20
"""How many passages are encoded for a question, where the index has no vectors: some 20 ms each on one core."""
PASSAGE_RANKING = "passage_ranking"
"""The name of the fitted model; its outputs are "words", without an encoder, and "meaning", with one."""
RECIPROCAL_RANK_OFFSET = 10
QUERY_WEIGHTS = (1.0, 0.1, 0.1)
"""What a rank counts for the whole question, its main clause and the fact behind its condition; fitted on IfQA train."""
_FUSION_DEPTH = 100


class Retriever(Protocol):
    """Finds the passages of a corpus that fit a query."""

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` passages, the best first, each with its score; none for a query without words."""
        ...


class IndexRetriever(ABC):
    """Retrieval from a passage index, by what ranks its passages."""

    def __init__(self, index: PassageIndex) -> None:
        self.index = index

    @abstractmethod
    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and scores of at most `best` passages, the best first."""

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` passages, the best first, each with its score."""
        return [self.index.passage(number, score) for number, score in self.ranked(query, best)]


class BM25Retriever(IndexRetriever):
    """BM25 over an index of passages."""

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and scores of the best passages; of two with one score, the earlier is first."""
        return _top_scores(self.scores(Counter(query_terms(query))), best)

    def scores(self, terms: Mapping[str, float]) -> Scores:
        """Return the score of every passage for weighted terms."""
        import numpy as np

        scores: Scores = np.zeros(len(self.index), np.float32)
        for term in sorted(terms):
            docs, times = self.index.postings(term)
            if len(docs):
                counts = times.astype(np.float32)
                scores[docs] += terms[term] * self.idf(len(docs)) * (counts * np.float32(K1 + 1) / (counts + self._norms[docs]))
        return scores

    def idf(self, holding: int) -> float:
        """Return how much a term says that so many passages hold."""
        return log(1 + (len(self.index) - holding + 0.5) / (holding + 0.5))

    @cached_property
    def _norms(self) -> Scores:
        """What the length of each passage adds below the line."""
        import numpy as np

        lengths = self.index.lengths.astype(np.float32)
        norms: Scores = np.float32(K1) * (np.float32(1 - B) + np.float32(B) * lengths / max(1.0, lengths.mean()))
        return norms.astype(np.float32)


class DenseRetriever(IndexRetriever):
    """Retrieval by the cosine of vectors, over all passages of an index that was built with them."""

    def __init__(self, index: PassageIndex, encoder: SentenceEncoder) -> None:
        if not index.has_vectors:
            raise CorpusInvalid(index.path, "it was indexed without --dense, so that it has no vectors")
        super().__init__(index)
        self._encoder = encoder

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and cosines of the nearest passages."""
        return _top_scores(self.cosines(query), best, -inf) if any(map(str.isalnum, query)) else []

    def cosines(self, query: str) -> Scores:
        """Return the cosine of every passage to a query."""
        import numpy as np

        vector = self._encoder.queries([query])[0]
        rows, scales = self.index.vectors
        if rows.shape[1] != len(vector):
            raise SentenceEncoderInvalid(self._encoder.folder, f"'{self.index.path}' was indexed with another encoder")
        parts = [rows[at : at + _ROWS].astype(np.float32) @ vector for at in range(0, len(rows), _ROWS)]
        cosines: Scores = np.concatenate(parts) * scales
        return cosines


class RerankCandidates(NamedTuple):
    """Passages by number in BM25's order, and the parts of their scores, a row each in the order of `RERANK_PARTS`."""

    numbers: Sequence[int]
    parts: Any


class RerankingRetriever(IndexRetriever):
    """Retrieval by BM25 with its first passages put in a new order, by meaning too where there is an encoder.

    The score is a weighted sum: the BM25 scores for the question and for the fact behind its condition, each as a share of the
    best one's; the adjacent words of the question that are adjacent in the passage; and, with an encoder, the cosine to the
    question. The weights maximise the likelihood of the gold passages of IfQA train (a softmax over the first passages of a
    question); `scripts/judge/measure_retrieval.py --fit` fits them again.
    """

    def __init__(self, index: PassageIndex, encoder: SentenceEncoder | None = None) -> None:
        super().__init__(index)
        self._encoder = encoder
        self._lexical = BM25Retriever(index)
        self._dense = DenseRetriever(index, encoder) if encoder and index.has_vectors else None
        weights = load_fitted_model(PASSAGE_RANKING).weights["meaning" if encoder else "words"]
        self._weights = [weights.get(part, 0.0) for part in RERANK_PARTS]

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and scores of the best passages; those behind the first `RERANK_DEPTH` keep BM25's order."""
        candidates, rest = self.candidates(query, best)
        if not candidates.numbers:
            return []
        scores = (candidates.parts @ self._weights).tolist()
        ranked = sorted(zip(candidates.numbers, scores, strict=True), key=lambda candidate: -candidate[1])
        least = min(scores)
        behind = [(number, least - place) for place, number in enumerate(rest, 1)]
        return [*ranked, *behind][:best]

    def candidates(self, query: str, best: int = RERANK_DEPTH) -> tuple[RerankCandidates, Sequence[int]]:
        """Return the passages to put in order, and those that follow."""
        import numpy as np

        variants = query_variants(query)
        whole = self._lexical.scores(Counter(query_terms(variants.whole)))
        numbers = [number for number, _ in _top_scores(whole, max(best, RERANK_DEPTH))]
        if not numbers:
            return RerankCandidates((), np.empty((0, len(RERANK_PARTS)))), ()
        cosines = self._dense.cosines(variants.whole) if self._dense else None
        depth = ENCODED_DEPTH if self._encoder and not self._dense else RERANK_DEPTH
        nearest = [] if cosines is None else [number for number, _ in _top_scores(cosines, RERANK_DEPTH, -2.0)]
        first = list(dict.fromkeys([*numbers[:depth], *nearest]))
        rest = [number for number in numbers[depth:] if number not in set(nearest)]
        texts = [self.index.text(number) for number in first]
        most = float(whole[numbers[0]])
        parts = np.zeros((len(first), len(RERANK_PARTS)))
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


def _top_scores(scores: Any, best: int, least: float = 0.0) -> list[tuple[int, float]]:
    """Return the places of the highest scores above `least`, and the scores; of equal ones the first places, first."""
    import numpy as np

    places = np.flatnonzero(scores > least)
    if 0 < best < len(places):
        candidates = scores[places]
        bound = np.partition(candidates, len(candidates) - best)[len(candidates) - best]
        places = places[candidates >= bound]
    places = places[np.argsort(-scores[places], kind="stable")][:best]
    return [(int(place), float(scores[place])) for place in places]


class QueryVariants(NamedTuple):
    """What to look for: the question, its main clause, and the fact that its condition contradicts (IfQA §4.5).

    A condition contradicts the passage, and a main clause often names nothing in it, so each is searched on its own as well.
    `main` and `factual` are empty where a question supposes nothing, or where they are the whole question.
    """

    whole: str
    main: str = ""
    factual: str = ""


def query_variants(question: str) -> QueryVariants:
    """Return what to look for to answer a question.

    A process that reaches the most exposed first is a question for the quality that decides: "which country is flooded first?"
    for the lowest-lying country.
    """
    whole = " ".join(question.split())
    conditional = parse_conditional(question)
    if conditional is None or not conditional.main:
        return QueryVariants(whole)
    main = plain_main_clause(conditional.main)
    process = exposure_process(conditional.clause, conditional.main)
    if process is not None:
        sort = next((word for word in conditional.main.split() if word.lower() not in ("which", "what", "of", "the")), "")
        factual = f"{process.decides} {sort} in the world"
    else:
        factual = presupposed_fact(conditional)
    return QueryVariants(whole, "" if main == whole else main, "" if factual == whole else factual)


class ConditionalRetriever:
    """What one retriever finds for the three queries of an "if" question, together; for any other question, what it finds."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return the passages that stand highest for the whole question, its main clause and the fact behind its condition."""
        queries = zip(QUERY_WEIGHTS, query_variants(query), strict=True)
        depth = max(best, _FUSION_DEPTH)
        return _fuse_rankings(((weight, self._retriever.retrieve(text, depth)) for weight, text in queries if text), best)


def _fuse_rankings(rankings: Iterable[tuple[float, Sequence[Passage]]], best: int) -> Sequence[Passage]:
    """Return the passages of weighted rankings, best first, with their sums as scores; of two with one sum, the first seen.

    Rankings are fused by reciprocal rank (Cormack, Clarke and Buettcher 2009): a passage gets the sum of w / (k + rank). A text
    that several rankings have, under whatever id, is one passage.
    """
    scores: dict[str, float] = {}
    passages: dict[str, Passage] = {}
    for weight, ranking in rankings:
        for rank, passage in enumerate(ranking, 1):
            passages.setdefault(passage.text, passage)
            scores[passage.text] = scores.get(passage.text, 0.0) + weight / (RECIPROCAL_RANK_OFFSET + rank)
    order = sorted(scores, key=lambda text: -scores[text])[:best]
    return [replace(passages[text], score=scores[text]) for text in order]
