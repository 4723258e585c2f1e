"""Readers of SQuAD 2.0, Webis-CausalQA-22, DROP and IfQA: data sets whose answers are words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.sources.article import Skipped
from graph.sources.input_stream import InputStream, OnSkip
from graph.sources.jsonl import Record, RecordInvalid, json_record, text_field
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets.dataset_rows import (
    json_items,
    looks_like_json,
    object_list,
    place_number,
    required_text,
    table_items,
    text_list,
)

HAS_ANSWER, NO_ANSWER = "has answer", "no answer"


def read_squad2(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions of a SQuAD file, or of a table with the columns context, question and answer."""
    if not looks_like_json(stream):
        yield from table_items(stream, on_skip, _squad_table_item)
        return
    try:
        articles = object_list(json_record(stream.text()), "data")
    except RecordInvalid as error:
        on_skip(Skipped("the file", str(error)))
        return
    number = 0
    for article in articles:
        for paragraph in object_list(article, "paragraphs"):
            for question in object_list(paragraph, "qas"):
                number += 1
                try:
                    yield _squad_item(question, text_field(paragraph, "context"), str(number), text_field(article, "title"))
                except RecordInvalid as error:
                    on_skip(Skipped(f"question {number}", str(error)))


def _squad_item(record: Record, passage: str, number: str, title: str) -> DatasetItem:
    if not passage.strip():
        raise RecordInvalid("no 'context'")
    impossible = record.get("is_impossible") is True
    gold = dict.fromkeys(required_text(answer, "text") for answer in object_list(record, "answers"))
    if not gold and not impossible:
        raise RecordInvalid("no 'answers'")
    name, question = text_field(record, "id") or number, required_text(record, "question")
    kind = NO_ANSWER if impossible else HAS_ANSWER
    return DatasetItem(name, question, () if impossible else tuple(gold), passage, kind, group=title)


def _squad_table_item(record: Record, place: str) -> DatasetItem:
    gold = (required_text(record, "answer"),)
    return DatasetItem(place_number(place), required_text(record, "question"), gold, required_text(record, "context"), HAS_ANSWER)


_SPLIT_SUFFIX = re.compile(r"_(?:train|val|valid|dev|test|original|random|split)(?=_|$)")


def read_causalqa(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions of JSON lines, or of a table in the shape of the release; a file is a source, named after it."""
    source = _SPLIT_SUFFIX.sub("", stream.title.partition(".")[0])
    rows = json_items if looks_like_json(stream) else table_items

    def item(record: Record, place: str) -> DatasetItem:
        references = map(str.strip, required_text(record, "answer").split("\t"))
        gold = tuple(dict.fromkeys(filter(None, references)))
        passage = text_field(record, "passage", "context").strip()
        name = text_field(record, "id") or place_number(place)
        kind = "with passage" if passage else "no passage"
        return DatasetItem(name, required_text(record, "question"), gold, passage, kind, source)

    yield from rows(stream, on_skip, item)


_DROP_NUMBER = re.compile(r"-?[\d,.]+%?")
_DROP_BREAK = "\\n"


def read_drop(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions. Several spans of one answer stand in one text here, and are left so."""
    for number, line in stream.lines(on_skip):
        if not line.strip():
            continue
        text, tab, answer = line.rpartition("\t")
        question, broken, passage = text.partition(_DROP_BREAK)
        if not (tab and broken and question.strip() and passage.strip() and answer.strip()):
            on_skip(Skipped(f"line {number}", "not a question, \\n, a passage, a tab and an answer"))
            continue
        gold = answer.strip()
        kind = "number" if _DROP_NUMBER.fullmatch(gold) else "span"
        yield DatasetItem(str(number), question.strip(), (gold,), passage.replace(_DROP_BREAK, "\n").strip(), kind)


_MONTHS = "January February March April May June July August September October November December".split()
_IFQA_DATE = re.compile(
    rf"^(?:(?:in |on )?(?:early |late |mid-?)?(?:{'|'.join(_MONTHS)})\b.*|\d{{4}}s?|\d{{1,2}} (?:{'|'.join(_MONTHS)}).*)$"
)
_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion zero twice double half"
).split()
_IFQA_NUMBER = re.compile(
    rf"^(?:[$£€]?\d[\d,.]*%?|(?:{'|'.join(_NUMBER_WORDS)})(?:[- ](?:{'|'.join(_NUMBER_WORDS)}))*)\b", re.IGNORECASE
)


def guess_answer_type(answers: tuple[str, ...], passage: str = "") -> str:
    """Return "yes/no", "date", "number", "span" or "other": what kind of answer it is, by its look.

    The release does not tell; a date begins with a month or is a year, a number begins with one, a span stands in the passage.
    """
    if any(answer.lower().strip(" .") in ("yes", "no") for answer in answers):
        return "yes/no"
    if any(_IFQA_DATE.match(answer) for answer in answers):
        return "date"
    if any(_IFQA_NUMBER.match(answer) for answer in answers):
        return "number"
    return "span" if any(answer.lower() in passage.lower() for answer in answers) else "other"


def ifqa_item(record: Record, place: str) -> DatasetItem:
    """Return a question; several gold passages are one text, a paragraph each."""
    question, gold = required_text(record, "question"), text_list(record, "answers")
    if not gold:
        raise RecordInvalid("no 'answers'")
    passage = "\n\n".join(text_list(record, "context"))
    name = text_field(record, "idx", "id") or place_number(place)
    return DatasetItem(name, question, gold, passage, guess_answer_type(gold, passage))
