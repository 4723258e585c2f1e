"""SQuAD 2.0 (Rajpurkar et al. 2018): questions on paragraphs, some without an answer; or tables of such questions."""

from __future__ import annotations

from collections.abc import Iterator

from graph.sources.article import Skipped
from graph.sources.records import Record, RecordInvalid, json_record, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import is_json, needed, number_in, table_items
from kgqa.evaluation.item import Item

HAS_ANSWER, NO_ANSWER = "has answer", "no answer"


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the questions of a SQuAD file, or of a table with the columns context, question and answer."""
    if not is_json(stream):
        yield from table_items(stream, on_skip, _row)
        return
    try:
        articles = _objects(json_record(stream.text()), "data")
    except RecordInvalid as error:
        on_skip(Skipped("the file", str(error)))
        return
    number = 0
    for article in articles:
        for paragraph in _objects(article, "paragraphs"):
            for question in _objects(paragraph, "qas"):
                number += 1
                try:
                    yield _item(question, text_field(paragraph, "context"), str(number), text_field(article, "title"))
                except RecordInvalid as error:
                    on_skip(Skipped(f"question {number}", str(error)))


def _item(record: Record, passage: str, number: str, title: str) -> Item:
    if not passage.strip():
        raise RecordInvalid("no 'context'")
    impossible = record.get("is_impossible") is True
    gold = dict.fromkeys(needed(one, "text") for one in _objects(record, "answers"))
    if not gold and not impossible:
        raise RecordInvalid("no 'answers'")
    name, question = text_field(record, "id") or number, needed(record, "question")
    kind = NO_ANSWER if impossible else HAS_ANSWER
    return Item(name, question, () if impossible else tuple(gold), passage, kind, group=title)


def _row(record: Record, place: str) -> Item:
    gold = (needed(record, "answer"),)
    return Item(number_in(place), needed(record, "question"), gold, needed(record, "context"), HAS_ANSWER)


def _objects(record: Record, name: str) -> list[Record]:
    """Return a field that is a list of objects; raise `RecordInvalid` where it is something else."""
    value = record.get(name)
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise RecordInvalid(f"no list of objects '{name}'")
    return value
