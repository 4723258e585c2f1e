"""Measure retrieval on IfQA: how often the gold passage, and an answer's string, are among the first 1, 5, 20 and 100 passages.

Two corpora: the passages of the released files (train and dev), and those together with the articles of a file, cut into
passages of 100 words. Their indexes are built in `--indexes` unless they are there. The rows are a random order, BM25 for each of
the three queries, their fusion by reciprocal rank, the order of `kgqa ask --corpus`, and with `--encoder` retrieval by meaning
(over the small corpus, whose vectors are kept in its index) and the order with it. `--fit` fits the weights of that order on
train questions, tries them on others of them, and measures nothing.

    python scripts/judge/measure_retrieval.py --data ../shared/data --indexes indexes
    python scripts/judge/measure_retrieval.py --data ../shared/data --indexes indexes --encoder e5-small --corpus small
    python scripts/judge/measure_retrieval.py --data ../shared/data --indexes indexes --fit --limit 1200 --corpus large
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from share_text import share

from graph.sources.article_formats import ArticleFormat, read_articles
from kgqa.encoders.text_encoders import SentenceEncoder
from kgqa.evaluation.metrics.text_scores import normalise_text
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import PassagePage, Redirect, passage_pages
from kgqa.retrieval.retrievers import (
    QUERY_WEIGHTS,
    RECIPROCAL_RANK_OFFSET,
    RERANK_PARTS,
    BM25Retriever,
    DenseRetriever,
    RerankingRetriever,
    query_variants,
)

DEPTHS = (1, 5, 20, 100)
ARTICLES = "wikipedia/enwiki-2015-30k.wikiextractor.txt.bz2"


class Item(NamedTuple):
    """A question, the numbers of its gold passages, and its answers as they are compared."""

    question: str
    gold: frozenset[int]
    answers: tuple[str, ...]


Ranker = Callable[[str], Sequence[int]]


def main() -> None:
    """Print the table, or the weights."""
    options = argparse.ArgumentParser(description="measure retrieval on IfQA")
    options.add_argument("--data", type=Path, required=True, help="the folder with ifqa and wikipedia")
    options.add_argument("--indexes", type=Path, required=True, help="a folder for the files small.passages and large.passages")
    options.add_argument("--corpus", choices=["small", "large"], action="append")
    options.add_argument("--part", choices=["train", "dev"], default="dev")
    options.add_argument("--limit", type=int, help="a random sample of so many questions")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--encoder", type=Path, help="a folder with model.onnx and tokenizer.json")
    options.add_argument("--only", nargs="*", default=[], help="the rows to measure, by the beginnings of their names")
    options.add_argument("--fit", action="store_true")
    given = options.parse_args()
    known = released(given.data)
    for corpus in given.corpus or ["small", "large"]:
        index = opened(given, corpus, known)
        encoder = SentenceEncoder(given.encoder) if given.encoder else None
        if given.fit:
            fit(items(given, "train", known), RerankingRetriever(index, encoder), encoder is not None)
            continue
        asked = items(given, given.part, known)
        print(f"\n{corpus}: {len(index):,} passages, {len(asked)} questions of IfQA {given.part}", flush=True)
        table(index, asked, encoder, given.only)


def released(data: Path) -> dict[str, int]:
    """Return the distinct passages of the released files, with their numbers."""
    rows = [row for part in ("train", "dev") for row in json.loads((data / f"ifqa/full_split/{part}.json").read_text("utf-8"))]
    return {text: at for at, text in enumerate(dict.fromkeys(" ".join(one.split()) for row in rows for one in row["context"]))}


def opened(given: argparse.Namespace, corpus: str, known: dict[str, int]) -> PassageIndex:
    """Return the index of a corpus, built if need be; the released passages come first in either."""
    path: Path = given.indexes / f"{corpus}.passages"
    if not path.exists():
        given.indexes.mkdir(parents=True, exist_ok=True)
        began, worked = time.perf_counter(), time.process_time()
        encoder = SentenceEncoder(given.encoder).rows if given.encoder and corpus == "small" else None
        made = build_passage_index(path, corpus_pages(given.data, corpus, known), dense=encoder)
        spent = f"{time.perf_counter() - began:.0f} s, {time.process_time() - worked:.0f} CPU s"
        print(f"{path}: {made.passages:,} passages, {made.size / 1e6:.0f} MB, {spent}", file=sys.stderr)
    return PassageIndex(path)


def corpus_pages(data: Path, corpus: str, known: dict[str, int]) -> Iterator[PassagePage | Redirect]:
    """Yield the pages of a corpus."""
    yield from (PassagePage("", f"ifqa-{number}", "", (text,)) for text, number in known.items())
    if corpus == "large":
        yield from passage_pages(read_articles(data / ARTICLES, ArticleFormat.WIKIEXTRACTOR, lambda skipped: None))


def items(given: argparse.Namespace, part: str, known: dict[str, int]) -> list[Item]:
    """Return questions with their gold passages."""
    rows = json.loads((given.data / f"ifqa/full_split/{part}.json").read_text("utf-8"))
    if given.limit and given.limit < len(rows):
        rows = random.Random(given.seed).sample(rows, given.limit)
    return [
        Item(
            row["question"],
            frozenset(known[" ".join(text.split())] for text in row["context"]),
            tuple(filter(None, map(normalise_text, row["answers"]))),
        )
        for row in rows
    ]


def table(index: PassageIndex, asked: Sequence[Item], encoder: SentenceEncoder | None, only: Sequence[str]) -> None:
    """Print a row for each way to retrieve."""
    size = len(index)
    by_chance = [f"{sum(1 - miss(size, len(item.gold), k) for item in asked) / len(asked):.4f}" for k in DEPTHS]
    print("random order: " + "; ".join(f"R@{k} {found}" for k, found in zip(DEPTHS, by_chance, strict=True)))
    for name, ranker in rankers(index, encoder).items():
        if only and not any(name.startswith(one) for one in only):
            continue
        worked = time.process_time()
        rankings = [ranker(item.question) for item in asked]
        spent = (time.process_time() - worked) * 1000 / len(asked)
        print(f"{name} ({spent:.0f} ms of CPU a question)")
        print("  gold passage: " + "; ".join(f"R@{k} {gold_share(asked, rankings, k)}" for k in DEPTHS))
        print(f"  an answer's string: {answer_shares(index, asked, rankings)}", flush=True)


def rankers(index: PassageIndex, encoder: SentenceEncoder | None) -> dict[str, Ranker]:
    """Return the ways to retrieve by their names."""
    lexical, reranked, most = BM25Retriever(index), RerankingRetriever(index), DEPTHS[-1]

    def numbers(ranked: Sequence[tuple[int, float]]) -> Sequence[int]:
        return [number for number, _ in ranked]

    def by_words(query: str) -> Sequence[int]:
        return numbers(lexical.ranked(query, most)) if query else ()

    def by_rank(question: str) -> Sequence[int]:
        scores: dict[int, float] = {}
        for weight, query in zip(QUERY_WEIGHTS, query_variants(question), strict=True):
            for rank, number in enumerate(by_words(query), 1):
                scores[number] = scores.get(number, 0.0) + weight / (RECIPROCAL_RANK_OFFSET + rank)
        return sorted(scores, key=lambda number: -scores[number])[:most]

    rows: dict[str, Ranker] = {
        "BM25, whole question": by_words,
        "BM25, main clause": lambda question: by_words(query_variants(question).main),
        "BM25, factual rewrite": lambda question: by_words(query_variants(question).factual),
        "fused: the three by reciprocal rank": by_rank,
        "words and phrases (the default)": lambda question: numbers(reranked.ranked(question, most)),
    }
    if encoder:
        meant = RerankingRetriever(index, encoder)
        if index.has_vectors:
            dense = DenseRetriever(index, encoder)
            rows["dense"] = lambda question: numbers(dense.ranked(question, most))
        rows["meaning (words, phrases and vectors)"] = lambda question: numbers(meant.ranked(question, most))
    return rows


def miss(size: int, gold: int, depth: int) -> float:
    """Return the chance that none of the gold passages is among the first of a random order."""
    chance = 1.0
    for place in range(gold):
        chance *= max(0, size - depth - place) / (size - place)
    return chance


def gold_share(asked: Sequence[Item], rankings: Sequence[Sequence[int]], depth: int) -> str:
    """Return how many questions have a gold passage among the first."""
    return share(
        sum(not item.gold.isdisjoint(ranking[:depth]) for item, ranking in zip(asked, rankings, strict=True)), len(asked)
    )


def answer_shares(index: PassageIndex, asked: Sequence[Item], rankings: Sequence[Sequence[int]]) -> str:
    """Return how many questions have the string of an answer in the first passages, as words."""
    depths = DEPTHS[:3]
    firsts = []
    for item, ranking in zip(asked, rankings, strict=True):
        texts = (f" {normalise_text(index.text(number))} " for number in ranking[: depths[-1]])
        firsts.append(next((at for at, text in enumerate(texts) if any(f" {one} " in text for one in item.answers)), None))
    return "; ".join(f"@{k} {share(sum(at is not None and at < k for at in firsts), len(asked))}" for k in depths)


def fit(asked: Sequence[Item], reranked: RerankingRetriever, with_meaning: bool) -> None:
    """Fit the weights on one half of questions, try them on the other, and the other way round; then print those of all."""
    lists = []
    for item in asked:
        found, _ = reranked.candidates(item.question)
        lists.append((found.parts, np.array([number in item.gold for number in found.numbers], bool)))
    used = slice(0, 4 if with_meaning else 3)
    halves = lists[: len(lists) // 2], lists[len(lists) // 2 :]
    for one, other in (halves, halves[::-1]):
        told = [
            f"R@{k} {hit(other, fitted(one, used), used, k):.3f} (BM25 {hit(other, np.ones(1), slice(0, 1), k):.3f})"
            for k in (1, 5, 20)
        ]
        print("tried on the other half: " + "; ".join(told))
    print(dict(zip(RERANK_PARTS, np.round(fitted(lists, used), 2).tolist(), strict=False)))


Lists = Sequence[tuple["np.ndarray", "np.ndarray"]]


def fitted(lists: Lists, used: slice, steps: int = 300, rate: float = 0.05) -> np.ndarray:
    """Return the weights that make the gold passages likeliest, by Adam on the softmax over each question's passages."""
    held = [(parts[:, used], gold) for parts, gold in lists if gold.any()]
    spread = np.concatenate([parts for parts, _ in held]).std(axis=0) + 1e-9
    size = max(len(gold) for _, gold in held)
    parts = np.zeros((len(held), size, len(spread)))
    real, gold = np.zeros((len(held), size), bool), np.zeros((len(held), size), bool)
    for at, (one, right) in enumerate(held):
        parts[at, : len(right)], real[at, : len(right)], gold[at, : len(right)] = one / spread, True, right
    weights, mean, square = np.zeros(len(spread)), np.zeros(len(spread)), np.zeros(len(spread))
    for step in range(1, steps + 1):
        scores = np.where(real, parts @ weights, -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        wanted = chances * gold
        wanted /= wanted.sum(axis=1, keepdims=True) + 1e-30
        slope = np.einsum("ij,ijk->k", chances - wanted, parts) / len(held) + 1e-3 * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights = weights - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    found: np.ndarray = weights / spread
    return found


def hit(lists: Lists, weights: np.ndarray, used: slice, depth: int) -> float:
    """Return the share of questions with a gold passage among the first by these weights."""
    found = 0
    for parts, gold in lists:
        scores = parts[:, used] @ weights
        found += bool(gold.any() and (scores > scores[gold].max()).sum() < depth)
    return found / len(lists)


if __name__ == "__main__":
    main()
