"""Plain text, JSON lines and the output of WikiExtractor: as articles to mine, or as single sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import chain

from graph.errors import InputUnreadable
from graph.model import Source
from graph.sources.article import Article, ArticleLink, Skipped
from graph.sources.input_stream import LONGEST, FileArgument, InputStream, OnSkip, decode_utf8, open_input, read_items
from graph.sources.jsonl import Record, RecordInvalid, json_record, json_records, parse_records, text_field

_HEADER = re.compile(rb"^<doc [^\n]*>\r?\n", re.MULTILINE)
_ATTRIBUTE = re.compile(r'(\w+)="(.*?)"(?=\s+\w+="|\s*>\s*$)')
_CLOSING = re.compile(rb"\n</doc>\r?\n")
_OBJECT_START = re.compile(r"\s*+\{\s*+\"")
_HEADING = re.compile(r"^(?=[A-Z0-9\"'“(])([^\n.!?]{2,70})\.$(?=\n+[^\n])", re.MULTILINE)
_SENTENCE = re.compile(
    r"^(?:he|she|it|they|we|i|this|there)\b|\b\w{2,}(?:ed|s|t) (?:an?|the|his|her|its|their) "
    r"|\b(?:is|are|was|were|be|been|has|have|had|will|would|can|could|do|does|did|may|might|became|began|died|said|says|sees?)\b",
    re.IGNORECASE,
)
_MAX_HEADING_WORDS = 9
_TAG = len(b"\n</doc>\r")


@dataclass(frozen=True, slots=True)
class InputSentence:
    """A sentence to look for claims in, with the identifier that it came with, or the number of its line."""

    id: str | int
    text: str


def read_text(path: FileArgument, on_skip: OnSkip) -> Iterator[Article]:
    """Yield the file as one article named after it, one of more than 16 MiB cut at empty lines into "NAME, part 1" and so on.

    Lines that are not text are reported to `on_skip`. Damage raises `InputUnreadable` after the lines before it.
    """
    with open_input(path) as stream:
        for number, (text, last) in enumerate(_text_parts(stream, on_skip), 1):
            yield Article(Source("text", stream.title if last and number == 1 else f"{stream.title}, part {number}"), text)


def read_json_articles(path: FileArgument, on_skip: OnSkip) -> Iterator[Article]:
    """Yield an article for each JSON object {"id" or "page_id", "title", "text", "url"?, "links"?}, one a line or in an array."""
    return read_items(path, json_articles, 'JSON lines with a "text"', on_skip)


def json_articles(stream: InputStream, on_skip: OnSkip) -> Iterator[Article]:
    """Yield the articles of an open stream of JSON lines; those with an address at wikipedia.org are of the kind "wikipedia"."""
    return parse_records(json_records(stream, on_skip), article_of_record, on_skip)


def article_of_record(record: Record, place: str) -> Article:
    """Return the article of a JSON object, which without any name is called after its place; raise `RecordInvalid`."""
    page, revision = text_field(record, "page_id", "id"), text_field(record, "revision", "revid")
    title, url = text_field(record, "title"), text_field(record, "url")
    kind = "wikipedia" if ".wikipedia.org/" in url else "text"
    source = Source(kind, title if title or page or url else place, page, revision, url)
    text = _text_of_record(record)
    return Article(source, text, links=tuple(links_of_record(record, text)))


def links_of_record(record: Record, text: str) -> Iterator[ArticleLink]:
    """Yield the `links` of a record {"text", "links"}, in the order of the text; those that lie outside of the text are left out.

    A link is {"target", "offset", "anchor"}, or {"target", "indices": [first, end]} as in IIRC; without a place it is where its
    anchor, or else its target, first stands.
    """
    rows = record.get("links")
    links: list[ArticleLink] = []
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict):
            raise RecordInvalid("a link is not a JSON object")
        target, anchor, indices = text_field(row, "target", "title").strip(), text_field(row, "anchor"), row.get("indices")
        if isinstance(indices, list) and len(indices) == 2 and all(type(place) is int for place in indices):
            start, end = indices
        else:
            offset = row.get("offset")
            start = offset if type(offset) is int else text.find(anchor or target)
            end = start + len(anchor or target)
        if target and 0 <= start < end <= len(text):
            links.append(ArticleLink(text[start:end], start, target))
    yield from sorted(links, key=lambda link: link.offset)


def _text_of_record(record: Record) -> str:
    text = record.get("text")
    if not isinstance(text, str):
        raise RecordInvalid('no "text"')
    return text


def read_sentences(path: FileArgument, on_skip: OnSkip) -> Iterator[InputSentence]:
    """Yield the sentences of plain lines, or of {"id", "text"} lines where the first begins so; the default id is the number."""
    with open_input(path) as stream:
        lines = ((f"line {number}", line) for number, line in stream.lines(on_skip) if line.strip())
        first = next(lines, ("", ""))
        in_json = _OBJECT_START.match(first[1]) is not None

        def parse(line: str, place: str) -> InputSentence:
            number = int(place.removeprefix("line "))
            if not in_json:
                return InputSentence(number, line.strip())
            record = json_record(line)
            text, name = _text_of_record(record), record.get("id", number)
            if not isinstance(name, str | int):
                raise RecordInvalid('"id" is neither text nor a whole number')
            return InputSentence(name, text)

        yield from parse_records(chain([first] if first[0] else [], lines), parse, on_skip)


def _text_parts(stream: InputStream, on_skip: OnSkip) -> Iterator[tuple[str, bool]]:
    """Yield the text in parts of at most `LONGEST` characters and a paragraph, each with whether it is the last."""
    held: list[str] = []
    size, damage = 0, None
    try:
        for _, line in stream.lines(on_skip):
            if (size > LONGEST and not line.strip()) or size > 2 * LONGEST:
                yield "\n".join(held), False
                held, size = [], 0
            held.append(line)
            size += len(line) + 1
    except InputUnreadable as error:
        damage = error
    if held:
        yield "\n".join(held), True
    if damage:
        raise damage


def read_wikiextractor(path: FileArgument, on_skip: OnSkip) -> Iterator[Article]:
    """Yield each article in the order of the file, its text exactly that between its tags; raise the errors of `read_items`.

    An article that is never closed, is longer than 16 MiB or is not UTF-8 text is reported to `on_skip`.
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
                text = decode_utf8(piece[headers[-1].end() : -1])
                yield Article(source, text, tuple(_headings(text)))
            except ValueError as error:
                on_skip(Skipped(f"page '{source.title}'", str(error)))


def _headings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and the title of each heading, which WikiExtractor writes as a line with a full stop."""
    for line in _HEADING.finditer(text):
        title = line[1]
        if len(title.split()) <= _MAX_HEADING_WORDS and title.count(",") < 3 and not _SENTENCE.search(title):
            yield line.start(), title


def _tagged_pieces(stream: InputStream) -> Iterator[tuple[bytes, str]]:
    """Yield what lies between closing tags, with the line end before the tag, and what is wrong with it, if anything."""
    held, searched, endless, damage = b"", 0, False, None
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
