"""Pairs of nouns from SemEval-2010 Task 8: does the first cause the second? The graph must not be built from its sentences."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import place_number, required_text, table_items
from kgqa.evaluation.item import NO, YES, DatasetItem

_SEMEVAL_LABELS = {"causal": YES, "non_causal": NO}


def read_semeval_pairs(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the pairs as questions."""
    yield from table_items(stream, on_skip, _semeval_item)


def _semeval_item(record: Record, place: str) -> DatasetItem:
    cause, effect, label = (required_text(record, name) for name in ("cause", "effect", "causal"))
    if label not in _SEMEVAL_LABELS:
        raise RecordInvalid("'causal' is neither causal nor non_causal")
    return DatasetItem(place_number(place), f"Can {cause} cause {effect}?", (_SEMEVAL_LABELS[label],), pair=(cause, effect))
