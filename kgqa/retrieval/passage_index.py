"""A passage index: the passages of a corpus and the postings of their terms, in one file that is mapped into memory."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, Literal

from graph.errors import InputMissing
from graph.mapped_file import FIT_BYTES, BlockDamaged, HeaderDamaged, MappedFile, Unfit
from graph.sources.article import ArticleLink
from kgqa.errors import CorpusDamaged, CorpusInvalid
from kgqa.readers.reader import Passage

PASSAGE_INDEX_VERSION = 1
PASSAGE_INDEX_FINGERPRINT = sha256(f"passages {PASSAGE_INDEX_VERSION}".encode()).digest()[:FIT_BYTES]
"""The fingerprint that distinguishes this file from other mapped files, and from passage indexes of other versions."""
PASSAGE_INDEX_MAGIC = b"kgqa-ix\n"
"""The bytes that the file begins with, as every mapped file of kgqa."""
LINK_FIELDS = 3
"""The numbers of a link: its offset in the text of the page, the length of its anchor, the number of the title it leads to."""
MAX_TERM_COUNT = 255
"""How often a term counts in a passage at most; more do not change its weight."""


def title_key(title: str) -> str:
    """Return the form of a title by which it is looked up: without its section, in one case, with single spaces."""
    return " ".join(title.partition("#")[0].replace("_", " ").split()).casefold()


class PassageIndex:
    """The passages of a corpus, known by their numbers from 0, and which of them hold a term.

    Raises `InputMissing`, `CorpusInvalid` for what is no index of this version, and, here or later, `CorpusDamaged`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = MappedFile(path, PASSAGE_INDEX_FINGERPRINT)
        except HeaderDamaged as error:
            raise CorpusDamaged(path, str(error)) from None
        except Unfit:
            if not path.exists():
                raise InputMissing(path) from None
            raise CorpusInvalid(path, "it was made by another version of kgqa, or is another kind of file") from None
        counts = json.loads(self._bytes("about").tobytes())
        self.passages: int = counts["passages"]
        self.pages: int = counts["pages"]
        self.words: int = counts["words"]
        self._terms: int = counts["terms"]

    def __len__(self) -> int:
        return self.passages

    def passage(self, number: int, score: float = 0.0) -> Passage:
        """Return a passage with its title, id and address."""
        page = self._page(number)
        title, name, url = (self._text(section, page) for section in ("titles", "ids", "urls"))
        place = number - self._item("firsts", "I", page)
        return Passage(self.text(number), title, f"{name or title}#{place + 1}", url, score)

    def titles(self) -> list[str]:
        """Return the titles of all pages, in their order."""
        return [self._text("titles", page) for page in range(self.pages)]

    def title(self, page: int) -> str:
        """Return the title of a page."""
        return self._text("titles", page)

    def pages_of_title(self, title: str) -> list[int]:
        """Return the pages of a title, those in another case too, in their order."""
        key, order = title_key(title), self._title_order
        first = bisect_left(order, key, key=lambda page: title_key(self.title(page)))
        same = takewhile(lambda page: title_key(self.title(page)) == key, islice(order, first, None))
        return list(same)

    def redirect_of(self, title: str) -> str | None:
        """Return the title that a title redirects to; `None` where it is no redirect, or the index was made without them."""
        if not self._file.has("from"):
            return None
        key, size = title_key(title), self._size("from_e") // 8
        place = bisect_left(range(size), key, key=lambda place: self._text("from", place))
        return self._text("to", place) if place < size and self._text("from", place) == key else None

    @property
    def has_links(self) -> bool:
        """Whether the links of the articles were kept when the index was built."""
        return self._file.has("links") and self._size("links") > 0

    def page_text(self, page: int) -> str:
        """Return the text of a page: its passages, joined by single spaces."""
        return " ".join(map(self.text, self._passages_of(page)))

    def page_links(self, page: int) -> list[ArticleLink]:
        """Return the links of a page, at their offsets in its text; none where the index was built without them."""
        if not self.has_links:
            return []
        text = self.page_text(page)
        first, end = self._item("link_e", "Q", page - 1) if page else 0, self._item("link_e", "Q", page)
        numbers = self._bytes("links", first * 4 * LINK_FIELDS, end * 4 * LINK_FIELDS).cast("I")
        rows = zip(*(numbers[field::LINK_FIELDS] for field in range(LINK_FIELDS)), strict=True)
        return [ArticleLink(text[at : at + size], at, self._text("linked", number)) for at, size, number in rows]

    @cached_property
    def _title_order(self) -> Sequence[int]:
        """The pages in the order of their titles; an index that was built without it is put in order now."""
        if self._file.has("by_title"):
            return self._bytes("by_title").cast("I")
        keys = list(map(title_key, self.titles()))
        return sorted(range(self.pages), key=keys.__getitem__)

    def of_page(self, page: int) -> list[Passage]:
        """Return the passages of a page, by its number."""
        return list(map(self.passage, self._passages_of(page)))

    def _passages_of(self, page: int) -> range:
        end = self._item("firsts", "I", page + 1) if page + 1 < self.pages else self.passages
        return range(self._item("firsts", "I", page), end)

    def text(self, number: int) -> str:
        """Return the text of a passage."""
        return self._text("texts", number)

    def text_beside(self, number: int, step: int) -> str:
        """Return the text of the passage so many steps behind another one; empty where that is not on the same page."""
        beside = number + step
        is_on_page = 0 <= beside < self.passages and self._page(beside) == self._page(number)
        return self.text(beside) if is_on_page else ""

    def _page(self, number: int) -> int:
        """Return the page of a passage: the last one whose first passage is not behind it."""
        return bisect_right(range(self.pages), number, key=lambda page: self._item("firsts", "I", page)) - 1

    def postings(self, term: str) -> tuple[Any, Any]:
        """Return the numbers of the passages that hold a term, ascending, and how often each holds it."""
        import numpy as np

        place = bisect_left(range(self._terms), term, key=lambda place: self._text("terms", place))
        if place == self._terms or self._text("terms", place) != term:
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

    def _size(self, section: str) -> int:
        first, last = self._file.section(section)
        return last - first

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
