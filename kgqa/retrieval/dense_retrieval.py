"""Dense retrieval: passages by the cosine of their vectors to that of the query."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from kgqa.encoders.sentence_encoder import SentenceEncoder
from kgqa.errors import CorpusInvalid, SentenceEncoderInvalid
from kgqa.readers.reader import Passage
from kgqa.retrieval.passage_index import PassageIndex, top_scores

if TYPE_CHECKING:
    from kgqa.encoders.onnx_encoder import Vectors

_ROWS = 4096


class DenseRetriever:
    """Retrieval by the cosine of vectors, over all passages of an index that was built with them."""

    def __init__(self, index: PassageIndex, encoder: SentenceEncoder) -> None:
        if not index.has_vectors:
            raise CorpusInvalid(index.path, "it was indexed without --dense, so that it has no vectors")
        self.index = index
        self._encoder = encoder

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return the passages whose vectors are nearest to that of the query, nearest first."""
        return [self.index.passage(number, score) for number, score in self.ranked(query, best)]

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and cosines of the nearest passages."""
        return top_scores(self.cosines(query), best, -inf) if any(map(str.isalnum, query)) else []

    def cosines(self, query: str) -> Vectors:
        """Return the cosine of every passage to a query."""
        import numpy as np

        vector = self._encoder.queries([query])[0]
        rows, scales = self.index.vectors
        if rows.shape[1] != len(vector):
            raise SentenceEncoderInvalid(self._encoder.folder, f"'{self.index.path}' was indexed with another encoder")
        parts = [rows[at : at + _ROWS].astype(np.float32) @ vector for at in range(0, len(rows), _ROWS)]
        cosines: Vectors = np.concatenate(parts) * scales
        return cosines
