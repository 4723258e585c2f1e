"""BoolQ (Clark et al. 2019): yes/no questions, each with a passage."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, place_number, required_text
from kgqa.evaluation.item import NO, YES, DatasetItem


def read_boolq(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions; the answer is the field "label", as in SuperGLUE, or "answer", as in the first release."""
    yield from json_items(stream, on_skip, _boolq_item)


def _boolq_item(record: Record, place: str) -> DatasetItem:
    label = record.get("label", record.get("answer"))
    if not isinstance(label, bool):
        raise RecordInvalid("no 'label' that is true or false")
    name = text_field(record, "idx", "id") or place_number(place)
    return DatasetItem(name, required_text(record, "question"), (YES if label else NO,), required_text(record, "passage"))
