"""Causal yes/no questions of MS MARCO, with their cause and effect marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from graph.sources.records import Record, RecordInvalid
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, place_number, required_text, text_list
from kgqa.evaluation.item import NO, YES, DatasetItem


def read_msmarco_causal(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions that have a yes or no."""
    yield from json_items(stream, on_skip, _msmarco_item)


def _msmarco_item(record: Record, place: str) -> DatasetItem:
    labels = {label.lower() for label in text_list(record, "answer:Extracted")}
    if len(labels) != 1 or not labels <= {YES, NO}:
        raise RecordInvalid("'answer:Extracted' is neither yes nor no")
    question = required_text(record, "question")
    return DatasetItem(place_number(place), question, tuple(labels), pair=_marked_pair(question, record))


def _marked_pair(question: str, record: Record) -> tuple[str, str] | None:
    """Return the marked cause and effect: the spans of "query", first and last token each, cut out of the question."""
    tokens: Any = record.get("question:POS")
    spans: Any = record.get("query")
    try:
        cause, effect = (_text_between_tokens(question, tokens[span[0]], tokens[span[1]]) for span in spans)
    except (TypeError, ValueError, IndexError):
        return None
    return (cause, effect) if cause and effect else None


def _text_between_tokens(question: str, first: Sequence[str], last: Sequence[str]) -> str:
    """Return what stands between two tokens, both included; a token is its text, its part of speech and where it begins."""
    return question[int(first[2]) : int(last[2]) + len(last[0])].strip()
