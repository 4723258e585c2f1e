"""A passage with its links: from wikitext, a MediaWiki dump of one article, HTML, JSON, or plain text, which has none."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from io import BytesIO
from itertools import islice

from graph.errors import InputUnreadable
from graph.model import Source
from graph.sources.article import Article, ArticleLink
from graph.sources.article_formats import ArticleFormat, format_of_head
from graph.sources.hypertext import html_article, wikitext_article
from graph.sources.input_stream import InputStream, open_input
from graph.sources.jsonl import RecordInvalid, json_record
from graph.sources.mediawiki import read_mediawiki
from graph.sources.plaintext import article_of_record
from graph.sources.wikitext import PageUnreadable
from kgqa.passages.passage_graph import MOST_PASSAGE_BYTES, unwrap_lines

_HEAD = 1 << 12
_WIKI_LINK = re.compile(r"\[\[[^\[\]\n]{1,300}\]\]")
_HTML_LINK = re.compile(r"<a\s[^<>]*href\s*=", re.IGNORECASE)


def read_passage(path: str) -> Article:
    """Return the passage in a file, or in stdin for "-"; raises the errors of `open_input`, and `InputTooLong`."""
    return passage_article(*_named_text(path))


def read_passage_text(path: str) -> str:
    """Return the text of a passage as it stands in a file, with its markup; raises what `read_passage` raises."""
    return _named_text(path)[0]


def _named_text(path: str) -> tuple[str, str]:
    with open_input(path) as stream:
        return stream.text(MOST_PASSAGE_BYTES, "make an index of it with 'kgqa index' and ask with --corpus"), stream.name


def passage_article(text: str, name: str = "passage") -> Article:
    """Return a text as a passage: its words without markup, a paragraph ending with an empty line, and its links in them.

    Raises `InputUnreadable` for a dump of no article or of several; other broken markup is read as plain text.
    """
    form = format_of_head(text[:_HEAD].encode("utf-8", "replace"))
    if form is ArticleFormat.XML:
        stream = InputStream(BytesIO(text.encode("utf-8", "replace")), name, None)
        articles = (article for article in read_mediawiki(stream, lambda _: None) if isinstance(article, Article))
        first = list(islice(articles, 2))
        if len(first) != 1:
            raise InputUnreadable(name, f"it holds {'several articles' if first else 'no article'}, and a passage is one")
        return _with_paragraphs(first[0])
    try:
        if form is ArticleFormat.JSONL:
            article = article_of_record(json_record(text.strip()), "")
            return replace(article, text=unwrap_lines(article.text))
        if form is ArticleFormat.HTML or _HTML_LINK.search(text):
            return _with_paragraphs(html_article(text))
        if _WIKI_LINK.search(text):
            return _with_paragraphs(wikitext_article(text))
    except (PageUnreadable, RecordInvalid):
        pass
    return Article(Source("text", ""), unwrap_lines(text))


def _with_paragraphs(article: Article) -> Article:
    """Return an article of one paragraph a line with an empty line behind each, as plain texts have them."""
    breaks = [match.start() for match in re.finditer("\n", article.text)]
    links = (ArticleLink(item.anchor, item.offset + bisect_left(breaks, item.offset), item.target) for item in article.links)
    return replace(article, text=article.text.replace("\n", "\n\n"), headings=(), entries=(), links=tuple(links))
