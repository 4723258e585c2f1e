"""The bar for causal sentences in news."""

from __future__ import annotations

import sys
from pathlib import Path

from graph.mining.miner import Miner

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from evaluate_news import counts, read_items, table


def test_causal_sentences_of_news_keep_their_precision_and_recall(shared_data: Path) -> None:
    items = read_items(shared_data / "extraction" / "causal_news_v2_train_subtask1.csv", None)
    found = Miner().mine([item.text for item in items])
    cells = table(items, (any(counts(one) for one in claims) for claims in found))
    assert len(items) == 3_075
    assert cells.right / (cells.right + cells.wrong) >= 0.85
    assert cells.right / (cells.right + cells.missed) >= 0.30
