"""The formats of text that can be mined, and how a file shows which one it is in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from graph.model import Alias
from graph.sources.article import Article
from graph.sources.input_stream import FileArgument, OnSkip, open_input


class ArticleFormat(StrEnum):
    """A format of articles."""

    WIKIEXTRACTOR = "wikiextractor"
    XML = "xml"
    TEXT = "text"
    JSONL = "jsonl"
    HTML = "html"
    WIKITEXT = "wikitext"


_HEAD = 1 << 13
_SIGNATURES = (
    (re.compile(rb"\s*<doc [^>\n]*\bid="), ArticleFormat.WIKIEXTRACTOR),
    (re.compile(rb"\s*(?:<\?xml|<mediawiki|<!DOCTYPE mediawiki)"), ArticleFormat.XML),
    (re.compile(rb'\s*(?:\[\s*)?\{\s*"'), ArticleFormat.JSONL),
    (re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL), ArticleFormat.HTML),
)


def detect_format(path: FileArgument) -> ArticleFormat:
    """Return the format that a file begins with; nothing is taken from a stream. Raises the errors of `open_input`."""
    stream = open_input(path)
    try:
        head = stream.peek(_HEAD)
    finally:
        if stream is not path:
            stream.close()
    return format_of_head(head)


def format_of_head(head: bytes) -> ArticleFormat:
    """Return the format of a file that begins with `head`; wikitext shows none of its own, and is taken for text."""
    return next((known for sign, known in _SIGNATURES if sign.match(head)), ArticleFormat.TEXT)


def read_articles(path: FileArgument, form: ArticleFormat, on_skip: OnSkip) -> Iterator[Article | Alias]:
    """Yield the articles of a file, and aliases where its format has them; raise the errors of its reader, once it is read."""
    match form:
        case ArticleFormat.WIKIEXTRACTOR:
            from graph.sources.plaintext import read_wikiextractor as read
        case ArticleFormat.XML:
            from graph.sources.mediawiki import read_mediawiki as read  # type: ignore[assignment]
        case ArticleFormat.JSONL:
            from graph.sources.plaintext import read_json_articles as read
        case ArticleFormat.HTML:
            from graph.sources.hypertext import read_html as read
        case ArticleFormat.WIKITEXT:
            from graph.sources.hypertext import read_wikitext as read
        case _:
            from graph.sources.plaintext import read_text as read
    return read(path, on_skip)
