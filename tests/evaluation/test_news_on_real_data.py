"""The bar for causal sentences in news."""

from __future__ import annotations

from pathlib import Path

from graph.mining.miner import Miner
from kgqa.evaluation.extraction.causal_news import is_causal, read_files
from kgqa.evaluation.metrics.label_scores import confusion


def test_causal_sentences_of_news_keep_their_precision_and_recall(shared_data: Path) -> None:
    path = shared_data / "extraction" / "causal_news_v2_train_subtask1.csv"
    items = read_files([str(path)], lambda file: lambda skipped: None)
    answers = [is_causal(claims) for claims in Miner().mine([item.text for item in items])]
    scores = confusion([item.causal for item in items], answers, (True, False)).scores(True)
    assert len(items) == 3_075
    assert scores.precision >= 0.85
    assert scores.recall >= 0.30
