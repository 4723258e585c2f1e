from __future__ import annotations

import bz2
import pickle
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from graph.errors import FormatUnknown, InputUnreadable
from graph.model import Alias, Source
from graph.sources.article import Article, ArticleEntry, ArticleLink, EntryKind, Skipped
from graph.sources.mediawiki import article_of_page, read_dump_pages, read_mediawiki

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <base>{base}</base>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="6" case="first-letter">Datei</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
"""
TAIL = "</mediawiki>\n"


def revision(text: str, number: int = 900, model: str = "wikitext") -> str:
    return f"""    <revision>
      <id>{number}</id>
      <contributor><username>A</username><id>7</id></contributor>
      <comment>edit</comment>
      <model>{model}</model>
      <text xml:space="preserve">{escape(text)}</text>
    </revision>
"""


def page(title: str, revisions: str, number: int = 12, namespace: int = 0, redirect: str = "") -> str:
    target = f'<redirect title="{redirect}" />' if redirect else ""
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{namespace}</ns>
    <id>{number}</id>
    {target}
{revisions}  </page>
"""


def dump(*pages: str, base: str = "https://en.wikipedia.org/wiki/Main_Page", tail: str = TAIL) -> str:
    return HEAD.format(base=base) + "".join(pages) + tail


FLOOD = page("Flood", revision("[[Rain]] causes a '''flood'''.\n== Effects ==\n* Damage"))


def read(path: Path, content: str, skipped: list[Skipped] | None = None) -> list[Article | Alias]:
    path.write_text(content, encoding="utf-8")
    return list(read_mediawiki(path, (skipped if skipped is not None else []).append))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "dump.xml"


def test_a_page_is_an_article_in_plain_text(path: Path) -> None:
    source = Source("wikipedia", "Flood", "12", "900", "https://en.wikipedia.org/?curid=12")
    (article,) = read(path, dump(FLOOD))
    damage = ArticleEntry(EntryKind.LIST, ("Effects",), "Damage", start=21)
    link = ArticleLink("Rain", 0, "Rain")
    assert article == Article(source, "Rain causes a flood.\nDamage", ((21, "Effects"),), (damage,), (link,))
    assert article.section(22) == "Effects"


def test_a_redirect_is_an_alias_of_concept_names(path: Path) -> None:
    redirect = page("Floods (water)", revision("#REDIRECT [[Flood]]"), redirect="The Floodings#History")
    assert read(path, dump(redirect)) == [Alias("floods water", "flooding")]


def test_a_redirect_between_spellings_of_one_name_is_nothing(path: Path) -> None:
    assert read(path, dump(page("Floods", revision("#REDIRECT [[Flood]]"), redirect="Flood"))) == []


def test_only_the_main_namespace_is_read(path: Path) -> None:
    assert read(path, dump(page("Talk:Flood", revision("Text."), namespace=1), FLOOD)) == read(path, dump(FLOOD))


def test_the_last_revision_counts(path: Path) -> None:
    (article,) = read(path, dump(page("Flood", revision("Old.", 1) + revision("New.", 2))))
    assert isinstance(article, Article)
    assert (article.text, article.source.revision) == ("New.", "2")


def test_another_wiki_gives_its_address_and_its_names_of_namespaces(path: Path) -> None:
    wikitext = "Regen[[Datei:A.jpg|mini|Bild]] fällt.[[Kategorie:Wetter]]"
    (article,) = read(path, dump(page("Regen", revision(wikitext)), base="http://de.wikipedia.org/wiki/Hauptseite"))
    assert isinstance(article, Article)
    assert (article.text, article.source.url) == ("Regen fällt.", "http://de.wikipedia.org/?curid=12")


@pytest.mark.parametrize("base", ["http://[::1/wiki", "javascript://evil/%0aalert(1)", "file://host/x", ""])
def test_a_base_that_is_no_web_address_is_not_that_of_a_source(path: Path, base: str) -> None:
    (article,) = read(path, dump(FLOOD, base=base))

    assert isinstance(article, Article)
    assert article.source.url.startswith("https://en.wikipedia.org/")


def test_pages_that_cannot_be_made_plain_are_named_and_skipped(path: Path) -> None:
    skipped: list[Skipped] = []
    data = page("Q42", revision("{}", model="wikibase-item"))
    empty = page("Gone", revision(""))
    tangled = page("Tangle", revision("{{a|" * 20_000))
    long = page("Long", revision("a" * 5_000_000))
    assert len(read(path, dump(data, empty, tangled, long, FLOOD), skipped)) == 1
    assert skipped == [
        Skipped("page 'Q42'", "its content is wikibase-item"),
        Skipped("page 'Gone'", "no text"),
        Skipped("page 'Tangle'", "too tangled: 39,900 brackets and tags never close or lie too deep"),
        Skipped("page 'Long'", "longer than 4,194,304 characters"),
    ]


def test_a_dump_that_is_cut_short_gives_the_pages_before_the_cut(path: Path) -> None:
    content = dump(*[FLOOD] * 5)
    path.write_text(content[: content.rindex("<revision>")])
    articles = []
    with pytest.raises(InputUnreadable, match=r"its XML is cut short or broken at line \d+.*; 4 pages before that were read"):
        articles.extend(read_mediawiki(path, pytest.fail))
    assert len(articles) == 4


def test_a_truncated_archive_gives_the_pages_before_the_cut(path: Path) -> None:
    content = dump(*[FLOOD] * 5).encode()
    half = content.rindex(b"<page>")
    path.write_bytes(bz2.compress(content[:half]) + bz2.compress(content[half:])[:99])
    articles = []
    with pytest.raises(InputUnreadable, match="bzip2 data is cut short"):
        articles.extend(read_mediawiki(path, pytest.fail))
    assert len(articles) == 4


def test_broken_xml_gives_the_pages_before_it(path: Path) -> None:
    path.write_text(dump(FLOOD, "<page><title>A & B</title>", FLOOD))
    articles = []
    with pytest.raises(InputUnreadable, match="not well-formed"):
        articles.extend(read_mediawiki(path, pytest.fail))
    assert len(articles) == 1


@pytest.mark.parametrize("content", ["Smoking causes cancer.", "<html><body>Text</body></html>", "<?xml version='1.0'?>\n"])
def test_what_is_no_dump_is_another_format(path: Path, content: str) -> None:
    with pytest.raises(FormatUnknown, match="is not a MediaWiki XML dump"):
        read(path, content)


def test_a_dump_that_defines_entities_is_refused(path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(10))
    bomb = f"<!DOCTYPE mediawiki [{entities}]>\n" + dump(page("&e9;", revision("Text."))).replace("&amp;e9;", "&e9;")
    tracemalloc.start()
    with pytest.raises(InputUnreadable, match="document type"):
        read(path, bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 << 20


def test_an_entity_file_is_not_opened(path: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    external = f'<!DOCTYPE mediawiki [<!ENTITY x SYSTEM "{tmp_path}/secret">]>\n'
    with pytest.raises(InputUnreadable, match="document type"):
        read(path, external + dump(FLOOD))


@pytest.mark.parametrize("content", ["<a>" * 1000, "<a " + "b" * (20 << 20)], ids=["deep", "long"])
def test_tags_without_measure_are_refused(path: Path, content: str) -> None:
    with pytest.raises(InputUnreadable, match=r"nested more than 50|a tag of more than 16 MiB"):
        read(path, dump(content))


def repeated(path: Path, times: int) -> None:
    text = revision("[[Rain]] causes a '''flood'''.\n\n" + "Rivers rise, and fields are under water. " * 500)
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD.format(base=""))
        for number in range(times):
            file.write(page(f"Flood {number}", text, number))
        file.write(TAIL)


def consumed(pages: Iterator[object]) -> int:
    return sum(1 for _ in pages)


def test_memory_does_not_grow_with_the_dump(path: Path) -> None:
    peaks = []
    for times in (50, 1000):
        repeated(path, times)
        tracemalloc.start()
        assert consumed(read_dump_pages(path, pytest.fail)) == times
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.2


def test_pages_travel_to_other_processes(path: Path) -> None:
    path.write_text(dump(FLOOD))
    (flood,) = read_dump_pages(path, pytest.fail)
    article = article_of_page(pickle.loads(pickle.dumps(flood)))
    assert article.text == "Rain causes a flood.\nDamage"
    assert pickle.loads(pickle.dumps(article)) == article
