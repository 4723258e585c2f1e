"""MediaWiki XML dumps: articles in plain text, and redirects as aliases."""

from __future__ import annotations

from collections.abc import Iterator

from graph.model import Alias, Source
from graph.normalize import concept_name
from graph.sources.article import Article, Skipped
from graph.sources.dump import DumpPage, read_dump_pages
from graph.sources.streams import FileArgument, OnSkip
from graph.sources.wikitext import PageUnreadable, wikitext_to_plain


def read_mediawiki(path: FileArgument, on_skip: OnSkip) -> Iterator[Article | Alias]:
    """Yield an article for each page of the main namespace and an alias for each redirect, in the order of the dump.

    A redirect between two spellings of one concept name yields nothing. A page that cannot be made plain is skipped and told
    to `on_skip`. Raises what `read_pages` raises.
    """
    for page in read_dump_pages(path, on_skip):
        if page.redirect:
            yield from alias_of_redirect(page)
            continue
        try:
            yield article_of_page(page)
        except PageUnreadable as error:
            on_skip(Skipped(f"page '{page.title}'", str(error)))


def article_of_page(page: DumpPage) -> Article:
    """Return a page in plain text, a paragraph or list item a line; raise `PageUnreadable` where that cannot be done.

    This is where the time goes; pages are plain data, so several processes may share the work.
    """
    plain = wikitext_to_plain(page.wikitext, page.hidden)
    source = Source("wikipedia", page.title, page.page_id, page.revision, page.url)
    return Article(source, plain.text, plain.headings, plain.entries)


def alias_of_redirect(page: DumpPage) -> tuple[Alias, ...]:
    """Return the alias that a redirect makes, or nothing where both titles name one concept or none."""
    name, concept = concept_name(page.title), concept_name(page.redirect.partition("#")[0])
    return (Alias(name, concept),) if name and concept and name != concept else ()
