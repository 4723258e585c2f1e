"""Readers of BoolQ, causal MS MARCO, SemEval pairs, FalseQA, CREPE and refusal sets: data sets whose answers are labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graph.sources.jsonl import Record, RecordInvalid, text_field
from kgqa.evaluation.dataset_item import ANSWERABLE, FALSE_PRESUPPOSITION, NO, NORMAL, UNANSWERABLE, YES, DatasetItem
from kgqa.evaluation.datasets.dataset_rows import place_number, required_text, text_list


def boolq_item(record: Record, place: str) -> DatasetItem:
    """Return a question; the answer is the field "label", as in SuperGLUE, or "answer", as in the first release."""
    label = record.get("label", record.get("answer"))
    if not isinstance(label, bool):
        raise RecordInvalid("no 'label' that is true or false")
    name = text_field(record, "idx", "id") or place_number(place)
    return DatasetItem(name, required_text(record, "question"), (YES if label else NO,), required_text(record, "passage"))


def msmarco_item(record: Record, place: str) -> DatasetItem:
    """Return a question that has a yes or no."""
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


_SEMEVAL_LABELS = {"causal": YES, "non_causal": NO}


def semeval_item(record: Record, place: str) -> DatasetItem:
    """Return a pair as a question."""
    cause, effect, label = (required_text(record, name) for name in ("cause", "effect", "causal"))
    if label not in _SEMEVAL_LABELS:
        raise RecordInvalid("'causal' is neither causal nor non_causal")
    return DatasetItem(place_number(place), f"Can {cause} cause {effect}?", (_SEMEVAL_LABELS[label],), pair=(cause, effect))


_FALSEQA_LABELS = {"1": FALSE_PRESUPPOSITION, "0": NORMAL}


def falseqa_item(record: Record, place: str) -> DatasetItem:
    """Return a question; label 1 is a false premise, and the comment is its answer."""
    question, label = required_text(record, "question"), required_text(record, "label")
    if label not in _FALSEQA_LABELS:
        raise RecordInvalid("'label' is neither 0 nor 1")
    return DatasetItem(place_number(place), question, (_FALSEQA_LABELS[label],), comment=text_field(record, "answer").strip())


def graph_premise_item(record: Record, place: str) -> DatasetItem:
    """Return a question with a causal premise; label 1 says that the graph contradicts it, "kind" how, "form" how it is put."""
    label = str(record.get("label"))
    if label not in _FALSEQA_LABELS:
        raise RecordInvalid("'label' is neither 0 nor 1")
    name, kind = text_field(record, "id") or place_number(place), f"{text_field(record, 'kind')}, {text_field(record, 'form')}"
    return DatasetItem(name, required_text(record, "question"), (_FALSEQA_LABELS[label],), type=kind)


def crepe_item(record: Record, place: str) -> DatasetItem:
    """Return a question that has one label; its words stand apart, or are joined by an underscore: both occur.

    kgqa is asked the question alone, as in the main track; the comment and the passages are for the systems of the paper.
    """
    labels = {label.lower().replace("_", " ") for label in text_list(record, "labels")}
    if not labels:
        raise RecordInvalid("no 'labels'")
    if not labels <= {FALSE_PRESUPPOSITION, NORMAL}:
        raise RecordInvalid("'labels' holds what is neither a false presupposition nor normal")
    if len(labels) > 1:
        raise RecordInvalid("labelled both ways")
    name, comment = text_field(record, "id") or place_number(place), text_field(record, "comment").strip()
    passages = text_list(record, "passages")
    return DatasetItem(name, required_text(record, "question"), tuple(labels), comment=comment, passages=passages)


def crepe_writing_item(record: Record, place: str) -> DatasetItem:
    """Return a question with a false presupposition: `gold` are the presuppositions, beside them corrections and comment."""
    if crepe_item(record, place).label != FALSE_PRESUPPOSITION:
        raise RecordInvalid("a normal question")
    gold, corrections = text_list(record, "presuppositions"), text_list(record, "corrections")
    if not gold or not corrections:
        raise RecordInvalid("no 'presuppositions' or no 'corrections'")
    return replace(crepe_item(record, place), gold=gold, corrections=corrections)


def refusal_item(record: Record, place: str) -> DatasetItem:
    """Return a question; "kind" tells why it can or cannot be answered."""
    answerable = record.get("answerable")
    if not isinstance(answerable, bool):
        raise RecordInvalid("no 'answerable' that is true or false")
    label = ANSWERABLE if answerable else UNANSWERABLE
    name = text_field(record, "id") or place_number(place)
    return DatasetItem(
        name, required_text(record, "question"), (label,), text_field(record, "passage"), text_field(record, "kind") or label
    )
