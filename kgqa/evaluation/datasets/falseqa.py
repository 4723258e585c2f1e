"""FalseQA (Hu et al. 2023): questions with false premises beside questions with true ones."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import needed, number_in, table_items
from kgqa.evaluation.item import FALSE_PRESUPPOSITION, NORMAL, Item

_LABELS = {"1": FALSE_PRESUPPOSITION, "0": NORMAL}


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the questions; label 1 is a false premise."""
    yield from table_items(stream, on_skip, _item)


def _item(record: Record, place: str) -> Item:
    question, label = needed(record, "question"), needed(record, "label")
    if label not in _LABELS:
        raise RecordInvalid("'label' is neither 0 nor 1")
    return Item(number_in(place), question, (_LABELS[label],))
