from __future__ import annotations

import bz2
import io
import sys
from pathlib import Path

import pytest

from graph.errors import InputEmpty
from graph.sources.article_formats import ArticleFormat, detect_format, read_articles
from graph.sources.input_stream import open_input

WIKIEXTRACTOR = '<doc id="12" url="u" title="Flood">\nFlood\n\nRain causes floods.\n</doc>\n'
XML = (
    "<mediawiki><page><title>Flood</title><ns>0</ns><id>12</id><revision><id>1</id><text>Rain causes floods.</text>"
    "</revision></page></mediawiki>"
)
JSONL = '{"id": 12, "title": "Flood", "text": "Rain causes floods."}\n'
TEXT = "Rain causes floods.\n"
HTML = "<!DOCTYPE html>\n<html><body><p>Rain causes <a href='/wiki/Flood'>floods</a>.</p></body></html>\n"
CONTENTS = {
    ArticleFormat.WIKIEXTRACTOR: WIKIEXTRACTOR,
    ArticleFormat.XML: XML,
    ArticleFormat.JSONL: JSONL,
    ArticleFormat.TEXT: TEXT,
    ArticleFormat.HTML: HTML,
}


@pytest.mark.parametrize("form", CONTENTS)
@pytest.mark.parametrize("start", ["", "\n", "\ufeff"])
def test_a_file_shows_its_format(tmp_path: Path, form: ArticleFormat, start: str) -> None:
    path = tmp_path / "file.bz2"
    path.write_bytes(bz2.compress((start + CONTENTS[form]).encode()))
    assert detect_format(path) is form


@pytest.mark.parametrize(
    ("content", "form"),
    [
        ("<?xml version='1.0' encoding='utf-8'?>\n<mediawiki>", ArticleFormat.XML),
        ('[\n  {\n "text": "a"}]', ArticleFormat.JSONL),
        ("{not JSON}", ArticleFormat.TEXT),
        ("<document>", ArticleFormat.TEXT),
        ("[1] Rain causes floods.", ArticleFormat.TEXT),
    ],
)
def test_signs_are_told_apart_from_ordinary_text(tmp_path: Path, content: str, form: ArticleFormat) -> None:
    (tmp_path / "file").write_text(content)
    assert detect_format(tmp_path / "file") is form


@pytest.mark.parametrize("form", ArticleFormat)
def test_every_format_gives_its_articles(tmp_path: Path, form: ArticleFormat) -> None:
    (tmp_path / "file").write_text(CONTENTS.get(form, "Rain causes [[flood]]s."))
    (article,) = read_articles(tmp_path / "file", form, pytest.fail)
    assert "Rain causes floods." in article.text  # type: ignore[union-attr]


@pytest.mark.parametrize("form", CONTENTS)
def test_an_open_stream_is_read_after_its_format_is_found(tmp_path: Path, form: ArticleFormat) -> None:
    (tmp_path / "file").write_text(CONTENTS[form])
    with open_input(tmp_path / "file") as stream:
        assert len(list(read_articles(stream, detect_format(stream), pytest.fail))) == 1


@pytest.mark.parametrize("form", CONTENTS)
def test_standard_input_is_read_after_its_format_is_found(monkeypatch: pytest.MonkeyPatch, form: ArticleFormat) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONTENTS[form].encode())))
    assert len(list(read_articles("-", detect_format("-"), pytest.fail))) == 1


def test_an_empty_file_has_no_format(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputEmpty):
        detect_format(tmp_path / "file")
