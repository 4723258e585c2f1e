"""Fit which sentences of retrieved passages are evidence of a claim: kgqa/calibration/models/evidence_ranking.json.

    python scripts/fit/fit_evidence_ranking.py DATA INDEX

DATA is the folder of data, INDEX an index of passages (`kgqa index`). The claims are those of FEVER whose page is in the index,
but for the folds that are measured. Gold are the sentences of the evidence and their neighbours: articles change.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import torch

from graph.text.segmentation import sentence_spans
from kgqa.calibration.linear_model import SINGLE_OUTPUT, FittedModel, fitted_model_path, write_fitted_model
from kgqa.evaluation.datasets.claim_datasets import FEVER_FOLDS, MEASURED_FOLDS, claim_page, evidence_places, group_fold
from kgqa.presuppositions.evidence_selection import EVIDENCE_RANKING, EVIDENCE_SENTENCES, RETRIEVED_PASSAGES, sentence_features
from kgqa.retrieval.corpus import open_passage_index
from kgqa.retrieval.retrievers import BM25Retriever

PENALTY = 2e-3
PARTS = 5
PAGE_BEGINNING = 4


class RankedClaim(NamedTuple):
    """The sentences of a claim: their features in the order of the names, the sentence, and whether it is gold."""

    page: str
    features: torch.Tensor
    texts: Sequence[str]
    gold: torch.Tensor


def ranked_claims(data: Path, index: Path) -> Iterator[tuple[str, Sequence[str], list[dict[str, float]], list[bool]]]:
    """Yield the page of each claim with the texts and features of its sentences, and which of them are gold."""
    passages = open_passage_index(index)
    titles = passages.titles()
    numbers, lowered = {title: number for number, title in enumerate(titles)}, {title.lower(): title for title in titles}
    retriever = BM25Retriever(passages)
    with (data / "presupposition/fever_dev_a.jsonl").open(encoding="utf-8") as lines:
        rows = list(map(json.loads, lines))
    for row in rows:
        page = claim_page(row, lowered)
        if page is None or group_fold(page, FEVER_FOLDS) in MEASURED_FOLDS[FEVER_FOLDS]:
            continue
        gold: set[str] = set()
        for title, place in evidence_places(row):
            if title in numbers:
                beginning = passages.of_page(numbers[title])[:PAGE_BEGINNING]
                texts = list(chain.from_iterable([p.text[a:b] for a, b in sentence_spans(p.text)] for p in beginning))
                gold.update(texts[max(0, place - 1) : place + 2])
        featured = sentence_features(row["claim"], retriever.retrieve(row["claim"], RETRIEVED_PASSAGES))
        if any(sentence.text in gold for sentence, _ in featured):
            texts = [sentence.text for sentence, _ in featured]
            yield page, texts, [features for _, features in featured], [text in gold for text in texts]


def fit(claims: Sequence[RankedClaim]) -> torch.Tensor:
    """Return the weights with which the gold sentences of a claim have the highest share of its softmax."""
    weights = torch.zeros(claims[0].features.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = [(claim.features @ weights, claim.gold) for claim in claims]
        entropies = [torch.logsumexp(row, 0) - torch.logsumexp(row[gold], 0) for row, gold in scores]
        value = torch.stack(entropies).mean() + PENALTY * (weights**2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    return weights.detach()


def is_held(claim: RankedClaim, weights: torch.Tensor, most: int) -> bool:
    """Return whether a gold sentence is among the best."""
    order = (claim.features @ weights).argsort(descending=True).tolist()
    best = list(dict.fromkeys(claim.texts[place] for place in order))[:most]
    return any(text in best for text, is_gold in zip(claim.texts, claim.gold.tolist(), strict=True) if is_gold)


def _table(rows: Sequence[dict[str, float]], names: Sequence[str]) -> torch.Tensor:
    return torch.tensor([[row[name] for name in names] for row in rows], dtype=torch.float64)


def main() -> None:
    """Fit, measure in parts by page, and write."""
    data, index = map(Path, sys.argv[1:])
    raw = list(ranked_claims(data, index))
    names = sorted(raw[0][2][0])
    claims = [RankedClaim(page, _table(rows, names), texts, torch.tensor(gold)) for page, texts, rows, gold in raw]
    held = {1: 0, EVIDENCE_SENTENCES: 0}
    for part in range(PARTS):
        weights = fit([claim for claim in claims if group_fold(claim.page, PARTS) != part])
        for claim in claims:
            if group_fold(claim.page, PARTS) == part:
                for most in held:
                    held[most] += is_held(claim, weights, most)
    shares = {f"gold among the best {most}": round(count / len(claims), 3) for most, count in held.items()}
    metrics = {"claims": len(claims), **shares}
    print(metrics)
    table = {name: round(float(value), 3) for name, value in zip(names, fit(claims), strict=True)}
    fitted_on = "claims of FEVER with a page among 30,729 articles, by page; a quarter is kept from it"
    command = "scripts/fit/fit_evidence_ranking.py DATA INDEX"
    model = FittedModel(EVIDENCE_RANKING, {SINGLE_OUTPUT: table}, {SINGLE_OUTPUT: 0.0}, fitted_on, command, metrics)
    write_fitted_model(fitted_model_path(EVIDENCE_RANKING), model)


if __name__ == "__main__":
    main()
