"""Draw paragraphs whose links lead to articles of a corpus, for questions that a linked article may have to answer.

    python scripts/judge/draw_paragraphs.py DUMP.xml.bz2 ARTICLES --seed 18 --number 300 > paragraphs.jsonl

A paragraph of the MediaWiki dump DUMP is taken where it has 60 to 200 words, is no item of a list, and links to at least three
articles of ARTICLES (any format that `kgqa index` reads) other than its own; at most six are drawn of an article. A line has `id`
(page and offset), `title`, `text` and `links`, each with `anchor`, its `offset` in the text and the title `target`, redirects of
the dump followed; links that lead to no article of ARTICLES are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graph.model import Alias
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.sources.mediawiki import article_of_page, read_dump_pages
from graph.sources.wikitext import PageUnreadable

WORDS = range(60, 201)
LINKS = 3
MOST_OF_ARTICLE = 6


def titled(title: str) -> str:
    """Return a title with a capital, as MediaWiki stores it."""
    return title[:1].upper() + title[1:]


def corpus_titles(path: Path) -> frozenset[str]:
    """Return the titles of the articles of a file."""
    articles = read_articles(path, detect_format(path), lambda _: None)
    return frozenset(article.source.title for article in articles if not isinstance(article, Alias))


def linked_paragraphs(article: Article, titles: frozenset[str], redirects: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the paragraphs of an article that have enough words, and enough links into `titles`."""
    items = {entry.start for entry in article.entries}
    start = 0
    for text in article.text.split("\n"):
        links = [
            {"anchor": link.anchor, "offset": link.offset - start, "target": target}
            for link in article.links
            if start <= link.offset < start + len(text)
            and (target := redirects.get(titled(link.target), titled(link.target))) in titles
            and target != article.source.title
        ]
        if start not in items and len(text.split()) in WORDS and len({link["target"] for link in links}) >= LINKS:
            yield {"id": f"{article.source.page_id}:{start}", "title": article.source.title, "text": text, "links": links}
        start += len(text) + 1


def main() -> None:
    """Read the dump, draw, and print the paragraphs in a random order."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dump", type=Path)
    parser.add_argument("articles", type=Path)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--number", type=int, default=300)
    options = parser.parse_args()
    titles, chance = corpus_titles(options.articles), random.Random(options.seed)
    pages = list(read_dump_pages(options.dump, lambda _: None))
    redirects = {page.title: titled(page.redirect.partition("#")[0]) for page in pages if page.redirect}
    drawn: list[dict[str, Any]] = []
    total = 0
    for page in pages:
        if page.redirect:
            continue
        try:
            fitting = list(linked_paragraphs(article_of_page(page), titles, redirects))
        except PageUnreadable as error:
            print(f"page '{page.title}' is left out: {error}", file=sys.stderr)
            continue
        total += len(fitting)
        drawn += chance.sample(fitting, min(MOST_OF_ARTICLE, len(fitting)))
    chance.shuffle(drawn)
    for paragraph in drawn[: options.number]:
        print(json.dumps(paragraph, ensure_ascii=False))
    print(f"{total:,} paragraphs fit, {len(drawn):,} with at most {MOST_OF_ARTICLE} of an article", file=sys.stderr)


if __name__ == "__main__":
    main()
