"""MediaWiki XML dumps: pages in wikitext, articles in plain text, and redirects as aliases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit
from xml.parsers import expat

from graph.errors import FormatUnknown, GraphError, InputUnreadable
from graph.model import Alias, Source
from graph.sources.article import Article, Skipped
from graph.sources.input_stream import FileArgument, OnSkip, open_input
from graph.sources.wikitext import LONGEST_PAGE, PageUnreadable, wikitext_to_plain
from graph.text.normalise import concept_name

_PAGE = "mediawiki/page"
_REVISION = "mediawiki/page/revision"
_FIELDS = {
    "mediawiki/siteinfo/base": "base",
    "mediawiki/siteinfo/namespaces/namespace": "namespace",
    **{f"{_PAGE}/{name}": name for name in ("title", "ns", "id")},
    **{f"{_REVISION}/{name}": f"revision {name}" for name in ("id", "model", "text")},
}
"""The elements whose text is read, and the fields that they fill."""
_HIDDEN_NAMESPACE_KEYS = frozenset({"-2", "6", "14"})
_WEB = frozenset({"http", "https"})
_DEEPEST = 50
_LONGEST_TAG = 1 << 24


@dataclass(frozen=True, slots=True)
class DumpPage:
    """A page of the main namespace, as its last revision in the dump has it."""

    title: str
    page_id: str
    revision: str
    wikitext: str
    redirect: str = ""  # the title that it leads to
    url: str = ""
    hidden: frozenset[str] = frozenset()  # the namespaces whose links show nothing, in lower case


def read_dump_pages(path: FileArgument, on_skip: OnSkip) -> Iterator[DumpPage]:
    """Yield the pages of the main namespace, redirects among them, in constant memory; report other content to `on_skip`.

    Raises the errors of `open_input`, `FormatUnknown` for a file that is no dump, and `InputUnreadable` for a dump that is cut
    short or broken, after the pages before. A file with a document type is refused before it can define any entity.
    """
    with open_input(path) as stream:
        dump = _DumpParser(stream.name, on_skip)
        try:
            for block in stream.blocks():
                dump.feed(block)
                yield from dump.pop_pages()
            dump.feed(b"", last=True)
        except GraphError:
            with suppress(GraphError):
                dump.feed(b"", last=True)
            yield from dump.pop_pages()
            raise
        yield from dump.pop_pages()


class _DumpParser:
    def __init__(self, name: str, on_skip: OnSkip) -> None:
        self._name, self._on_skip = name, on_skip
        self._path: list[str] = []
        self._fields: dict[str, str] = {}
        self._pieces: list[str] = []
        self._size = self._fed = self._count = 0
        self._waiting: list[DumpPage] = []
        self._place, self._host = "", "https://en.wikipedia.org"
        self._hidden: set[str] = set()
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, block: bytes, *, last: bool = False) -> None:
        """Parse the next block; raise `FormatUnknown` for another format and `InputUnreadable` for broken XML."""
        self._fed += len(block)
        try:
            self._parser.Parse(block, last)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code) or "not well-formed"
            if not self._path and not self._count:
                raise FormatUnknown(self._name, "a MediaWiki XML dump", f"{why} at line {error.lineno}") from None
            place = f"at line {error.lineno:,}, column {error.offset:,} ({why}); {self._count:,} pages before that were read"
            raise InputUnreadable(self._name, f"its XML is cut short or broken {place}") from None
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TAG:
            raise InputUnreadable(self._name, f"a tag of more than {_LONGEST_TAG >> 20} MiB in its XML")

    def pop_pages(self) -> list[DumpPage]:
        """Return the pages that are complete and were not returned before."""
        pages, self._waiting = self._waiting, []
        return pages

    def _refuse(self, name: str, *_: object) -> None:
        raise InputUnreadable(self._name, f"it has a document type ('{name}'), which no MediaWiki dump has")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name != "mediawiki":
            raise FormatUnknown(self._name, "a MediaWiki XML dump", f"it begins with <{name}>")
        if len(self._path) >= _DEEPEST:
            raise InputUnreadable(self._name, f"tags nested more than {_DEEPEST} deep in its XML")
        self._path.append(name)
        self._place = "/".join(self._path)
        if self._place == _PAGE:
            self._fields = {}
        elif self._place == f"{_PAGE}/redirect":
            self._fields["redirect"] = attributes.get("title", "")
        elif self._place == _REVISION:
            self._fields = {name: text for name, text in self._fields.items() if not name.startswith("revision")}
        field = _FIELDS.get(self._place)
        if field == "namespace":
            self._fields["key"] = attributes.get("key", "")
        if field is not None and (field != "revision text" or self._fields.get("ns", "0") == "0"):
            self._pieces, self._size = [], 0
            self._parser.CharacterDataHandler = self._characters

    def _characters(self, piece: str) -> None:
        """Keep the text of an element, up to one piece more than any page may have."""
        if self._size <= LONGEST_PAGE:
            self._pieces.append(piece)
            self._size += len(piece)

    def _end(self, _: str) -> None:
        field = _FIELDS.get(self._place)
        if self._parser.CharacterDataHandler is not None:
            self._fields[_FIELDS[self._place]] = "".join(self._pieces)
            self._parser.CharacterDataHandler = None
        if self._place == _PAGE:
            self._queue_page()
        elif field == "namespace" and self._fields.get("key") in _HIDDEN_NAMESPACE_KEYS:
            self._hidden.add(self._fields[field].lower())
        elif field == "base":
            with suppress(ValueError):  # an address that is none
                base = urlsplit(self._fields[field])
                self._host = f"{base.scheme}://{base.netloc}" if base.netloc and base.scheme in _WEB else self._host
        self._path.pop()
        self._place = "/".join(self._path)

    def _queue_page(self) -> None:
        self._count += 1
        fields = self._fields
        if fields.get("ns", "0") != "0":
            return
        names = ("title", "id", "redirect", "revision id", "revision text")
        title, page_id, redirect, revision, wikitext = (fields.get(name, "") for name in names)
        model = fields.get("revision model", "wikitext")
        if not redirect and (model != "wikitext" or not wikitext):
            self._on_skip(Skipped(f"page '{title}'", "no text" if model == "wikitext" else f"its content is {model}"))
            return
        url = f"{self._host}/?curid={page_id}"
        self._waiting.append(DumpPage(title, page_id, revision, wikitext, redirect, url, frozenset(self._hidden)))


def read_mediawiki(path: FileArgument, on_skip: OnSkip) -> Iterator[Article | Alias]:
    """Yield an article for each page, and an alias for each redirect to another name; raise the errors of `read_dump_pages`."""
    for page in read_dump_pages(path, on_skip):
        if page.redirect:
            target = page.redirect.partition("#")[0]
            name, concept = concept_name(page.title), concept_name(target)
            if name and concept and name != concept:
                yield Alias(name, concept, (page.title, target))
            continue
        try:
            yield article_of_page(page)
        except PageUnreadable as error:
            on_skip(Skipped(f"page '{page.title}'", str(error)))


def article_of_page(page: DumpPage) -> Article:
    """Return a page in plain text, a paragraph or list item a line; raise `PageUnreadable` where that cannot be done."""
    plain = wikitext_to_plain(page.wikitext, page.hidden)
    source = Source("wikipedia", page.title, page.page_id, page.revision, page.url)
    return Article(source, plain.text, plain.headings, plain.entries, plain.links)
