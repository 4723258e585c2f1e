r"""Readers of SQuAD 2.0, Webis-CausalQA-22, DROP, IfQA and IIRC: data sets whose answers are words.

IIRC has two shapes: JSON lines with the paragraphs of each question, and the released array of passages with their links and
questions, the linked articles being in `context_articles.json` in the same folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from graph.sources.article import Skipped
from graph.sources.input_stream import InputStream, OnSkip, open_input
from graph.sources.jsonl import Record, RecordInvalid, json_record, json_records, object_field, parse_records, text_field
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets.dataset_rows import (
    json_items,
    looks_like_json,
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


IIRC_ARTICLES = "context_articles.json"
IIRC_LEAD = 1_000
"""How many characters of each linked article are read: more is another part's work, choosing among contexts."""

_IIRC_TAG = re.compile(r"<[^>]*>")


def read_iirc(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions; what an annotator marked as bad is skipped.

    In the released shape a question is given its paragraph and the beginning of every article that the paragraph links to,
    never only of those that the annotator used.
    """
    records = list(json_records(stream, on_skip))
    released = [entry for entry in records if "questions" in entry[1]]
    yield from parse_records((entry for entry in records if "questions" not in entry[1]), _iirc_item, on_skip)
    targets = {target for _, passage in released for target in _linked_titles(passage)}
    leads = _read_leads(stream, targets, on_skip) if released else {}
    for place, passage in released:
        questions = passage.get("questions")
        try:
            linked = (lead for title in _linked_titles(passage) if (lead := leads.get(title)))
            text = "\n\n".join([required_text(passage, "text"), *linked])
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))
            continue
        for number, question in enumerate(questions if isinstance(questions, list) else (), 1):
            try:
                yield _released_iirc_item(question, text, f"{place_number(place)}-{number}")
            except RecordInvalid as error:
                on_skip(Skipped(f"{place}, question {number}", str(error)))


def _iirc_item(record: Record, place: str) -> DatasetItem:
    passage = "\n\n".join(text for part in _object_list(record, "paragraphs") if (text := text_field(part, "text")))
    gold = (required_text(record, "answer"),)
    name = text_field(record, "qid") or place_number(place)
    return DatasetItem(name, required_text(record, "question"), gold, passage, _guess_iirc_type(gold[0]))


def _released_iirc_item(question: object, passage: str, name: str) -> DatasetItem:
    if not isinstance(question, dict):
        raise RecordInvalid("not a JSON object")
    answer = object_field(question, "answer")
    kind = text_field(answer, "type")
    identifier, question_text = text_field(question, "qid") or name, required_text(question, "question")
    links = _needed_links(question)
    if kind == "span":
        spans = answer.get("answer_spans")
        span_texts = (
            tuple(required_text(span, "text") for span in spans if isinstance(span, dict)) if isinstance(spans, list) else ()
        )
        if not span_texts:
            raise RecordInvalid("no 'answer_spans'")
        return DatasetItem(identifier, question_text, span_texts, passage, kind, together=True, links=links)
    if kind in ("value", "binary"):
        return DatasetItem(identifier, question_text, (required_text(answer, "answer_value"),), passage, kind, links=links)
    if kind == "none":
        return DatasetItem(identifier, question_text, (), passage, kind, links=links)
    raise RecordInvalid("marked as bad" if kind == "bad" else f"an answer of type '{kind}'")


def _needed_links(question: Record) -> tuple[str, ...] | None:
    """Return the titles, in lower case, of the linked articles that an annotator used; `None` where the release does not say."""
    context = question.get("context")
    if not isinstance(context, list):
        return None
    titles = (text_field(part, "passage").lower() for part in context if isinstance(part, dict))
    return tuple(dict.fromkeys(title for title in titles if title and title != _IIRC_MAIN))


_IIRC_MAIN = "main"
"""What the release calls the paragraph itself, which is no link."""


def _guess_iirc_type(gold: str) -> str:
    """Return the type of an answer, in the words of the release, by its look."""
    if gold.lower() in ("yes", "no"):
        return "binary"
    return "value" if re.fullmatch(r"-?[\d,.]+", gold) else "span"


def _linked_titles(passage: Record) -> Iterator[str]:
    """Yield the titles that a passage links to, in lower case, each once."""
    links = passage.get("links")
    titles = (text_field(link, "target") for link in links if isinstance(link, dict)) if isinstance(links, list) else ()
    yield from dict.fromkeys(target.lower() for target in titles if target)


def _read_leads(stream: InputStream, titles: set[str], on_skip: OnSkip) -> dict[str, str]:
    """Return the beginnings of the articles that are linked to, by title in lower case; without their tags."""
    beside = Path(stream.name).parent / IIRC_ARTICLES
    if not beside.is_file():
        on_skip(Skipped(IIRC_ARTICLES, f"not beside {stream.name}; only the paragraphs themselves are read"))
        return {}
    with open_input(beside) as articles:
        pairs = _read_title_texts(articles)
        return {title.lower(): _IIRC_TAG.sub("", text)[:IIRC_LEAD] for title, text in pairs if title.lower() in titles}


def _read_title_texts(stream: InputStream) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of one JSON object of texts, without holding all of it: the file is large."""
    import codecs

    scan, decode = json.JSONDecoder().raw_decode, codecs.getincrementaldecoder("utf-8")("replace").decode
    held = ""
    for block in stream.blocks():
        held = (held + decode(block)).lstrip(" \n\r\t,{")
        while held:
            try:
                title, end = scan(held)
                rest = held[end:].lstrip()
                text, stop = scan(rest[1:].lstrip())
            except ValueError:
                break
            yield str(title), str(text)
            held = rest[1:].lstrip()[stop:].lstrip(" \n\r\t,")
