"""HTML and wikitext as articles: what a reader sees, and where its links lead."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from graph.errors import InputUnreadable
from graph.sources.article import Article
from graph.sources.hypertext import html_article, linked_title, read_wikitext, wikitext_article

PAGE = """<!DOCTYPE html><html><head><title>Rain - Wikipedia</title><style>p {}</style></head><body>
<p>Rain in <a href="/wiki/New_York_City" title="New York City">New   York</a> caused
<b><a href="Battle%20of%20X">the battle</a></b>s.<sup class="reference"><a href="#note">[1]</a></sup></p>
<table><tr><td><a href="/wiki/Table">none</a></td></tr></table>
<p>A second <a href="./Flood#Causes">flood</a>, <a href="https://example.org/">elsewhere</a>,
<a rel="nofollow" href="/wiki/Ad">ad</a>.</p>
</body></html>"""


def anchors(article: Article) -> list[tuple[str, str]]:
    return [(article.text[link.offset : link.end], link.target) for link in article.links]


def test_a_page_is_its_paragraphs_with_its_links_at_their_places() -> None:
    article = html_article(PAGE)
    assert article.source.title == "Rain"
    assert article.text == "Rain in New York caused the battles.\nA second flood, elsewhere, ad."
    assert anchors(article) == [("New York", "New York City"), ("the battle", "Battle of X"), ("flood", "Flood")]
    assert [link.anchor for link in article.links] == [anchor for anchor, _ in anchors(article)]


def test_a_page_may_forbid_following_its_links() -> None:
    assert (
        html_article('<html><meta name="robots" content="noindex, nofollow"><p>a <a href="/wiki/B">b</a></p>').may_follow is False
    )
    assert html_article(PAGE).may_follow


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("/wiki/Abraham_Lincoln", "Abraham Lincoln"),
        ("https://en.wikipedia.org/wiki/Caf%C3%A9#Menu", "Café"),
        ("Battle of X", "Battle of X"),
        ("mailto:a@b", ""),
        ("javascript:void(0)", ""),
        ("#top", ""),
        ("https://example.org/page", ""),
        ("http://[broken", ""),
        ("style.css", ""),
    ],
)
def test_an_address_leads_to_an_article_by_its_title(address: str, title: str) -> None:
    assert linked_title(address) == title


def test_a_page_of_many_links_on_one_line_is_read_in_linear_time() -> None:
    began = time.perf_counter()
    article = html_article("<p>" + "".join(f'word <a href="/wiki/T{number}">t{number}</a> ' for number in range(20_000)))
    assert len(article.links) == 20_000
    assert time.perf_counter() - began < 20


def test_wikitext_keeps_the_links_of_what_it_shows() -> None:
    article = wikitext_article(
        "'''Rain''' fell in [[New York City|New York]], [[bus]]es ran ( [[x y|z]] ).<ref>[[Hidden]]</ref>\n* [[Flood]]"
    )
    assert anchors(article) == [("New York", "New York City"), ("buses", "bus"), ("z", "x y"), ("Flood", "Flood")]


def test_headings_and_files_are_no_links() -> None:
    article = wikitext_article("== [[Cause]] ==\n[[File:a.jpg|thumb|A [[flood]]]] Rain in [[Category:Rain]] [[May]].")
    assert anchors(article) == [("May", "May")]


def test_a_page_of_wikitext_that_is_too_tangled_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("{{" * 100_000)
    with pytest.raises(InputUnreadable, match="too tangled"):
        list(read_wikitext(tmp_path / "page", pytest.fail))
