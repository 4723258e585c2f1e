"""Questions that can be answered mixed with questions that cannot, as `scripts/build_refusal_set.py` makes them."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, needed, number_in
from kgqa.evaluation.item import ANSWERABLE, UNANSWERABLE, Item


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the questions; "kind" tells why one can or cannot be answered."""
    yield from json_items(stream, on_skip, _item)


def _item(record: Record, place: str) -> Item:
    answerable = record.get("answerable")
    if not isinstance(answerable, bool):
        raise RecordInvalid("no 'answerable' that is true or false")
    label = ANSWERABLE if answerable else UNANSWERABLE
    name = text_field(record, "id") or number_in(place)
    return Item(name, needed(record, "question"), (label,), text_field(record, "passage"), text_field(record, "kind") or label)
