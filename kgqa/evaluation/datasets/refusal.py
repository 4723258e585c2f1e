"""Questions that can be answered mixed with questions that cannot, as `scripts/build_refusal_set.py` makes them."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, place_number, required_text
from kgqa.evaluation.item import ANSWERABLE, UNANSWERABLE, DatasetItem


def read_refusal(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions; "kind" tells why one can or cannot be answered."""
    yield from json_items(stream, on_skip, _refusal_item)


def _refusal_item(record: Record, place: str) -> DatasetItem:
    answerable = record.get("answerable")
    if not isinstance(answerable, bool):
        raise RecordInvalid("no 'answerable' that is true or false")
    label = ANSWERABLE if answerable else UNANSWERABLE
    name = text_field(record, "id") or place_number(place)
    return DatasetItem(
        name, required_text(record, "question"), (label,), text_field(record, "passage"), text_field(record, "kind") or label
    )
