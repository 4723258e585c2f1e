"""BM25 over the index, against its formula written out over the words of each passage."""

from __future__ import annotations

import tempfile
from math import isclose, log
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.text.stems import porter_stems
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import PASSAGE_WORDS, PassagePage, split_passages
from kgqa.retrieval.retrievers import K1, B, BM25Retriever
from kgqa.retrieval.search_terms import query_terms, search_words

WORD = st.sampled_from(["river", "rivers", "rain", "rained", "coal", "price", "Élan", "elan", "1,500", "1500", "the", "storm"])
TEXTS = st.lists(st.lists(WORD, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=12)


def by_formula(texts: list[str], query: str) -> list[float]:
    listed = [[porter_stems({word})[word] for word in search_words(text)] for text in texts]
    mean = sum(map(len, listed)) / len(listed)
    scores = [0.0] * len(texts)
    for term in query_terms(query):
        holding = sum(term in words for words in listed)
        weight = log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for at, words in enumerate(listed):
            times = words.count(term)
            scores[at] += weight * times * (K1 + 1) / (times + K1 * (1 - B + B * len(words) / mean))
    return scores


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.lists(WORD, min_size=1, max_size=6).map(" ".join))
def test_every_passage_has_the_score_of_the_formula(texts: list[str], query: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "drawn.passages"
        build_passage_index(path, (PassagePage("", str(at), "", (text,)) for at, text in enumerate(texts)))
        ranked = dict(BM25Retriever(PassageIndex(path)).ranked(query, len(texts)))
    for at, score in enumerate(by_formula(texts, query)):
        assert isclose(ranked.get(at, 0.0), score, rel_tol=1e-4, abs_tol=1e-6)


@given(st.lists(st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=8), max_size=350))
def test_passages_share_no_word_and_leave_none_out(words: list[str]) -> None:
    passages = list(split_passages("\n ".join(words)))
    assert [word for passage in passages for word in passage.split()] == [piece for word in words for piece in word.split()]
    assert all(len(passage.split()) == PASSAGE_WORDS for passage in passages[:-1])
