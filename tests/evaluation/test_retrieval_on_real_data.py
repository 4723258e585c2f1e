"""The bar for retrieval: the gold passages of IfQA dev among those released with train and dev."""

from __future__ import annotations

import json
from pathlib import Path

from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import PassagePage
from kgqa.retrieval.retrievers import RerankingRetriever


def test_the_gold_passage_is_found_as_often_as_before(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "ifqa" / "full_split"
    parts = [json.loads((folder / f"{part}.json").read_text("utf-8")) for part in ("train", "dev")]
    texts = list(dict.fromkeys(" ".join(one.split()) for rows in parts for row in rows for one in row["context"]))
    path = build_passage_index(
        tmp_path / "released.passages", (PassagePage("", str(at), "", (text,)) for at, text in enumerate(texts))
    ).path
    retriever = RerankingRetriever(PassageIndex(path))
    places = []
    for row in parts[1]:
        gold = {" ".join(one.split()) for one in row["context"]}
        found = (passage.text in gold for passage in retriever.retrieve(row["question"], 20))
        places.append(next((at for at, right in enumerate(found) if right), None))
    assert sum(place == 0 for place in places) / len(places) >= 0.94
    assert sum(place is not None for place in places) / len(places) >= 0.98
