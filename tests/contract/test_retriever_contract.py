"""What every retriever promises, asked of each of them over the same small corpus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_encoder import PLACES, meaning, write_encoder

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa.encoders.bert_onnx import bert_to_onnx
from kgqa.encoders.text_encoders import SentenceEncoder
from kgqa.retrieval.corpus import EvidenceRetriever
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import PassagePage
from kgqa.retrieval.retrievers import BM25Retriever, ConditionalRetriever, DenseRetriever, RerankingRetriever, Retriever

TEXTS = (
    "The tower leaned because the soil under it was soft",
    "The bridge fell because the river rose after heavy rain",
    "The harbour closed when a storm came up from the sea",
    "The mine closed because the price of coal fell",
    "The school opened in the autumn with forty pupils",
)
GROUPS = {
    "water": ["river", "rain", "storm", "sea", "flood"],
    "ground": ["tower", "soil", "leaned"],
    "trade": ["price", "coal", "mine"],
    "pupils": ["school", "pupils", "autumn"],
}


def encoder(folder: Path) -> SentenceEncoder:
    """An encoder for which the words of a group mean nearly the same."""
    write_encoder(folder, *meaning(GROUPS))
    (folder / "model.onnx").write_bytes(bert_to_onnx(folder / "model.safetensors", folder / "config.json"))
    return SentenceEncoder(folder, most_tokens=PLACES)


def index(folder: Path, dense: SentenceEncoder | None = None) -> PassageIndex:
    """The corpus as an index, a page each."""
    path = folder / "small.passages"
    build_passage_index(
        path,
        (PassagePage(f"Page {at}", str(at), "", (text,)) for at, text in enumerate(TEXTS)),
        dense=dense.rows if dense else None,
    )
    return PassageIndex(path)


def sentences(folder: Path) -> EvidenceRetriever:
    """The corpus as the evidence of a graph."""
    store = open_store("memory:", write=True)
    store.add(
        Statement(Claim(f"cause {at}", f"effect {at}"), Evidence(Source("text", f"Page {at}", str(at)), text=text))
        for at, text in enumerate(TEXTS)
    )
    return EvidenceRetriever(store)


def with_meaning(folder: Path) -> RerankingRetriever:
    known = encoder(folder / "encoder")
    return RerankingRetriever(index(folder, known), known)


RETRIEVERS: dict[str, Callable[[Path], Retriever]] = {
    "lexical": lambda folder: BM25Retriever(index(folder)),
    "dense": lambda folder: DenseRetriever(index(folder, known := encoder(folder / "encoder")), known),
    "reranked": lambda folder: RerankingRetriever(index(folder)),
    "reranked by meaning": with_meaning,
    "reranked by meaning without vectors": lambda folder: RerankingRetriever(index(folder), encoder(folder / "encoder")),
    "three queries": lambda folder: ConditionalRetriever(BM25Retriever(index(folder))),
    "sentences": sentences,
}


@pytest.fixture(params=sorted(RETRIEVERS))
def retriever(request: pytest.FixtureRequest, tmp_path: Path) -> Retriever:
    return RETRIEVERS[request.param](tmp_path)


def test_the_passage_that_fits_best_comes_first(retriever: Retriever) -> None:
    found = retriever.retrieve("If the price of coal had not fallen, would the mine have closed?")
    assert found[0].text == TEXTS[3]
    assert found[0].title == "Page 3"


def test_scores_never_rise_down_the_list(retriever: Retriever) -> None:
    scores = [passage.score for passage in retriever.retrieve("the river and the rain and the soil", 5)]
    assert scores == sorted(scores, reverse=True)


def test_no_more_passages_come_than_are_asked_for(retriever: Retriever) -> None:
    assert len(retriever.retrieve("river rain storm soil coal school", 2)) == 2


def test_no_passage_comes_twice(retriever: Retriever) -> None:
    texts = [passage.text for passage in retriever.retrieve("If rain fell, would the river have risen?", 5)]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("query", ["", "   ", "?!", "\0"])
def test_a_query_without_words_finds_nothing(retriever: Retriever, query: str) -> None:
    assert list(retriever.retrieve(query)) == []


def test_the_same_query_finds_the_same(retriever: Retriever) -> None:
    assert retriever.retrieve("rain and storm") == retriever.retrieve("rain and storm")


@pytest.mark.parametrize("query", ["river " * 5000, 'river" OR * NEAR(', "river \ud800", "Fluß 河 river"])
def test_strange_queries_are_only_words(retriever: Retriever, query: str) -> None:
    assert any("river" in passage.text for passage in retriever.retrieve(query, 5))


def test_a_word_of_like_meaning_is_enough_for_vectors(tmp_path: Path) -> None:
    assert RETRIEVERS["dense"](tmp_path).retrieve("flood", 1)[0].text in TEXTS[1:3]
    assert list(RETRIEVERS["lexical"](tmp_path).retrieve("flood", 1)) == []
