"""IfQA (Yu et al. 2023): questions with a counterfactual "if", each with its gold passages of at most 100 words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.sources.records import Record, RecordInvalid, text_field
from graph.sources.streams import InputStream, OnSkip
from kgqa.evaluation.datasets.rows import json_items, needed, number_in, texts
from kgqa.evaluation.item import Item

_MONTHS = "January February March April May June July August September October November December".split()
_DATE = re.compile(
    rf"^(?:(?:in |on )?(?:early |late |mid-?)?(?:{'|'.join(_MONTHS)})\b.*|\d{{4}}s?|\d{{1,2}} (?:{'|'.join(_MONTHS)}).*)$"
)
_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion zero twice double half"
).split()
_NUMBER = re.compile(rf"^(?:[$£€]?\d[\d,.]*%?|(?:{'|'.join(_NUMBERS)})(?:[- ](?:{'|'.join(_NUMBERS)}))*)\b", re.IGNORECASE)


def read(stream: InputStream, on_skip: OnSkip) -> Iterator[Item]:
    """Yield the questions; several gold passages are one text, a paragraph each."""
    yield from json_items(stream, on_skip, _item)


def answer_type(answers: tuple[str, ...], passage: str = "") -> str:
    """Return "yes/no", "date", "number", "span" or "other": what kind of answer it is, by its look.

    The release does not tell; a date begins with a month or is a year, a number begins with one, a span stands in the passage.
    """
    if any(one.lower().strip(" .") in ("yes", "no") for one in answers):
        return "yes/no"
    if any(_DATE.match(one) for one in answers):
        return "date"
    if any(_NUMBER.match(one) for one in answers):
        return "number"
    return "span" if any(one.lower() in passage.lower() for one in answers) else "other"


def _item(record: Record, place: str) -> Item:
    question, gold = needed(record, "question"), texts(record, "answers")
    if not gold:
        raise RecordInvalid("no 'answers'")
    passage = "\n\n".join(texts(record, "context"))
    return Item(text_field(record, "idx", "id") or number_in(place), question, gold, passage, answer_type(gold, passage))
