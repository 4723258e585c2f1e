"""Webis-CausalQA-22 (Bondarenko et al. 2022): causal questions of ten sets; several references stand between tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.sources.records import Record, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, looks_like_json, place_number, required_text, table_items
from kgqa.evaluation.item import DatasetItem

_SPLIT_SUFFIX = re.compile(r"_(?:train|val|valid|dev|test|original|random|split)(?=_|$)")


def read_causalqa(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions of JSON lines, or of a table in the shape of the release; a file is a source, named after it."""
    source = _SPLIT_SUFFIX.sub("", stream.title.partition(".")[0])
    rows = json_items if looks_like_json(stream) else table_items

    def item(record: Record, place: str) -> DatasetItem:
        gold = tuple(
            dict.fromkeys(text for reference in required_text(record, "answer").split("\t") if (text := reference.strip()))
        )
        passage = text_field(record, "passage", "context").strip()
        name = text_field(record, "id") or place_number(place)
        return DatasetItem(
            name, required_text(record, "question"), gold, passage, "with passage" if passage else "no passage", source
        )

    yield from rows(stream, on_skip, item)
