"""Pairs of nouns from SemEval-2010 Task 8: does the first cause the second? The graph must not be built from its sentences."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import needed, number_in, table_items
from kgqa.evaluation.item import NO, YES, Item

_LABELS = {"causal": YES, "non_causal": NO}


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the pairs as questions."""
    yield from table_items(stream, on_skip, _item)


def _item(record: Record, place: str) -> Item:
    cause, effect, label = (needed(record, name) for name in ("cause", "effect", "causal"))
    if label not in _LABELS:
        raise RecordInvalid("'causal' is neither causal nor non_causal")
    return Item(number_in(place), f"Can {cause} cause {effect}?", (_LABELS[label],), pair=(cause, effect))
