"""Passages, and the file in which they are indexed: whole or not at all, and believed only as it was written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.errors import InputIsDirectory, InputMissing, OutputUnwritable
from graph.model import Source
from graph.sources.article import Article
from kgqa.encoders.text_encoders import SentenceEncoder
from kgqa.errors import CorpusDamaged, CorpusInvalid, CorpusTooLarge, SentenceEncoderInvalid
from kgqa.retrieval import corpus as corpus_module
from kgqa.retrieval.corpus import open_corpus, open_passage_index
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import PassagePage, passage_pages
from kgqa.retrieval.retrievers import BM25Retriever, DenseRetriever, query_variants
from kgqa.retrieval.search_terms import adjacency_scores, query_terms

LONG = " ".join(f"word{at}" for at in range(250))


def some_pages() -> Iterator[PassagePage]:
    yield PassagePage("Rivers", "7", "https://example.org/7", ("The river rose.", "The bridge fell into the river."))
    yield PassagePage("Coal", "8", "", ("The mine closed.",))


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return build_passage_index(tmp_path / "a.passages", some_pages()).path


def test_an_article_is_cut_into_passages_of_a_hundred_words() -> None:
    (page,) = passage_pages([Article(Source("text", "Long", "3"), f"Long\n\n{LONG}")])
    assert [len(passage.split()) for passage in page.passages] == [100, 100, 50]
    assert page.passages[0].startswith("word0 ")


def test_an_article_without_words_has_no_passage() -> None:
    assert list(passage_pages([Article(Source("text", "Empty"), " \n ")])) == []


def test_a_passage_tells_where_it_comes_from(made: Path) -> None:
    found = PassageIndex(made).passage(1)
    assert (found.text, found.title, found.id, found.url) == (
        "The bridge fell into the river.",
        "Rivers",
        "7#2",
        "https://example.org/7",
    )
    assert PassageIndex(made).passage(2).title == "Coal"


def test_the_same_passages_give_the_same_bytes(made: Path, tmp_path: Path) -> None:
    again = build_passage_index(tmp_path / "b.passages", some_pages()).path
    assert again.read_bytes() == made.read_bytes()


def test_a_build_that_is_cut_off_leaves_the_older_index(made: Path) -> None:
    before = made.read_bytes()

    def cut_off() -> Iterator[PassagePage]:
        yield from some_pages()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_passage_index(made, cut_off())
    assert made.read_bytes() == before
    assert list(made.parent.iterdir()) == [made]


def test_inputs_without_words_make_no_index(tmp_path: Path) -> None:
    with pytest.raises(CorpusInvalid, match="have no words"):
        build_passage_index(tmp_path / "none.passages", [])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputUnwritable):
        build_passage_index(tmp_path / "no" / "a.passages", some_pages())


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_an_index_that_is_cut_short_is_told(made: Path, share: float) -> None:
    content = made.read_bytes()
    made.write_bytes(content[: max(20, int(len(content) * share))])
    with pytest.raises(CorpusDamaged):
        open_passage_index(made)


def test_a_changed_byte_is_told_or_of_no_account(made: Path) -> None:
    content = made.read_bytes()
    answer = BM25Retriever(PassageIndex(made)).retrieve("river bridge")
    told = 0
    for place in range(0, len(content), 997):
        made.write_bytes(content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :])
        try:
            assert BM25Retriever(PassageIndex(made)).retrieve("river bridge") == answer
        except (CorpusDamaged, CorpusInvalid):
            told += 1
    assert told > 5


def test_an_index_of_another_version_is_told(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgqa.retrieval.passage_index.PASSAGE_INDEX_FINGERPRINT", bytes(32))
    with pytest.raises(CorpusInvalid, match="another version"):
        open_passage_index(made)


def test_a_text_is_indexed_on_the_spot(tmp_path: Path) -> None:
    text = tmp_path / "story.txt"
    text.write_text(f"{LONG}\n\nThe bridge fell into the river.")
    found = open_corpus(text).retrieve("Why did the bridge fall?", 1)
    assert "The bridge fell" in found[0].text
    assert found[0].title == "story.txt"
    assert list(tmp_path.iterdir()) == [text]


def test_json_lines_keep_their_titles_and_addresses(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    rows = [
        {"id": "a1", "title": "Bridges", "text": "The bridge fell.", "url": "https://example.org/a1"},
        {"id": "a2", "text": "Coal."},
    ]
    lines.write_text("\n".join(map(json.dumps, rows)))
    found = open_corpus(lines).retrieve("bridge")
    assert [(passage.title, passage.id, passage.url) for passage in found] == [("Bridges", "a1#1", "https://example.org/a1")]


def test_a_text_too_large_for_the_spot_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "CORPUS_BYTE_LIMIT", 1000)
    text = tmp_path / "large.txt"
    text.write_text(LONG)
    with pytest.raises(CorpusTooLarge, match="index it once"):
        open_corpus(text)


def test_wrong_paths_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputMissing):
        open_corpus(tmp_path / "nowhere.passages")
    with pytest.raises(InputIsDirectory):
        open_corpus(tmp_path)


def test_an_encoder_that_lacks_a_file_is_told(made: Path, tmp_path: Path) -> None:
    with pytest.raises(SentenceEncoderInvalid, match="no such folder"):
        open_corpus(made, encoder=tmp_path / "none")
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "tokenizer.json").write_text("{}")
    with pytest.raises(SentenceEncoderInvalid, match=r"no model\.onnx"):
        open_corpus(made, encoder=tmp_path / "half")
    (tmp_path / "half" / "model.onnx").write_bytes(b"no model")
    with pytest.raises(SentenceEncoderInvalid):
        open_corpus(made, encoder=tmp_path / "half").retrieve("river")


def test_an_index_without_vectors_is_not_searched_by_them(made: Path, tmp_path: Path) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("")
    with pytest.raises(CorpusInvalid, match="without --dense"):
        DenseRetriever(PassageIndex(made), SentenceEncoder(tmp_path))


def test_terms_are_stems_without_words_of_function() -> None:
    assert list(query_terms("If Beyoncé's 1,500 albums had not been released")) == ["beyonc", "1500", "album", "releas"]
    assert list(query_terms("to be or not to be")) == ["to", "be", "or", "not", "to", "be"]


def test_a_name_that_stands_in_one_piece_is_nearer() -> None:
    near, far = adjacency_scores("Who was Tom Sawyer?", ["We met Tom Sawyer.", "Sawyer met Tom."], lambda term: 1.0)
    assert near > far == 0


def test_an_if_question_has_three_queries() -> None:
    asked = query_variants("If the bridge had not fallen, which town would have grown?")
    assert asked.whole.startswith("If the bridge")
    assert "town" in asked.main
    assert "bridge" not in asked.main
    assert "bridge" in asked.factual
    assert "not" not in asked.factual.split()
    assert query_variants("Why did the bridge fall?") == ("Why did the bridge fall?", "", "")
