"""IIRC (Ferguson et al. 2020): questions whose paragraph does not hold all that is needed.

Two shapes are read: JSON lines with the paragraphs of each question beside it, and the released array of passages with their
links and questions, the linked articles being in `context_articles.json` in the same folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from graph.sources.article import Skipped
from graph.sources.records import Record, RecordInvalid, json_records, object_field, text_field
from graph.sources.streams import InputStream, OnSkip, open_input
from kgqa.evaluation.datasets.rows import items_of_records, place_number, required_text
from kgqa.evaluation.item import DatasetItem

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
    yield from items_of_records((entry for entry in records if "questions" not in entry[1]), on_skip, _iirc_item)
    leads = (
        _read_leads(stream, {target for _, passage in released for target in _linked_titles(passage)}, on_skip)
        if released
        else {}
    )
    for place, passage in released:
        questions = passage.get("questions")
        try:
            text = "\n\n".join(
                [required_text(passage, "text"), *filter(None, (leads.get(entry, "") for entry in _linked_titles(passage)))]
            )
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))
            continue
        for number, question in enumerate(questions if isinstance(questions, list) else (), 1):
            try:
                yield _released_iirc_item(question, text, f"{place_number(place)}-{number}")
            except RecordInvalid as error:
                on_skip(Skipped(f"{place}, question {number}", str(error)))


def _iirc_item(record: Record, place: str) -> DatasetItem:
    paragraphs = record.get("paragraphs")
    if not isinstance(paragraphs, list) or not all(isinstance(paragraph, dict) for paragraph in paragraphs):
        raise RecordInvalid("no list of objects 'paragraphs'")
    passage = "\n\n".join(text for paragraph in paragraphs if (text := text_field(paragraph, "text")))
    gold = (required_text(record, "answer"),)
    return DatasetItem(
        text_field(record, "qid") or place_number(place),
        required_text(record, "question"),
        gold,
        passage,
        _guess_iirc_type(gold[0]),
    )


def _released_iirc_item(question: object, passage: str, name: str) -> DatasetItem:
    if not isinstance(question, dict):
        raise RecordInvalid("not a JSON object")
    answer = object_field(question, "answer")
    kind = text_field(answer, "type")
    identifier, question_text = text_field(question, "qid") or name, required_text(question, "question")
    if kind == "span":
        spans = answer.get("answer_spans")
        span_texts = (
            tuple(required_text(span, "text") for span in spans if isinstance(span, dict)) if isinstance(spans, list) else ()
        )
        if not span_texts:
            raise RecordInvalid("no 'answer_spans'")
        return DatasetItem(identifier, question_text, span_texts, passage, kind, together=True)
    if kind in ("value", "binary"):
        return DatasetItem(identifier, question_text, (required_text(answer, "answer_value"),), passage, kind)
    if kind == "none":
        return DatasetItem(identifier, question_text, (), passage, kind)
    raise RecordInvalid("marked as bad" if kind == "bad" else f"an answer of type '{kind}'")


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
