r"""The reader of IIRC, whose answers may be in articles that a paragraph links to, and of those articles.

It has two shapes: JSON lines with the paragraphs of each question, the first of which links to the others, and the released array
of passages with their links and questions, the linked articles being in `context_articles.json` in the same folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graph.model import Source
from graph.sources.article import Article, ArticleLink, Skipped
from graph.sources.hypertext import html_article
from graph.sources.input_stream import InputStream, OnSkip, open_input
from graph.sources.jsonl import Record, RecordInvalid, json_records, object_field, parse_records, text_field
from graph.sources.plaintext import links_of_record
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets.dataset_rows import object_list, place_number, required_text

IIRC_ARTICLES = "context_articles.json"
_IIRC_MAIN = "main"
"""What the release calls the paragraph itself, which is no link."""
_QUALIFIER = re.compile(r"\s*(?:\([^()]*\)|,.*)$")


def read_iirc(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions; what an annotator marked as bad is skipped.

    Each has its paragraph with all links, never only those that the annotator used. In the shape with paragraphs its passage is
    all of them; in the released one the paragraph alone, since the articles are whole.
    """
    records = list(json_records(stream, on_skip))
    yield from parse_records((entry for entry in records if "questions" not in entry[1]), _iirc_item, on_skip)
    for place, passage in (entry for entry in records if "questions" in entry[1]):
        questions = passage.get("questions")
        try:
            text = required_text(passage, "text")
            main = Article(Source("text", text_field(passage, "title")), text, links=tuple(links_of_record(passage, text)))
        except RecordInvalid as error:
            on_skip(Skipped(place, str(error)))
            continue
        for number, question in enumerate(questions if isinstance(questions, list) else (), 1):
            try:
                yield _released_iirc_item(question, main, f"{place_number(place)}-{number}")
            except RecordInvalid as error:
                on_skip(Skipped(f"{place}, question {number}", str(error)))


def read_iirc_articles(stream: InputStream, on_skip: OnSkip) -> Iterator[Article]:
    """Yield the linked articles of a file, whole: those beside it, or the paragraphs of all its rows, by title."""
    beside = Path(stream.name).parent / IIRC_ARTICLES
    if beside.is_file():
        with open_input(beside) as articles:
            for title, text in _read_title_texts(articles):
                yield html_article(text, title)
        return
    texts: dict[str, dict[str, None]] = {}
    for _, record in json_records(stream, on_skip):
        for part in object_list(record, "paragraphs")[1:] if "paragraphs" in record else ():
            texts.setdefault(text_field(part, "title"), {})[text_field(part, "text")] = None
    for title, parts in texts.items():
        yield Article(Source("text", title), "\n\n".join(parts))


def _iirc_item(record: Record, place: str) -> DatasetItem:
    paragraphs = object_list(record, "paragraphs")
    passage = "\n\n".join(text for part in paragraphs if (text := text_field(part, "text")))
    gold = (required_text(record, "answer"),)
    name, main = text_field(record, "qid") or place_number(place), None
    if paragraphs:
        text, titles = text_field(paragraphs[0], "text"), [text_field(part, "title") for part in paragraphs[1:]]
        links = (link for title in dict.fromkeys(titles) if (link := _named_link(text, title)) is not None)
        main = Article(Source("text", text_field(paragraphs[0], "title")), text, links=tuple(links))
    return DatasetItem(name, required_text(record, "question"), gold, passage, _guess_iirc_type(gold[0]), main=main)


def _named_link(text: str, title: str) -> ArticleLink | None:
    """Return the link to an article where a text names it, by its title, or else by the last or first word of that."""
    name = _QUALIFIER.sub("", title)
    words = [word for word in name.split() if len(word) > 3]
    for anchor in dict.fromkeys([name, name.rstrip("s"), *words[-1:], *words[:1]]):
        match = re.search(rf"\b{re.escape(anchor)}\w*", text, re.IGNORECASE) if anchor else None
        if match is not None:
            return ArticleLink(match[0], match.start(), title)
    return None


def _released_iirc_item(question: object, main: Article, name: str) -> DatasetItem:
    if not isinstance(question, dict):
        raise RecordInvalid("not a JSON object")
    answer = object_field(question, "answer")
    kind = text_field(answer, "type")
    identifier, question_text = text_field(question, "qid") or name, required_text(question, "question")
    needed: dict[str, Any] = {"main": main, "links": _needed_links(question), "contexts": _needed_contexts(question)}
    if kind == "span":
        spans = answer.get("answer_spans")
        span_texts = (
            tuple(required_text(span, "text") for span in spans if isinstance(span, dict)) if isinstance(spans, list) else ()
        )
        if not span_texts:
            raise RecordInvalid("no 'answer_spans'")
        return DatasetItem(identifier, question_text, span_texts, main.text, kind, together=True, **needed)
    if kind in ("value", "binary"):
        return DatasetItem(identifier, question_text, (required_text(answer, "answer_value"),), main.text, kind, **needed)
    if kind == "none":
        return DatasetItem(identifier, question_text, (), main.text, kind, **needed)
    raise RecordInvalid("marked as bad" if kind == "bad" else f"an answer of type '{kind}'")


def _needed_links(question: Record) -> tuple[str, ...] | None:
    """Return the titles, in lower case, of the linked articles that an annotator used; `None` where the release does not say."""
    context = question.get("context")
    if not isinstance(context, list):
        return None
    titles = (text_field(part, "passage").lower() for part in context if isinstance(part, dict))
    return tuple(dict.fromkeys(title for title in titles if title and title != _IIRC_MAIN))


def _needed_contexts(question: Record) -> tuple[tuple[str, str], ...]:
    """Return the title, empty for the paragraph itself, and the text of each context that an annotator marked."""
    context = question.get("context")
    parts = [part for part in context if isinstance(part, dict)] if isinstance(context, list) else []
    texts = ((text_field(part, "passage"), text_field(part, "text").strip()) for part in parts)
    return tuple(("" if title == _IIRC_MAIN else title, text) for title, text in texts if text)


def _guess_iirc_type(gold: str) -> str:
    """Return the type of an answer, in the words of the release, by its look."""
    if gold.lower() in ("yes", "no"):
        return "binary"
    return "value" if re.fullmatch(r"-?[\d,.]+", gold) else "span"


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
