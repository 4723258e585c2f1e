"""The sentences of a corpus that name what a question is about, found by the postings of its index."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.text.segmentation import sentence_spans
from kgqa.readers.reader import Passage
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.retrievers import BM25Retriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

NamedStems = Sequence[Sequence[Collection[str]]]
"""The names of a thing: each is its words, and each word the stems of its forms."""


class CorpusSentence(NamedTuple):
    """A sentence with the passage that it stands in."""

    text: str
    passage: Passage


class NamingSentences:
    """Finds the sentences of an index that name things, the best passages first by BM25."""

    def __init__(self, index: PassageIndex) -> None:
        self._index = index
        self._lexical = BM25Retriever(index)

    def find(
        self, things: Sequence[NamedStems], weights: Mapping[str, float], accepts: Callable[[str], bool], most: int, depth: int
    ) -> list[CorpusSentence]:
        """Return at most `most` sentences that `accepts`, of the `depth` best passages that name all `things`.

        A thing may stand in the passage before or behind, since a sentence goes on from one to the next. `weights` are those of
        the terms that passages are ranked by.
        """
        import numpy as np

        numbers: Numbers | None = None
        for thing in things:
            holding = self._naming(thing)
            numbers = holding if numbers is None else np.intersect1d(numbers, _with_neighbours(holding, len(self._index)))
        if numbers is None or not len(numbers):
            return []
        scores = self._lexical.scores(weights)[numbers]
        best = numbers[np.argsort(-scores, kind="stable")][:depth].tolist()
        sentences: dict[str, CorpusSentence] = {}
        for number in best:
            passage: Passage | None = None
            for text in self._sentences(number):
                if text in sentences or not accepts(text):
                    continue
                passage = passage or self._index.passage(number)
                sentences[text] = CorpusSentence(text, passage)
            if len(sentences) >= most:
                break
        return list(sentences.values())[:most]

    def _naming(self, thing: NamedStems) -> Numbers:
        """Return the numbers of the passages that hold all words of one of the names of a thing, ascending."""
        import numpy as np

        holding = [np.empty(0, np.int64)]
        for words in thing:
            rows = (self._holding(stems) for stems in words)
            numbers = next(rows)
            for row in rows:
                numbers = np.intersect1d(numbers, row, assume_unique=True)
            holding.append(numbers)
        return np.unique(np.concatenate(holding))

    def _holding(self, stems: Collection[str]) -> Any:
        import numpy as np

        return np.unique(np.concatenate([self._index.postings(stem)[0].astype(np.int64) for stem in sorted(stems)]))

    def _sentences(self, number: int) -> Iterator[str]:
        """Yield the sentences of a passage, those at its edges whole."""
        before, text, behind = (self._index.text_beside(number, step) for step in (-1, 0, 1))
        start = len(before) + 1 if before else 0
        whole = " ".join(filter(None, (before, text, behind)))
        for first, last in sentence_spans(whole):
            if first < start + len(text) and last > start:
                yield whole[first:last]


def _with_neighbours(numbers: Numbers, size: int) -> Numbers:
    import numpy as np

    beside = np.unique(np.concatenate((numbers - 1, numbers, numbers + 1)))
    return beside[(beside >= 0) & (beside < size)]
