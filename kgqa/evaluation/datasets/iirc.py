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
from kgqa.evaluation.datasets.rows import made, needed, number_in
from kgqa.evaluation.item import Item

ARTICLES = "context_articles.json"
LEAD = 1_000
"""How many characters of each linked article are read: more is another part's work, choosing among contexts."""

_TAG = re.compile(r"<[^>]*>")


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the questions; what an annotator marked as bad is skipped.

    In the released shape a question is given its paragraph and the beginning of every article that the paragraph links to,
    never only of those that the annotator used.
    """
    records = list(json_records(stream, on_skip))
    released = [one for one in records if "questions" in one[1]]
    yield from made((one for one in records if "questions" not in one[1]), on_skip, _row)
    leads = _leads(stream, {target for _, passage in released for target in _targets(passage)}, on_skip) if released else {}
    for place, passage in released:
        questions = passage.get("questions")
        try:
            text = "\n\n".join([needed(passage, "text"), *filter(None, (leads.get(one, "") for one in _targets(passage)))])
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))
            continue
        for number, question in enumerate(questions if isinstance(questions, list) else (), 1):
            try:
                yield _released(question, text, f"{number_in(place)}-{number}")
            except RecordInvalid as error:
                on_skip(Skipped(f"{place}, question {number}", str(error)))


def _row(record: Record, place: str) -> Item:
    paragraphs = record.get("paragraphs")
    if not isinstance(paragraphs, list) or not all(isinstance(one, dict) for one in paragraphs):
        raise RecordInvalid("no list of objects 'paragraphs'")
    passage = "\n\n".join(text for one in paragraphs if (text := text_field(one, "text")))
    gold = (needed(record, "answer"),)
    return Item(text_field(record, "qid") or number_in(place), needed(record, "question"), gold, passage, _type_of(gold[0]))


def _released(question: object, passage: str, name: str) -> Item:
    if not isinstance(question, dict):
        raise RecordInvalid("not a JSON object")
    answer = object_field(question, "answer")
    kind = text_field(answer, "type")
    identifier, asked = text_field(question, "qid") or name, needed(question, "question")
    if kind == "span":
        spans = answer.get("answer_spans")
        found = tuple(needed(one, "text") for one in spans if isinstance(one, dict)) if isinstance(spans, list) else ()
        if not found:
            raise RecordInvalid("no 'answer_spans'")
        return Item(identifier, asked, found, passage, kind, together=True)
    if kind in ("value", "binary"):
        return Item(identifier, asked, (needed(answer, "answer_value"),), passage, kind)
    if kind == "none":
        return Item(identifier, asked, (), passage, kind)
    raise RecordInvalid("marked as bad" if kind == "bad" else f"an answer of type '{kind}'")


def _type_of(gold: str) -> str:
    """Return the type of an answer, in the words of the release, by its look."""
    if gold.lower() in ("yes", "no"):
        return "binary"
    return "value" if re.fullmatch(r"-?[\d,.]+", gold) else "span"


def _targets(passage: Record) -> Iterator[str]:
    """Yield the titles that a passage links to, in lower case, each once."""
    links = passage.get("links")
    named = (text_field(one, "target") for one in links if isinstance(one, dict)) if isinstance(links, list) else ()
    yield from dict.fromkeys(target.lower() for target in named if target)


def _leads(stream: InputStream, titles: set[str], on_skip: OnSkip) -> dict[str, str]:
    """Return the beginnings of the articles that are linked to, by title in lower case; without their tags."""
    beside = Path(stream.name).parent / ARTICLES
    if not beside.is_file():
        on_skip(Skipped(ARTICLES, f"not beside {stream.name}; only the paragraphs themselves are read"))
        return {}
    with open_input(beside) as articles:
        pairs = _pairs(articles)
        return {title.lower(): _TAG.sub("", text)[:LEAD] for title, text in pairs if title.lower() in titles}


def _pairs(stream: InputStream) -> Iterator[tuple[str, str]]:
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
