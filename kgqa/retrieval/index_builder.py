"""Building a passage index: the passages of articles and the postings of their terms are written to one file.

The file is written whole or not at all, and is the same for the same passages. Terms are numbered in the order of their first
use; the postings of a batch of passages are sorted at a time, and merged at the end.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from typing import IO, Any, NamedTuple

from graph.errors import OutputUnwritable, system_error_text
from graph.mapped_file import Sections, write_mapped_file
from graph.text.stems import porter_stems
from graph.unfinished_files import unfinished_file, usual_mode
from kgqa.errors import CorpusInvalid
from kgqa.retrieval.passage_index import LINK_FIELDS, MAX_TERM_COUNT, PASSAGE_INDEX_FINGERPRINT, title_key
from kgqa.retrieval.passage_splitting import PassagePage, Redirect
from kgqa.retrieval.search_terms import search_words

_BATCH = 20_000
_PIECE = 1 << 20

VectorEncoder = Callable[[list[str]], tuple[bytes, bytes]]
"""What makes the vectors of passages: rows of whole numbers of eight bits, and the scale of each row."""


class BuiltIndex(NamedTuple):
    """What was built: the file, how many pages, passages and words it has, and its size in bytes."""

    path: Path
    pages: int
    passages: int
    words: int
    size: int
    links: int = 0
    redirects: int = 0


def build_passage_index(
    path: Path,
    pages: Iterable[PassagePage | Redirect],
    progress: Callable[[int], None] = lambda passages: None,
    dense: VectorEncoder | None = None,
) -> BuiltIndex:
    """Build the index of the passages of pages at `path`, in place of an older one; `progress` gets the number read so far.

    `dense` makes their vectors too. Raises `CorpusInvalid` where there is no passage, `OutputUnwritable` where the file cannot be
    written; whatever stops it, an older index stays as it was.
    """
    try:
        with tempfile.TemporaryFile(dir=path.parent) as spool, unfinished_file(path.parent) as new:
            corpus = _IndexWriter(spool, dense)
            for page in pages:
                if isinstance(page, Redirect):
                    corpus.redirects.setdefault(title_key(page.title), page.target)
                elif corpus.add(page):
                    progress(corpus.passages)
            if not corpus.passages:
                raise CorpusInvalid(path, "the inputs have no words")
            write_mapped_file(new, PASSAGE_INDEX_FINGERPRINT, corpus.sections())
            new.chmod(usual_mode())
            new.replace(path)
    except (OSError, UnicodeEncodeError) as error:
        raise OutputUnwritable(path, system_error_text(error)) from error
    return BuiltIndex(path, corpus.pages, corpus.passages, corpus.words, path.stat().st_size, corpus.links, len(corpus.redirects))


class _IndexWriter:
    """The passages that were added: their texts in a temporary file, their postings by the batch; `redirects` by `title_key`."""

    def __init__(self, spool: IO[bytes], dense: VectorEncoder | None) -> None:
        self.pages = self.passages = self.words = 0
        self._spool = spool
        self._dense = dense
        self._waiting: list[str] = []
        self._text_ends = array("Q")
        self._firsts = array("I")
        self._titles: list[str] = []
        self._ids: list[str] = []
        self._urls: list[str] = []
        self._numbers: dict[str, int] = {}
        self._terms: dict[str, int] = {}
        self._lengths = array("I")
        self._batches: list[tuple[Any, Any, Any]] = []
        self._rows: list[bytes] = []
        self._scales: list[bytes] = []
        self.redirects: dict[str, str] = {}
        self._link_ends = array("Q")
        self._links = array("I")
        self._link_titles: dict[str, int] = {}

    @property
    def links(self) -> int:
        """How many links the pages have."""
        return len(self._links) // LINK_FIELDS

    def add(self, page: PassagePage) -> bool:
        """Take a page in; return whether a batch was worked off with it."""
        self._firsts.append(self.passages)
        self.pages += 1
        self._titles.append(page.title)
        self._ids.append(page.id)
        self._urls.append(page.url)
        for link in page.links:
            number = self._link_titles.setdefault(link.target, len(self._link_titles))
            self._links.extend((link.offset, len(link.anchor), number))
        self._link_ends.append(self.links)
        for passage in page.passages:
            self._spool.write(passage.encode("utf-8", "replace"))
            self._text_ends.append(self._spool.tell())
        self.passages += len(page.passages)
        self._waiting.extend(page.passages)
        if len(self._waiting) < _BATCH:
            return False
        self._work_off()
        return True

    def sections(self) -> Sections:
        """Return what the file of the index holds."""
        self._work_off()
        self._spool.seek(0)
        order = sorted(self._terms)
        starts, docs, times = self._postings(order)
        pages = sorted(range(self.pages), key=lambda page: (title_key(self._titles[page]), page))
        counts = {"pages": self.pages, "passages": self.passages, "words": self.words, "terms": len(order)}
        return {
            "about": [json.dumps(counts).encode()],
            **_text_sections("terms", order),
            "starts": [starts],
            "docs": [docs],
            "times": [times],
            "lengths": [self._lengths.tobytes()],
            "firsts": [self._firsts.tobytes()],
            **_text_sections("titles", self._titles),
            **_text_sections("ids", self._ids),
            **_text_sections("urls", self._urls),
            "by_title": [array("I", pages).tobytes()],
            **_text_sections("from", sorted(self.redirects)),
            **_text_sections("to", map(self.redirects.__getitem__, sorted(self.redirects))),
            "link_e": [self._link_ends.tobytes()],
            "links": [self._links.tobytes()],
            **_text_sections("linked", self._link_titles),
            "texts_e": [self._text_ends.tobytes()],
            "texts": iter(partial(self._spool.read, _PIECE), b""),
            **({"vectors": self._rows, "scales": self._scales} if self._dense else {}),
        }

    def _work_off(self) -> None:
        """Turn the passages that wait into postings, sorted by term and then by passage."""
        import numpy as np

        if not self._waiting:
            return
        first = self.passages - len(self._waiting)
        listed = [search_words(passage) for passage in self._waiting]
        for word, stem in porter_stems(set().union(*listed) - self._numbers.keys()).items():
            self._numbers[word] = self._terms.setdefault(stem, len(self._terms))
        lengths = np.fromiter(map(len, listed), np.int64, len(listed))
        numbers = np.fromiter(map(self._numbers.__getitem__, chain.from_iterable(listed)), np.int64, int(lengths.sum()))
        places = np.repeat(np.arange(len(listed)), lengths)
        keys, times = np.unique(numbers * len(listed) + places, return_counts=True)
        terms, docs = np.divmod(keys, len(listed))
        self._batches.append(
            (terms.astype(np.uint32), (docs + first).astype(np.uint32), times.clip(max=MAX_TERM_COUNT).astype(np.uint8))
        )
        self._lengths.extend(lengths.tolist())
        self.words += int(lengths.sum())
        if self._dense:
            rows, scales = self._dense(self._waiting)
            self._rows.append(rows)
            self._scales.append(scales)
        self._waiting = []

    def _postings(self, order: list[str]) -> tuple[bytes, Any, Any]:
        """Return where the postings of each term in `order` begin, and of each the passage and how often it holds the term."""
        import numpy as np

        sizes = np.zeros(len(order), np.int64)
        for terms, _, _ in self._batches:
            sizes += np.bincount(terms, minlength=len(order))
        numbers = np.fromiter(map(self._terms.__getitem__, order), np.int64, len(order))
        starts = np.zeros(len(order) + 1, np.int64)
        np.cumsum(sizes[numbers], out=starts[1:])
        cursor = np.empty(len(order), np.int64)
        cursor[numbers] = starts[:-1]
        docs, times = np.empty(starts[-1], np.uint32), np.empty(starts[-1], np.uint8)
        for at, (terms, whose, how_often) in enumerate(self._batches):
            counts = np.bincount(terms, minlength=len(order))
            before = np.cumsum(counts) - counts
            places = np.arange(len(terms)) + np.repeat(cursor - before, counts)
            docs[places], times[places] = whose, how_often
            cursor += counts
            self._batches[at] = (terms[:0], whose[:0], how_often[:0])
        return starts.tobytes(), docs.data.cast("B"), times.data


def _text_sections(name: str, texts: Iterable[str]) -> dict[str, Iterable[bytes]]:
    data = [text.encode("utf-8", "replace") for text in texts]
    return {f"{name}_e": [array("Q", accumulate(map(len, data))).tobytes()], name: data}
