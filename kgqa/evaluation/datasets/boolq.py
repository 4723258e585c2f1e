"""BoolQ (Clark et al. 2019): yes/no questions, each with a passage."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, needed, number_in
from kgqa.evaluation.item import NO, YES, Item


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the questions; the answer is the field "label", as in SuperGLUE, or "answer", as in the first release."""
    yield from json_items(stream, on_skip, _item)


def _item(record: Record, place: str) -> Item:
    label = record.get("label", record.get("answer"))
    if not isinstance(label, bool):
        raise RecordInvalid("no 'label' that is true or false")
    name = text_field(record, "idx", "id") or number_in(place)
    return Item(name, needed(record, "question"), (YES if label else NO,), needed(record, "passage"))
