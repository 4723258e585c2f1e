from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from graph.mining.article_lists import entry_statements
from graph.model import Alias, Statement
from graph.sources.article import Article, EntryKind
from graph.sources.article_formats import ArticleFormat, detect_format
from graph.sources.causenet import read_causenet
from graph.sources.conceptnet import read_conceptnet
from graph.sources.mediawiki import read_dump_pages, read_mediawiki
from graph.sources.plaintext import read_wikiextractor

MARKUP = ("{{", "}}", "[[", "]]", "<ref", "</ref", "'''", "{|", "<br", "File:", "Category:")


def concepts(statements: list[Statement]) -> set[str]:
    return {name for statement in statements for name in (statement.claim.cause, statement.claim.effect)}


@pytest.fixture(scope="module")
def dump(shared_data: Path) -> Path:
    return shared_data / "wikipedia" / "enwiki-2016-106-articles.xml.bz2"


@pytest.fixture(scope="module")
def extracted(shared_data: Path) -> Path:
    return shared_data / "wikipedia" / "enwiki-2015-30k.wikiextractor.txt.bz2"


@pytest.fixture(scope="module")
def dumped(dump: Path) -> list[Article | Alias]:
    return list(read_mediawiki(dump, pytest.fail))


def test_the_slice_of_causenet_has_as_much_as_its_file(shared_data: Path) -> None:
    statements = list(read_causenet(shared_data / "causenet" / "causenet-slice.jsonl", pytest.fail))
    assert len({statement.claim for statement in statements}) == 9_330
    assert len(concepts(statements)) == 8_656
    assert sum(statement.evidence.text is not None for statement in statements) == 5_640
    assert len(statements) == 9_330


def test_the_sample_of_causenet_has_as_much_as_its_file(shared_data: Path) -> None:
    statements = list(read_causenet(shared_data / "causenet" / "causenet-sample.json", pytest.fail))
    assert len({statement.claim for statement in statements}) == len(statements) == 264


def test_conceptnet_has_as_many_pairs_as_its_file(shared_data: Path) -> None:
    statements = list(read_conceptnet(shared_data / "pairs" / "conceptnet5_causes.csv", pytest.fail))
    assert len(statements) == 16_567


def test_the_dump_has_its_articles_and_redirects(dump: Path, dumped: list[Article | Alias]) -> None:
    pages = list(read_dump_pages(dump, pytest.fail))
    assert sum(not page.redirect for page in pages) == 106
    assert sum(bool(page.redirect) for page in pages) == 99  # the hundredth lies outside of the main namespace
    assert sum(isinstance(each, Article) for each in dumped) == 106
    assert sum(isinstance(each, Alias) for each in dumped) == 83  # 16 redirects differ from their target in spelling alone


def test_no_markup_is_left_in_the_articles_of_the_dump(dumped: list[Article | Alias]) -> None:
    for article in dumped:
        if isinstance(article, Article):
            left = [mark for mark in MARKUP if mark in article.text]
            assert (article.source.title, left) == (article.source.title, [])


def test_the_articles_of_the_dump_keep_their_sentences_and_sections(dumped: list[Article | Alias]) -> None:
    (autism,) = (each for each in dumped if isinstance(each, Article) and each.source.title == "Autism")
    sentence = "In rare cases, autism is strongly associated with agents that cause birth defects."
    assert sentence in autism.text
    assert autism.section(autism.text.index(sentence)) == ""
    assert autism.section(autism.text.index("It has long been presumed that there is a common cause")) == "Causes"


def test_the_list_items_of_the_dump_are_lines_of_their_articles(dumped: list[Article | Alias]) -> None:
    articles = [each for each in dumped if isinstance(each, Article)]
    items = [(article, entry) for article in articles for entry in article.entries if entry.kind is EntryKind.LIST]
    assert len(items) > 4_000
    for article, entry in items:
        assert article.text[entry.start : entry.end] == entry.text
        assert not entry.place or entry.place[-1] == article.section(entry.start or 0)
    assert sum(entry.kind is EntryKind.INFOBOX for article in articles for entry in article.entries) > 1_000


def test_the_lists_of_the_dump_give_no_false_claims(dumped: list[Article | Alias]) -> None:
    """None of these articles has a list of short items under "Causes" and the like, or an infobox that names causes."""
    articles = [each for each in dumped if isinstance(each, Article)]
    assert [found for article in articles for found in entry_statements(article)] == []


def test_the_first_extracted_articles_are_read(extracted: Path) -> None:
    articles = list(islice(read_wikiextractor(extracted, pytest.fail), 500))
    assert len({article.source.page_id for article in articles}) == 500
    assert (articles[0].source.page_id, articles[0].source.title) == ("12", "Anarchism")
    assert articles[0].source.url == "http://en.wikipedia.org/wiki?curid=12"
    for article in articles:
        assert article.text.startswith(f"{article.source.title}\n\n")
        assert "</doc>" not in article.text


def test_the_formats_of_the_files_are_found(dump: Path, extracted: Path, shared_data: Path) -> None:
    assert detect_format(dump) is ArticleFormat.XML
    assert detect_format(extracted) is ArticleFormat.WIKIEXTRACTOR
    assert detect_format(shared_data / "README.md") is ArticleFormat.TEXT
