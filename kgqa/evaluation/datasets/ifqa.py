"""IfQA (Yu et al. 2023): questions with a counterfactual "if", each with its gold passages of at most 100 words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, place_number, required_text, text_list
from kgqa.evaluation.item import DatasetItem

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


def read_ifqa(stream: InputStream, on_skip: OnSkip) -> Iterator[DatasetItem]:
    """Yield the questions; several gold passages are one text, a paragraph each."""
    yield from json_items(stream, on_skip, _ifqa_item)


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


def _ifqa_item(record: Record, place: str) -> DatasetItem:
    question, gold = required_text(record, "question"), text_list(record, "answers")
    if not gold:
        raise RecordInvalid("no 'answers'")
    passage = "\n\n".join(text_list(record, "context"))
    return DatasetItem(
        text_field(record, "idx", "id") or place_number(place), question, gold, passage, guess_answer_type(gold, passage)
    )
