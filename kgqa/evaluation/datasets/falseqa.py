"""FalseQA (Hu et al. 2023): questions with false premises beside questions with true ones."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import place_number, required_text, table_items
from kgqa.evaluation.item import FALSE_PRESUPPOSITION, NORMAL, DatasetItem

_FALSEQA_LABELS = {"1": FALSE_PRESUPPOSITION, "0": NORMAL}


def read_falseqa(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions; label 1 is a false premise."""
    yield from table_items(stream, on_skip, _falseqa_item)


def _falseqa_item(record: Record, place: str) -> DatasetItem:
    question, label = required_text(record, "question"), required_text(record, "label")
    if label not in _FALSEQA_LABELS:
        raise RecordInvalid("'label' is neither 0 nor 1")
    return DatasetItem(place_number(place), question, (_FALSEQA_LABELS[label],))
