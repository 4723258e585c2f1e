"""Webis-CausalQA-22 (Bondarenko et al. 2022): causal questions of ten sets; several references stand between tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.sources.records import Record, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import is_json, json_items, needed, number_in, table_items
from kgqa.evaluation.item import Item

_SPLIT = re.compile(r"_(?:train|val|valid|dev|test|original|random|split)(?=_|$)")


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the questions of JSON lines, or of a table in the shape of the release; a file is a source, named after it."""
    source = _SPLIT.sub("", stream.title.partition(".")[0])
    rows = json_items if is_json(stream) else table_items

    def item(record: Record, place: str) -> Item:
        gold = tuple(dict.fromkeys(text for one in needed(record, "answer").split("\t") if (text := one.strip())))
        passage = text_field(record, "passage", "context").strip()
        name = text_field(record, "id") or number_in(place)
        return Item(name, needed(record, "question"), gold, passage, "with passage" if passage else "no passage", source)

    yield from rows(stream, on_skip, item)
