"""CREPE (Yu et al. 2022): questions with and without false presuppositions, in the released format with all its keys."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, place_number, required_text, text_list
from kgqa.evaluation.item import FALSE_PRESUPPOSITION, NORMAL, DatasetItem


def read_crepe(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions that have one label. Its words stand apart, or are joined by an underscore: both occur.

    The question alone is asked, as in the main track; neither the comment nor the passages are read.
    """
    yield from json_items(stream, on_skip, _crepe_item)


def _crepe_item(record: Record, place: str) -> DatasetItem:
    labels = {label.lower().replace("_", " ") for label in text_list(record, "labels")}
    if not labels:
        raise RecordInvalid("no 'labels'")
    if not labels <= {FALSE_PRESUPPOSITION, NORMAL}:
        raise RecordInvalid("'labels' holds what is neither a false presupposition nor normal")
    if len(labels) > 1:
        raise RecordInvalid("labelled both ways")
    return DatasetItem(text_field(record, "id") or place_number(place), required_text(record, "question"), tuple(labels))
