"""Articles as WikiExtractor writes them: `<doc id url title>` ... `</doc>`, or one JSON object a line with `--json`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import chain

from graph.errors import InputUnreadable
from graph.model import Source
from graph.sources.article import Article, Skipped
from graph.sources.input_stream import LONGEST, FileArgument, InputStream, OnSkip, decode_utf8, read_items
from graph.sources.plaintext import json_articles

_HEADER = re.compile(rb"^<doc [^\n]*>\r?\n", re.MULTILINE)
_ATTRIBUTE = re.compile(r'(\w+)="(.*?)"(?=\s+\w+="|\s*>\s*$)')
_CLOSING = re.compile(rb"\n</doc>\r?\n")
_TAG = len(b"\n</doc>\r")


def read_wikiextractor(path: FileArgument, on_skip: OnSkip) -> Iterator[Article]:
    """Yield each article in the order of the file, in memory that depends on the longest article alone.

    Its text is exactly what stands between the line of `<doc ...>` and the line of `</doc>`. An article that is never
    closed, is longer than 16 MiB or holds NUL bytes or bytes that are not UTF-8 is skipped and reported to `on_skip`. Raises
    the errors of `read_items`.
    """
    return read_items(path, _articles, "WikiExtractor's output", on_skip)


def _articles(stream: InputStream, on_skip: OnSkip) -> Iterator[Article]:
    if stream.peek(1 << 10).lstrip().startswith(b"{"):
        yield from json_articles(stream, on_skip)
        return
    line = 1
    for piece, broken in _tagged_pieces(stream):
        headers = list(_HEADER.finditer(piece)) if b"\n<doc " in piece else list(filter(None, [_HEADER.match(piece)]))
        stray = piece[: headers[0].start()] if headers else piece
        if stray.strip():
            first = line + stray[: -len(stray.lstrip())].count(b"\n")
            on_skip(Skipped(f"line {first}", "text outside of any article"))
        line += piece.count(b"\n") + 1
        for unclosed in headers if broken else headers[:-1]:
            on_skip(Skipped(f"page '{_source_of_header(unclosed).title}'", broken or "never closed"))
        if headers and not broken:
            source = _source_of_header(headers[-1])
            try:
                yield Article(source, decode_utf8(piece[headers[-1].end() : -1]))
            except ValueError as error:
                on_skip(Skipped(f"page '{source.title}'", str(error)))


def _tagged_pieces(stream: InputStream) -> Iterator[tuple[bytes, str]]:
    """Yield what lies between closing tags, with the line end before the tag, and what is wrong with it, if anything."""
    held, searched, endless = b"", 0, False
    damage: InputUnreadable | None = None
    try:
        for block in chain(stream.blocks(), (b"\n",)):  # a file may end right after a tag
            held += block
            start = 0
            for closing in _CLOSING.finditer(held, searched):
                if not endless:
                    yield held[start : closing.start() + 1], ""
                start, endless = closing.end(), False
            held = held[start:]
            if len(held) > LONGEST:
                if not endless:
                    yield held, f"longer than {LONGEST >> 20} MiB"
                held, endless = held[-_TAG:], True
            searched = max(0, len(held) - _TAG)
    except InputUnreadable as error:
        damage = error
    if held.strip() and not endless:
        yield held, "never closed"
    if damage:
        raise damage


def _source_of_header(header: re.Match[bytes]) -> Source:
    """Return what an opening tag says; the values of old versions are escaped, those of new ones are not."""
    attributes = dict(_ATTRIBUTE.findall(header.group().decode("utf-8", "replace")))
    page, revision, url, title = (unescape(attributes.get(name, "")) for name in ("id", "revid", "url", "title"))
    return Source("wikipedia", title, page, revision, url)
