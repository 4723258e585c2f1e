"""SQuAD 2.0 (Rajpurkar et al. 2018): questions on paragraphs, some without an answer; or tables of such questions."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.article import Skipped
from graph.sources.records import Record, RecordInvalid, json_record, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import looks_like_json, place_number, required_text, table_items
from kgqa.evaluation.item import DatasetItem

HAS_ANSWER, NO_ANSWER = "has answer", "no answer"


def read_squad2(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions of a SQuAD file, or of a table with the columns context, question and answer."""
    if not looks_like_json(stream):
        yield from table_items(stream, on_skip, _squad_table_item)
        return
    try:
        articles = _object_list(json_record(stream.text()), "data")
    except RecordInvalid as error:
        on_skip(Skipped("the file", str(error)))
        return
    number = 0
    for article in articles:
        for paragraph in _object_list(article, "paragraphs"):
            for question in _object_list(paragraph, "qas"):
                number += 1
                try:
                    yield _squad_item(question, text_field(paragraph, "context"), str(number), text_field(article, "title"))
                except RecordInvalid as error:
                    on_skip(Skipped(f"question {number}", str(error)))


def _squad_item(record: Record, passage: str, number: str, title: str) -> DatasetItem:
    if not passage.strip():
        raise RecordInvalid("no 'context'")
    impossible = record.get("is_impossible") is True
    gold = dict.fromkeys(required_text(answer, "text") for answer in _object_list(record, "answers"))
    if not gold and not impossible:
        raise RecordInvalid("no 'answers'")
    name, question = text_field(record, "id") or number, required_text(record, "question")
    kind = NO_ANSWER if impossible else HAS_ANSWER
    return DatasetItem(name, question, () if impossible else tuple(gold), passage, kind, group=title)


def _squad_table_item(record: Record, place: str) -> DatasetItem:
    gold = (required_text(record, "answer"),)
    return DatasetItem(place_number(place), required_text(record, "question"), gold, required_text(record, "context"), HAS_ANSWER)


def _object_list(record: Record, name: str) -> list[Record]:
    """Return a field that is a list of objects; raise `RecordInvalid` where it is something else."""
    value = record.get(name)
    if not isinstance(value, list) or not all(isinstance(element, dict) for element in value):
        raise RecordInvalid(f"no list of objects '{name}'")
    return value
