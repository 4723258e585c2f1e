"""Articles cut into passages: disjoint runs of 100 words, as retrieval over Wikipedia has them (IfQA §4.1; DPR §4.1)."""

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


def passage_pages(articles: Iterable[Article | Alias], words: int = PASSAGE_WORDS) -> Iterator[PassagePage]:
    """Yield each article that has words, cut into passages of so many words; aliases are left out.

    A first line that is the title alone, as WikiExtractor writes it, is no part of the text.
    """
    for article in articles:
        if isinstance(article, Article):
            source = article.source
            passages = tuple(split_passages(_without_title(article.text, source.title), words))
            if passages:
                yield PassagePage(source.title, source.page_id, source.url, passages)


def split_passages(text: str, words: int = PASSAGE_WORDS) -> Iterator[str]:
    """Yield the passages of a text, with single spaces between their words."""
    tokens = text.replace("\0", " ").split()
    for start in range(0, len(tokens), words):
        yield " ".join(tokens[start : start + words])


def _without_title(text: str, title: str) -> str:
    first, _, rest = text.lstrip().partition("\n")
    return rest if rest and first.strip() == title.strip() else text
