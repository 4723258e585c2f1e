"""Articles by their titles, redirects followed, with their links at their places; older indexes have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.model import Alias, Source
from graph.sources.article import Article, ArticleLink
from kgqa.retrieval import index_builder
from kgqa.retrieval.article_lookup import ArticleLookup
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import passage_pages

FLOOD = "Flood\n\nHeavy  rain\ncauses a flood. " + "word " * 200 + "Snow melts."
LINKS = tuple(ArticleLink(anchor, FLOOD.index(anchor), target) for anchor, target in (("rain", "Rain"), ("Snow melts", "snow")))


def articles() -> list[Article | Alias]:
    return [
        Article(Source("text", "Rain", "1"), "Rain falls."),
        Article(Source("text", "Flood", "2"), FLOOD, links=LINKS),
        Article(Source("text", "AIDS", "3"), "AIDS is a disease."),
        Article(Source("text", "Aids", "4"), "Aids are signals to a horse."),
        Article(Source("text", "Mercury", "5"), "Mercury may refer to: a planet, a metal."),
        Article(Source("text", "Rain", "6"), "Rain is a song."),
        Alias("snowfall", "rain", ("Snowfall", "Rain")),
        Alias("a", "b", ("Circle A", "Circle B")),
        Alias("b", "a", ("Circle B", "Circle A")),
        Alias("nowhere", "gone", ("Nowhere", "Gone")),
        Alias("other name", "rain"),
    ]


@pytest.fixture
def lookup(tmp_path: Path) -> ArticleLookup:
    return ArticleLookup(PassageIndex(build_passage_index(tmp_path / "a.passages", passage_pages(articles())).path))


@pytest.mark.parametrize(
    ("title", "page"),
    [
        ("Flood", 1),
        ("flood#Causes", 1),
        ("AIDS", 2),
        ("Aids", 3),
        ("snowfall", 0),
        ("Circle A", None),
        ("Nowhere", None),
        ("Unknown", None),
        ("", None),
    ],
)
def test_a_title_leads_to_its_article_through_redirects_but_not_in_circles(
    lookup: ArticleLookup, title: str, page: int | None
) -> None:
    article = lookup.find(title)
    assert (article.page if article is not None else None) == page


def test_namesakes_and_lists_of_names_are_marked(lookup: ArticleLookup) -> None:
    rain, mercury = lookup.find("Rain"), lookup.find("Mercury")
    assert rain is not None
    assert mercury is not None
    assert (rain.namesakes, rain.disambiguates) == (1, False)
    assert mercury.disambiguates


def test_links_lie_in_the_text_of_their_article(lookup: ArticleLookup) -> None:
    text = lookup.text(1)
    assert [(text[link.offset : link.end], link.target) for link in lookup.links(1)] == [("rain", "Rain"), ("Snow melts", "snow")]
    assert lookup.links(0) == []


def test_an_index_without_titles_in_order_and_links_still_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = index_builder.write_mapped_file
    new = {"by_title", "from_e", "from", "to_e", "to", "link_e", "links", "linked_e", "linked"}

    def write_older(path: Path, fit: bytes, sections: dict[str, object]) -> None:
        whole(path, fit, {name: pieces for name, pieces in sections.items() if name not in new})  # type: ignore[misc]

    monkeypatch.setattr(index_builder, "write_mapped_file", write_older)
    older = ArticleLookup(PassageIndex(build_passage_index(tmp_path / "old.passages", passage_pages(articles())).path))
    article = older.find("aids")
    assert article is not None
    assert article.title == "Aids"
    assert older.find("Snowfall") is None
    assert not older.index.has_links
    assert older.links(1) == []


def test_the_index_counts_links_and_redirects(tmp_path: Path) -> None:
    made = build_passage_index(tmp_path / "b.passages", passage_pages(articles()))
    assert (made.pages, made.links, made.redirects) == (6, 2, 4)
