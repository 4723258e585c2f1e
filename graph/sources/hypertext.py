"""HTML as articles: what a reader sees, a paragraph a line, with the links to other articles; and wikitext pages as files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from graph.errors import InputUnreadable
from graph.model import Source
from graph.sources.article import Article, ArticleLink
from graph.sources.input_stream import FileArgument, OnSkip, open_input
from graph.sources.wikitext import LONGEST_PAGE, PageUnreadable, wikitext_to_plain

_HIDDEN_TAGS = frozenset("script style head template noscript svg math table".split())
_INLINE_TAGS = frozenset(
    "a abbr b bdi bdo big cite code data em font i kbd mark q s small span strong sub sup time u var wbr".split()
)
_VOID_TAGS = frozenset("area base br col embed hr img input link meta source track wbr".split())
_ARTICLE_PATH = re.compile(r"^(?:/wiki/|\./|\.\./wiki/|/)?(?P<title>[^/?#][^?#]*)$")
_NO_ARTICLE = re.compile(r"\.(?:html?|php|pdf|png|jpe?g|gif|svg|css|js|xml)$", re.IGNORECASE)
_NO_FOLLOW = re.compile(r"\bnofollow\b", re.IGNORECASE)


def linked_title(address: str, title: str = "") -> str:
    """Return the title of the article that the address of a link leads to; of another site, the `title` that the link names."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    if parts.scheme and parts.scheme not in ("http", "https"):
        return ""
    path = unquote(parts.path)
    if parts.netloc and "/wiki/" not in path:
        return title.strip()
    match = _ARTICLE_PATH.match(path[path.index("/wiki/") :] if parts.netloc else path)
    name = match["title"].replace("_", " ").strip() if match else ""
    return title.strip() if _NO_ARTICLE.search(name) else name


class _PageParser(HTMLParser):
    """Collects the lines that a page shows and the links in them; `forbids` says that the page forbids following its links."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.links: list[ArticleLink] = []
        self.title = ""
        self.forbids = False
        self._offset = 0  # of the line that is being read, in the text of the lines before
        self._pieces: list[str] = []  # of that line
        self._length = 0
        self._hidden: list[str] = []
        self._target: str | None = None
        self._anchor = 0  # the piece that the anchor begins with
        self._place = 0  # its character of the line
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Begin a link, a paragraph, or what is not shown."""
        values = {name: value or "" for name, value in attrs}
        self._in_title = tag == "title" or (self._in_title and tag in _INLINE_TAGS)
        if tag == "meta":
            robots = values.get("name", "").lower() == "robots"
            self.forbids = self.forbids or (robots and bool(_NO_FOLLOW.search(values.get("content", ""))))
        if tag in _HIDDEN_TAGS or (tag == "sup" and "reference" in values.get("class", "")):
            self._hidden.append(tag)
        elif tag == "a":
            self._end_link()
            if not _NO_FOLLOW.search(values.get("rel", "")):
                self._target = linked_title(values.get("href", ""), values.get("title", ""))
                self._anchor, self._place = len(self._pieces), self._length
        elif tag not in _INLINE_TAGS:
            self.end_line()

    def handle_endtag(self, tag: str) -> None:
        """End what a tag began."""
        self._in_title = self._in_title and tag in _INLINE_TAGS
        if tag in self._hidden:
            while self._hidden.pop() != tag:
                pass
        elif tag == "a":
            self._end_link()
        elif tag not in _INLINE_TAGS and tag not in _VOID_TAGS:
            self.end_line()

    def handle_data(self, data: str) -> None:
        """Add words to the line, with single spaces between them."""
        if self._in_title:
            self.title += data
        if self._hidden:
            return
        words = " ".join(data.split())
        spaced = not self._pieces or self._pieces[-1].endswith(" ")
        if data[:1].isspace() and not spaced:
            words = f" {words}"
        words += " " * (bool(words.strip()) and data[-1:].isspace())
        if words:
            self._pieces.append(words)
            self._length += len(words)

    def end_line(self) -> None:
        """End a paragraph."""
        self._end_link()
        text = "".join(self._pieces).rstrip()
        if text:
            self.lines.append(text)
            self._offset += len(text) + 1
        self._pieces, self._length = [], 0

    def _end_link(self) -> None:
        target, self._target = self._target, None
        words = "".join(self._pieces[self._anchor :])
        anchor = words.strip()
        if target and anchor:
            offset = self._offset + self._place + len(words) - len(words.lstrip())
            self.links.append(ArticleLink(anchor, offset, target))


def html_article(text: str, title: str = "") -> Article:
    """Return an HTML page, or a piece of one, as an article; by default its title is that of the page.

    Links that lead to no article, or that the page forbids following (`rel="nofollow"`), are words; where it forbids following
    any (`<meta name="robots" content="nofollow">`), `may_follow` is false. Tables, notes and scripts show nothing.
    """
    page = _PageParser()
    page.feed(text)
    page.close()
    page.end_line()
    name = " ".join(page.title.split()).removesuffix(" - Wikipedia") or title
    return Article(Source("text", name), "\n".join(page.lines), links=tuple(page.links), may_follow=not page.forbids)


def wikitext_article(text: str, title: str = "") -> Article:
    """Return a page of wikitext as an article; raise `PageUnreadable` for a tangled page."""
    plain = wikitext_to_plain(text)
    return Article(Source("text", title), plain.text, plain.headings, plain.entries, plain.links)


def read_html(path: FileArgument, on_skip: OnSkip) -> Iterator[Article]:
    """Yield an HTML page as an article; raise the errors of `open_input`."""
    with open_input(path) as stream:
        yield html_article(stream.text(), stream.title)


def read_wikitext(path: FileArgument, on_skip: OnSkip) -> Iterator[Article]:
    """Yield a page of wikitext as an article; raise `InputUnreadable` for a tangled page, and the errors of `open_input`."""
    with open_input(path) as stream:
        text = stream.text(4 * LONGEST_PAGE)
        try:
            yield wikitext_article(text, stream.title)
        except PageUnreadable as error:
            raise InputUnreadable(stream.name, str(error)) from None
