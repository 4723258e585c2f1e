"""The cutting of articles into disjoint passages of 100 words (IfQA §4.1; DPR §4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graph.model import Alias
from graph.sources.article import Article

PASSAGE_WORDS = 100
"""How many words a passage has; the last of an article has fewer."""


class PassagePage(NamedTuple):
    """An article as its passages: what it is called, where it is, and the passages in their order."""

    title: str
    id: str
    url: str
    passages: tuple[str, ...]


def passage_pages(articles: Iterable[Article | Alias]) -> Iterator[PassagePage]:
    """Yield each article that has words, cut into passages; aliases are left out.

    A first line that is the title alone, as WikiExtractor writes it, is no part of the text.
    """
    for article in articles:
        if isinstance(article, Article):
            source, text = article.source, article.text
            first_line, _, rest = text.lstrip().partition("\n")
            if rest and first_line.strip() == source.title.strip():
                text = rest
            if passages := tuple(split_passages(text)):
                yield PassagePage(source.title, source.page_id, source.url, passages)


def split_passages(text: str) -> Iterator[str]:
    """Yield the passages of a text, with single spaces between their words."""
    words = text.replace("\0", " ").split()
    for start in range(0, len(words), PASSAGE_WORDS):
        yield " ".join(words[start : start + PASSAGE_WORDS])
