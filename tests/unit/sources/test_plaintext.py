from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from graph.errors import FormatUnknown, InputUnreadable
from graph.model import Source
from graph.sources.article import Article, Skipped
from graph.sources.plaintext import InputSentence, read_json_articles, read_sentences, read_text


def sentences(path: Path, content: str, skipped: list[Skipped] | None = None) -> list[InputSentence]:
    path.write_text(content, encoding="utf-8")
    return list(read_sentences(path, (skipped if skipped is not None else []).append))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.txt"


def test_a_text_is_one_article_named_after_its_file(path: Path) -> None:
    path.write_bytes("Rain causes floods. 🌧\r\n\r\nالمطر\r\n".encode())
    assert list(read_text(path, pytest.fail)) == [Article(Source("text", "notes.txt"), "Rain causes floods. 🌧\n\nالمطر")]


def test_a_packed_text_is_the_same_article(path: Path, tmp_path: Path) -> None:
    path.write_text("Rain causes floods.\n")
    packed = tmp_path / "notes.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(read_text(packed, pytest.fail)) == list(read_text(path, pytest.fail))


def test_lines_that_are_not_text_are_left_out_of_the_article(path: Path) -> None:
    path.write_bytes(b"Rain causes floods.\ncaf\xe9\nFloods cause damage.\n")
    skipped: list[Skipped] = []
    (article,) = read_text(path, skipped.append)
    assert article.text == "Rain causes floods.\nFloods cause damage."
    assert [skip.where for skip in skipped] == ["line 2"]


def test_a_text_too_long_for_one_article_is_cut_at_empty_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.sources.plaintext.LONGEST", 100)
    path.write_text("".join(f"Paragraph {n}, line one,\nand line two.\n\n" for n in range(20)))
    articles = list(read_text(path, pytest.fail))
    assert [article.source.title for article in articles[:2]] == ["notes.txt, part 1", "notes.txt, part 2"]
    assert all(article.text.strip().endswith("line two.") for article in articles)
    assert "\n".join(article.text for article in articles) == path.read_text().removesuffix("\n")


def test_a_truncated_archive_gives_the_lines_before_the_cut(path: Path) -> None:
    path.write_bytes(gzip.compress(b"Rain causes floods.\n") + gzip.compress(b"Floods cause damage.\n" * 9)[:20])
    articles = []
    with pytest.raises(InputUnreadable, match="cut short"):
        articles.extend(read_text(path, pytest.fail))
    assert [article.text.split("\n")[0] for article in articles] == ["Rain causes floods."]


def test_plain_lines_are_sentences_known_by_their_numbers(path: Path) -> None:
    assert sentences(path, "Rain causes floods.\n\n  Floods cause damage. \n") == [
        InputSentence(1, "Rain causes floods."),
        InputSentence(3, "Floods cause damage."),
    ]


def test_json_lines_are_sentences_with_their_own_identifiers(path: Path) -> None:
    lines = [{"id": "a", "text": " as it is "}, {"id": 7, "text": "b"}, {"text": "c"}, {"id": "d", "text": ""}]
    assert sentences(path, "\n".join(map(json.dumps, lines))) == [
        InputSentence("a", " as it is "),
        InputSentence(7, "b"),
        InputSentence(3, "c"),
        InputSentence("d", ""),
    ]


def test_plain_lines_may_look_like_json(path: Path) -> None:
    assert sentences(path, '{sic} rain causes floods\n{"id": 1, "text": "x"}\n') == [
        InputSentence(1, "{sic} rain causes floods"),
        InputSentence(2, '{"id": 1, "text": "x"}'),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("plain", "broken JSON: Expecting value at column 1"),
        ('{"id": 1}', 'no "text"'),
        ('{"id": [1], "text": "a"}', '"id" is neither text nor a whole number'),
        ('{"id": 1.5, "text": "a"}', '"id" is neither text nor a whole number'),
    ],
)
def test_a_broken_line_among_json_lines_is_skipped(path: Path, line: str, why: str) -> None:
    skipped: list[Skipped] = []
    assert len(sentences(path, f'{{"text": "a"}}\n{line}\n{{"text": "b"}}\n', skipped)) == 2
    assert skipped == [Skipped("line 2", why)]


def test_a_broken_json_line_is_no_sentence_where_it_comes_first(path: Path) -> None:
    skipped: list[Skipped] = []
    assert sentences(path, '{"id": 1, "text": "Smoking cau\n{"text": "b"}\n', skipped) == [InputSentence(2, "b")]
    assert [entry.where for entry in skipped] == ["line 1"]


def test_a_file_of_empty_lines_has_no_sentences(path: Path) -> None:
    assert sentences(path, "\n \n") == []


def test_json_articles_are_read_with_their_sources(path: Path) -> None:
    records: list[dict[str, object]] = [
        {"id": 12, "title": "Flood", "text": "Rain causes floods.", "url": "https://en.wikipedia.org/wiki/Flood"},
        {"page_id": "x7", "title": "Note", "text": "A causes B."},
        {"text": "Nothing is known of this."},
    ]
    path.write_text("\n".join(map(json.dumps, records)))
    assert list(read_json_articles(path, pytest.fail)) == [
        Article(Source("wikipedia", "Flood", "12", url="https://en.wikipedia.org/wiki/Flood"), "Rain causes floods."),
        Article(Source("text", "Note", "x7"), "A causes B."),
        Article(Source("text", "line 3"), "Nothing is known of this."),
    ]


def test_a_json_article_without_text_is_skipped(path: Path) -> None:
    path.write_text('{"id": 1, "title": "a"}\n{"id": 2, "title": {}, "text": "b"}\n{"id": 3, "text": "c"}\n')
    skipped: list[Skipped] = []
    assert [article.source.page_id for article in read_json_articles(path, skipped.append)] == ["3"]
    assert skipped == [Skipped("line 1", 'no "text"'), Skipped("line 2", "'title' is not text")]


def test_json_lines_without_any_text_are_another_format(path: Path) -> None:
    path.write_text('{"id": 1}\n')
    with pytest.raises(FormatUnknown, match='is not JSON lines with a "text"'):
        list(read_json_articles(path, lambda _: None))
