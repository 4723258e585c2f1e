from __future__ import annotations

import bz2
import json
import tracemalloc
from pathlib import Path

import pytest

from graph.errors import FormatUnknown, InputUnreadable
from graph.model import Source
from graph.sources import input_stream as streams
from graph.sources.article import Article, Skipped
from graph.sources.plaintext import read_wikiextractor


def doc(number: int, title: str, text: str) -> str:
    return f'<doc id="{number}" url="http://en.wikipedia.org/wiki?curid={number}" title="{title}">\n{text}\n</doc>\n'


ANARCHISM = doc(12, "Anarchism", "Anarchism\n\nA political philosophy.\n")
AUTISM = doc(25, "Autism", "Autism\n\nA disorder.")


def read(path: Path, content: str | bytes, skipped: list[Skipped] | None = None) -> list[Article]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_wikiextractor(path, (skipped if skipped is not None else []).append))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wiki_00"


def test_an_article_is_exactly_what_stands_between_its_tags(path: Path) -> None:
    first, second = read(path, ANARCHISM + AUTISM)
    source = Source("wikipedia", "Anarchism", "12", url="http://en.wikipedia.org/wiki?curid=12")
    assert first == Article(source, "Anarchism\n\nA political philosophy.\n")
    assert second.text == "Autism\n\nA disorder."


@pytest.mark.parametrize(
    ("attribute", "title"),
    [
        ("Batman &amp; Robin (film)", "Batman & Robin (film)"),
        ("&quot;Hello, World!&quot; program", '"Hello, World!" program'),
        ('"Hello, World!" program', '"Hello, World!" program'),
        ("1 > 2", "1 > 2"),
        ("שלום 🌧", "שלום 🌧"),
        ("", ""),
    ],
)
def test_a_title_is_read_escaped_or_not(path: Path, attribute: str, title: str) -> None:
    (article,) = read(path, f'<doc id="1" revid="77" url="u" title="{attribute}">\ntext\n</doc>\n')
    assert article.source == Source("wikipedia", title, "1", "77", "u")


@pytest.mark.parametrize(
    "text", ["", "\n", "one", "a </doc> within", "<doc id=1> within", "\u2028", "</docs>\nmore", "  </doc>", "مرحبا\n🌧"]
)
def test_any_text_comes_back_as_it_is(path: Path, text: str) -> None:
    (article, last) = read(path, f'<doc id="1" url="u" title="t">\n{text}\n</doc>\n{AUTISM}')
    assert article.text == text
    assert last.source.title == "Autism"


def test_an_empty_article_is_an_article(path: Path) -> None:
    (article,) = read(path, '<doc id="1" url="u" title="t">\n</doc>')
    assert article.text == ""


def test_windows_line_ends_are_understood(path: Path) -> None:
    first, _ = read(path, (ANARCHISM + AUTISM).replace("\n", "\r\n"))
    assert first.source.title == "Anarchism"
    assert first.text.split() == ["Anarchism", "A", "political", "philosophy."]


def test_an_article_that_the_end_of_the_file_cuts_is_skipped(path: Path) -> None:
    skipped: list[Skipped] = []
    assert len(read(path, ANARCHISM + AUTISM[:-8], skipped)) == 1
    assert skipped == [Skipped("page 'Autism'", "never closed")]


def test_an_article_that_is_not_closed_before_the_next_is_skipped(path: Path) -> None:
    skipped: list[Skipped] = []
    (article,) = read(path, ANARCHISM[:-8] + AUTISM, skipped)
    assert article.source.title == "Autism"
    assert skipped == [Skipped("page 'Anarchism'", "never closed")]


def test_text_outside_of_articles_is_told(path: Path) -> None:
    skipped: list[Skipped] = []
    assert len(read(path, ANARCHISM + "\nstray\n" + AUTISM, skipped)) == 2
    assert skipped == [Skipped("line 8", "text outside of any article")]


def test_an_article_in_another_encoding_is_skipped(path: Path) -> None:
    skipped: list[Skipped] = []
    bad = AUTISM.replace("A disorder", "caf\xe9").encode("latin-1")
    assert len(read(path, ANARCHISM.encode() * 3 + bad + ANARCHISM.encode(), skipped)) == 4
    assert skipped == [Skipped("page 'Autism'", "not UTF-8: byte 0xe9 at position 11")]


def test_a_truncated_archive_gives_the_articles_before_the_cut(path: Path) -> None:
    packed = bz2.compress((ANARCHISM * 3).encode()) + bz2.compress(ANARCHISM.encode() * 9)[:-20]
    path.write_bytes(packed)
    articles = []
    with pytest.raises(InputUnreadable, match="cut short"):
        articles.extend(read_wikiextractor(path, pytest.fail))
    assert len(articles) == 3


def test_an_article_that_never_ends_is_skipped_in_little_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.sources.plaintext.LONGEST", streams.LONGEST >> 4)
    skipped: list[Skipped] = []
    endless = AUTISM[:-8] + "on and on\n" * 2_000_000
    path.write_text(ANARCHISM + endless + "</doc>\n" + ANARCHISM)
    tracemalloc.start()
    articles = list(read_wikiextractor(path, skipped.append))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [article.source.title for article in articles] == ["Anarchism", "Anarchism"]
    assert [skip.where for skip in skipped] == ["page 'Autism'"]
    assert peak < 10 << 20


def test_json_lines_of_wikiextractor_are_articles_too(path: Path) -> None:
    record = {"id": "12", "revid": "42", "url": "https://en.wikipedia.org/wiki?curid=12", "title": "Anarchism", "text": "Text.\n"}
    assert read(path, json.dumps(record) + "\n") == [
        Article(Source("wikipedia", "Anarchism", "12", "42", "https://en.wikipedia.org/wiki?curid=12"), "Text.\n")
    ]


def test_a_file_without_articles_is_another_format(path: Path) -> None:
    with pytest.raises(FormatUnknown, match="is not WikiExtractor's output: line 1: text outside of any article"):
        read(path, "Smoking causes cancer.\n")


def test_lines_that_stand_as_headings_are_sections(path: Path) -> None:
    body = (
        "Rain is water.\nEffects on crops.\nToo much rain harms roots. It also harms seeds.\nHe died.\n1900–1950.\nFloods came."
    )
    (rain,) = read(path, doc(1, "Rain", f"Rain\n\n{body}\n"))
    assert [title for _, title in rain.headings] == ["Effects on crops", "1900–1950"]
    assert all(rain.text[offset:].startswith(f"{title}.\n") for offset, title in rain.headings)
    assert rain.section(rain.text.index("Too much")) == "Effects on crops"
    assert rain.section(rain.text.index("Rain is")) == ""
