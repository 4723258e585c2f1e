"""The articles that links lead to: looked up by their titles in a passage index, redirects followed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from graph.sources.article import ArticleLink
from kgqa.retrieval.passage_index import PassageIndex, title_key

_MOST_REDIRECTS = 5
_REFERS = re.compile(r"\b(?:may|can|might|could) (?:also )?(?:refer|mean)\b|\(disambiguation\)$", re.IGNORECASE)
_DISAMBIGUATION_LEAD = 200


class LinkedArticle(NamedTuple):
    """An article that a title leads to; `namesakes` are other articles of the same title.

    `disambiguates` says that it only lists articles of its name.
    """

    page: int
    title: str
    lead: str
    namesakes: int = 0
    disambiguates: bool = False


class ArticleLookup:
    """The articles of an index by their titles."""

    def __init__(self, index: PassageIndex) -> None:
        self.index = index

    def find(self, title: str) -> LinkedArticle | None:
        """Return the article that a title leads to, the first of several; `None` for none, and where redirects run in circles.

        The title in its own case comes before another case, an article before a redirect.
        """
        seen: set[str] = set()
        while title_key(title) not in seen and len(seen) < _MOST_REDIRECTS:
            seen.add(title_key(title))
            pages = self.index.pages_of_title(title)
            if pages:
                exact = title[:1].upper() + title[1:].replace("_", " ")
                same = [page for page in pages if self.index.title(page) == exact]
                return self._article((same or pages)[0], len(same or pages[:1]) - 1)
            target = self.index.redirect_of(title)
            if target is None:
                return None
            title = target
        return None

    def text(self, page: int) -> str:
        """Return the text of an article."""
        return self.index.page_text(page)

    def links(self, page: int) -> Sequence[ArticleLink]:
        """Return the links of an article, where the index has them."""
        return self.index.page_links(page)

    def _article(self, page: int, namesakes: int) -> LinkedArticle:
        title, lead = self.index.title(page), self.index.of_page(page)[0].text
        refers = _REFERS.search(title) or _REFERS.search(lead, 0, _DISAMBIGUATION_LEAD)
        return LinkedArticle(page, title, lead, namesakes, refers is not None)
