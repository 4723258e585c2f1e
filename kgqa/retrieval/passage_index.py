"""A passage index: one file, mapped into memory, and BM25 over it.

The weight of a passage for a query is the sum over the query's terms t of

    ln(1 + (N - n_t + 1/2) / (n_t + 1/2)) * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

with n_t of N passages holding t, f times in this one (Robertson and Zaragoza 2009, eq. 3.15, with the idf that is never below 0).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from graph.errors import InputMissing
from graph.mapped_file import FIT_BYTES, BlockDamaged, HeaderDamaged, MappedFile, Unfit
from kgqa.errors import CorpusDamaged, CorpusInvalid
from kgqa.readers.reader import Passage
from kgqa.retrieval.search_terms import query_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float32]


PASSAGE_INDEX_VERSION = 1
PASSAGE_INDEX_FINGERPRINT = sha256(f"passages {PASSAGE_INDEX_VERSION}".encode()).digest()[:FIT_BYTES]
"""The fingerprint that distinguishes this file from other mapped files, and from passage indexes of other versions."""
PASSAGE_INDEX_MAGIC = b"kgqa-ix\n"
MAX_TERM_COUNT = 255
"""How often a term counts in a passage at most; more do not change its weight."""

K1 = 0.9
B = 0.4


class PassageIndex:
    """The passages of a corpus, known by their numbers from 0, and which of them hold a term.

    Raises `InputMissing`, `CorpusInvalid` for what is no index of this version, and, here or later, `CorpusDamaged`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = _open_mapped_file(path)
        counts = json.loads(self._bytes("about").tobytes())
        self.passages: int = counts["passages"]
        self.pages: int = counts["pages"]
        self.words: int = counts["words"]
        self._terms: int = counts["terms"]

    def __len__(self) -> int:
        """Return how many passages there are."""
        return self.passages

    def passage(self, number: int, score: float = 0.0) -> Passage:
        """Return a passage with its title, id and address."""
        page = self._page(number)
        title, name, url = (self._text(section, page) for section in ("titles", "ids", "urls"))
        place = number - int(self._item("firsts", "I", page))
        return Passage(self._text("texts", number), title, f"{name or title}#{place + 1}", url, score)

    def text(self, number: int) -> str:
        """Return the text of a passage."""
        return self._text("texts", number)

    def title(self, number: int) -> str:
        """Return the title of the page that a passage stands on."""
        return self._text("titles", self._page(number))

    def postings(self, term: str) -> tuple[Any, Any]:
        """Return the numbers of the passages that hold a term, ascending, and how often each holds it."""
        import numpy as np

        place = self._place(term)
        if place is None:
            return np.empty(0, np.uint32), np.empty(0, np.uint8)
        start, end = self._item("starts", "Q", place), self._item("starts", "Q", place + 1)
        return self._numbers("docs", np.uint32, start, end), self._numbers("times", np.uint8, start, end)

    @cached_property
    def lengths(self) -> Any:
        """How many words each passage has."""
        import numpy as np

        return self._numbers("lengths", np.uint32, 0, self.passages)

    @property
    def has_vectors(self) -> bool:
        """Whether the passages were encoded when the index was built."""
        return self._file.has("vectors")

    @cached_property
    def vectors(self) -> tuple[Any, Any]:
        """The vectors of all passages as rows of whole numbers, and the scale of each row."""
        import numpy as np

        rows, scales = self._bytes("vectors"), np.frombuffer(self._bytes("scales"), np.float32)
        return np.frombuffer(rows, np.int8).reshape(len(scales), -1), scales

    def _page(self, number: int) -> int:
        """Return the page that a passage stands on: the last whose first passage is not behind it."""
        low, high = 0, self.pages
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._item("firsts", "I", middle) <= number else (low, middle)
        return low

    def _place(self, term: str) -> int | None:
        """Return which of the sorted terms this is."""
        low, high = 0, self._terms
        while low < high:
            middle = (low + high) // 2
            candidate = self._text("terms", middle)
            if candidate == term:
                return middle
            low, high = (middle + 1, high) if candidate < term else (low, middle)
        return None

    def _text(self, section: str, place: int) -> str:
        ends = f"{section}_e"
        start = self._item(ends, "Q", place - 1) if place else 0
        return str(self._bytes(section, start, self._item(ends, "Q", place)), "utf-8")

    def _item(self, section: str, kind: Literal["I", "Q"], place: int) -> int:
        size = 8 if kind == "Q" else 4
        return int(self._bytes(section, place * size, (place + 1) * size).cast(kind)[0])

    def _numbers(self, section: str, kind: Any, start: int, end: int) -> Any:
        import numpy as np

        size = np.dtype(kind).itemsize
        return np.frombuffer(self._bytes(section, start * size, end * size), kind)

    def _bytes(self, section: str, start: int = 0, end: int | None = None) -> memoryview:
        """Return bytes of a section, once their checksums are as they were written."""
        try:
            first, last = self._file.section(section)
            stop = last if end is None else first + end
            if not first <= first + start <= stop <= last:
                raise BlockDamaged
            self._file.verify(first + start, stop)
        except BlockDamaged:
            raise CorpusDamaged(self.path, f"its {section.removesuffix('_e')} are not what was written") from None
        return self._file.bytes[first + start : stop]


class BM25Retriever:
    """BM25 over an index of passages."""

    def __init__(self, index: PassageIndex, k1: float = K1, b: float = B) -> None:
        self.index = index
        self._k1, self._b = k1, b

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` passages that hold a term of the query, the best first."""
        return [self.index.passage(number, score) for number, score in self.ranked(query, best)]

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and scores of the best passages; of two with one score, the earlier is first."""
        return top_scores(self.scores(Counter(query_terms(query))), best)

    def scores(self, terms: Mapping[str, float]) -> Scores:
        """Return the score of every passage for weighted terms."""
        import numpy as np

        scores: Scores = np.zeros(len(self.index), np.float32)
        for term in sorted(terms):
            docs, times = self.index.postings(term)
            if len(docs):
                scores[docs] += terms[term] * self.idf(len(docs)) * self._saturated(docs, times)
        return scores

    def idf(self, holding: int) -> float:
        """Return how much a term says that so many passages hold."""
        return log(1 + (len(self.index) - holding + 0.5) / (holding + 0.5))

    def _saturated(self, docs: Any, times: Any) -> Any:
        import numpy as np

        counts = times.astype(np.float32)
        return counts * np.float32(self._k1 + 1) / (counts + self._norms[docs])

    @cached_property
    def _norms(self) -> Scores:
        """What the length of each passage adds below the line."""
        import numpy as np

        lengths = self.index.lengths.astype(np.float32)
        norms: Scores = np.float32(self._k1) * (
            np.float32(1 - self._b) + np.float32(self._b) * lengths / max(1.0, lengths.mean())
        )
        return norms.astype(np.float32)


def top_scores(scores: Any, best: int, least: float = 0.0) -> list[tuple[int, float]]:
    """Return the places of the highest scores above `least`, and the scores; of equal ones the first places, first."""
    import numpy as np

    places = np.flatnonzero(scores > least)
    if 0 < best < len(places):
        candidates = scores[places]
        bound = np.partition(candidates, len(candidates) - best)[len(candidates) - best]
        places = places[candidates >= bound]
    places = places[np.argsort(-scores[places], kind="stable")][:best]
    return [(int(place), float(scores[place])) for place in places]


def _open_mapped_file(path: Path) -> MappedFile:
    try:
        return MappedFile(path, PASSAGE_INDEX_FINGERPRINT)
    except HeaderDamaged as error:
        raise CorpusDamaged(path, str(error)) from None
    except Unfit:
        if not path.exists():
            raise InputMissing(path) from None
        raise CorpusInvalid(path, "it was made by another version of kgqa, or is another kind of file") from None


def is_passage_index(head: bytes) -> bool:
    """Return whether a file that begins so is an index of passages."""
    return head.startswith(PASSAGE_INDEX_MAGIC)
