"""MediaWiki XML dumps, read as a stream: articles in plain text, redirects as aliases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit
from xml.parsers import expat

from graph.errors import FormatUnknown, InputUnreadable
from graph.model import Alias, Source
from graph.normalize import concept_name
from graph.sources.article import Article, Skipped
from graph.sources.streams import FileArgument, InputStream, OnSkip, open_input
from graph.sources.wikitext import LONGEST_PAGE, PageUnreadable, plain_text

_KEPT = frozenset(
    {
        "mediawiki/siteinfo/base",
        "mediawiki/siteinfo/namespaces/namespace",
        "mediawiki/page/title",
        "mediawiki/page/ns",
        "mediawiki/page/id",
        "mediawiki/page/revision/id",
        "mediawiki/page/revision/model",
        "mediawiki/page/revision/text",
    }
)
_DEEPEST = 50
_LONGEST_TAG = 1 << 24
_HIDDEN_KEYS = frozenset({"-2", "6", "14"})
_DEFAULT_BASE = "https://en.wikipedia.org/wiki/Main_Page"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the main namespace as the dump has it; `redirect` is the title that it leads to, or empty.

    `address` is what the wiki's page ids are appended to; links into the namespaces `hidden` show nothing.
    """

    title: str
    page_id: str
    revision: str
    wikitext: str
    redirect: str = ""
    address: str = "https://en.wikipedia.org/?curid="
    hidden: frozenset[str] = frozenset()


def read_mediawiki(path: FileArgument, on_skip: OnSkip) -> Iterator[Article | Alias]:
    """Yield an article for each page of the main namespace and an alias for each redirect, in the order of the dump.

    Redirects between names of one concept yield nothing. A page that cannot be made plain is skipped and told to `on_skip`.
    Raises what `read_pages` raises.
    """
    for page in read_pages(path, on_skip):
        if page.redirect:
            name, concept = concept_name(page.title), concept_name(page.redirect)
            if name and concept and name != concept:
                yield Alias(name, concept)
            continue
        try:
            yield article(page)
        except PageUnreadable as error:
            on_skip(Skipped(f"page '{page.title}'", str(error)))


def article(page: Page) -> Article:
    """Return a page in plain text, a paragraph or list item a line; raise `PageUnreadable` where that cannot be done.

    This is where the time goes, so several processes may share it.
    """
    plain = plain_text(page.wikitext, page.hidden)
    source = Source("wikipedia", page.title, page.page_id, page.revision, page.address + page.page_id)
    return Article(source, plain.text, plain.headings)


def read_pages(path: FileArgument, on_skip: OnSkip) -> Iterator[Page]:
    """Yield the pages of the main namespace, redirects too, each with its last revision, in constant memory.

    Raises the errors of `open_input`, `FormatUnknown` for a file that is no dump, and `InputUnreadable` for a dump that is cut
    short or broken, after the pages before that place have been yielded. Dumps have no document type, so that one with it
    is refused before any entity is defined in it.
    """
    with open_input(path) as stream:
        dump = _Dump(stream.name, on_skip)
        for block in stream.blocks():
            dump.feed(block)
            yield from dump.taken()
        dump.feed(b"", last=True)
        yield from dump.taken()
...
