"""The cutting of articles into disjoint passages of 100 words (IfQA §4.1; DPR §4.1), with the links of an article."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from graph.model import Alias
from graph.sources.article import Article, ArticleLink

PASSAGE_WORDS = 100
"""How many words a passage has; the last of an article has fewer."""


class PassagePage(NamedTuple):
    """An article as its passages: what it is called, where it is, and the passages in their order.

    The offsets of its links count in all passages, joined by single spaces.
    """

    title: str
    id: str
    url: str
    passages: tuple[str, ...]
    links: tuple[ArticleLink, ...] = ()


class Redirect(NamedTuple):
    """A title that leads to the article of another one."""

    title: str
    target: str


def passage_pages(articles: Iterable[Article | Alias]) -> Iterator[PassagePage | Redirect]:
    """Yield each article that has words, cut into passages, and each redirect; other aliases are left out.

    A first line that is the title alone, as WikiExtractor writes it, is no part of the text.
    """
    for article in articles:
        if isinstance(article, Article):
            source, text = article.source, article.text
            first_line, _, rest = text.lstrip().partition("\n")
            if rest and first_line.strip() == source.title.strip():
                text = rest
            if passages := tuple(split_passages(text)):
                links = tuple(_spaced_links(text, article.links, len(article.text) - len(text)))
                yield PassagePage(source.title, source.page_id, source.url, passages, links)
        elif article.titles is not None:
            yield Redirect(*article.titles)


def _spaced_links(text: str, links: Iterable[ArticleLink], removed: int) -> Iterator[ArticleLink]:
    """Yield links at their offsets in a text with single spaces between its words, which had `removed` more characters before."""
    if not links:
        return
    words = [word.span() for word in re.finditer(r"[^\s\0]+", text)]
    starts = [start for start, _ in words]
    places = [0, *accumulate(end - start + 1 for start, end in words)]
    for link in links:
        anchor = " ".join(link.anchor.replace("\0", " ").split())
        word = bisect_right(starts, link.offset - removed) - 1
        if word >= 0 and anchor:
            yield ArticleLink(anchor, places[word] + link.offset - removed - starts[word], link.target)


def split_passages(text: str) -> Iterator[str]:
    """Yield the passages of a text, with single spaces between their words."""
    words = text.replace("\0", " ").split()
    for start in range(0, len(words), PASSAGE_WORDS):
        yield " ".join(words[start : start + PASSAGE_WORDS])
