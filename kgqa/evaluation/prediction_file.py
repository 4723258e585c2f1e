"""Answers of any system to the items of a data set, read from JSON lines: what `kgqa evaluate NAME --predictions FILE` scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph.sources.article import Skipped
from graph.sources.input_stream import open_input
from graph.sources.jsonl import RecordInvalid, json_records
from kgqa.answer_model import Verdict
from kgqa.errors import KgqaError
from kgqa.evaluation.dataset_item import FALSE_PRESUPPOSITION, NORMAL, PRESUPPOSITION, VERDICT, WRITING, DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.prediction import Prediction, read_prediction
from kgqa.questions.classifier import classify

GIVEN = "given"
"""The route of an answer that was read from a file."""
ANSWER_FIELDS = ("prediction", "answer", "verdict")
"""The fields that may hold an answer; the first of them that a line has does."""
_LABELS: Mapping[str, tuple[str, ...]] = {VERDICT: tuple(Verdict), PRESUPPOSITION: (FALSE_PRESUPPOSITION, NORMAL)}
"""What an answer may be in a task of labels."""


class PredictionsInvalid(KgqaError):
    """A file of predictions cannot be scored: a line that is no prediction, ids that are not those of the items."""


@dataclass(frozen=True, slots=True)
class GivenPredictions:
    """The predictions for some items, in their order, and whether each line has a confidence."""

    predictions: tuple[Prediction, ...]
    confident: bool


def read_predictions(
    path: str, dataset: Dataset, items: Sequence[DatasetItem], known_ids: frozenset[str], *, classes: bool = True
) -> GivenPredictions:
    """Return the predictions of a file for `items`; `known_ids` are those of all items of the set, which may be more.

    A line is {"id", "prediction" | "answer" | "verdict", "confidence"?, ...}, its answer null where there is none; lines that
    kgqa wrote itself are read whole. With `classes` the questions are classified as kgqa's own are; no question is answered.
    Raises `PredictionsInvalid` for a line that is none, an id that is there twice, that no item has, or that is missing, and the
    errors of `open_input`.
    """
    by_id: dict[str, tuple[str, Mapping[str, Any]]] = {}
    with open_input(path) as stream:
        for place, record in json_records(stream, _refuse_line(path)):
            name = record.get("id")
            if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
                raise PredictionsInvalid(f"{place} of '{path}' has no \"id\"")
            if str(name) in by_id:
                raise PredictionsInvalid(f"{place} of '{path}' answers '{name}' again, as {by_id[str(name)][0]} does")
            by_id[str(name)] = place, record
    unknown = [name for name in by_id if name not in known_ids]
    if unknown and len(unknown) == len(by_id):
        raise PredictionsInvalid(f"'{path}' answers no item of the {dataset.name} data that was given: is it of another set?")
    if unknown:
        more = f", as for {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        raise PredictionsInvalid(f"{by_id[unknown[0]][0]} of '{path}' answers '{unknown[0]}', and no item has that id{more}")
    missing = [item.id for item in items if item.id not in by_id]
    if missing:
        fact = f"'{path}' has no line for {len(missing):,} of {len(items):,} items, first '{missing[0]}'"
        raise PredictionsInvalid(f'{fact}; an item without an answer has "prediction": null')
    predictions = tuple(_read_line(path, *by_id[item.id], dataset, item, classes) for item in items)
    return GivenPredictions(predictions, all("confidence" in by_id[item.id][1] for item in items))


def _refuse_line(path: str) -> Any:
    def refuse(skipped: Skipped) -> None:
        raise PredictionsInvalid(f"{skipped.where} of '{path}' is no prediction: {skipped.why}")

    return refuse


def _read_line(
    path: str, place: str, record: Mapping[str, Any], dataset: Dataset, item: DatasetItem, classes: bool
) -> Prediction:
    """Return the prediction of a line, with the question and the gold answers of its item."""
    try:
        own = read_prediction(record)
    except RecordInvalid:
        own = None
    try:
        response = _response_of_line(record, dataset.task)
        if own is not None:
            return replace(own, id=item.id, question=item.question, gold=item.gold, response=response)
        kind = classify(item.question) if classes else None
        return Prediction(
            id=item.id,
            question=item.question,
            response=response,
            confidence=_number_field(record, "confidence", 0.0 if response is None else 1.0),
            route=GIVEN,
            gold=item.gold,
            semantic=(kind.semantic or "") if kind else "",
            pragmatic=(kind.intent or "") if kind else "",
            subtype=(kind.pragmatic or "") if kind else "",
            rank=None if record.get("rank") is None else int(_number_field(record, "rank", 0.0, most=None)),
            claims=_list_field(record, "claims", int),
            links=_list_field(record, "links", str),
            correction=_text_or_none(record.get("correction"), "correction"),
        )
    except RecordInvalid as error:
        raise PredictionsInvalid(f"{place} of '{path}' is no prediction: {error}") from None


def _response_of_line(record: Mapping[str, Any], task: str) -> str | None:
    """Return the answer of a line; a set of labels takes only these, and "unknown" and null are none."""
    fields = ("presupposition", *ANSWER_FIELDS) if task == WRITING else ANSWER_FIELDS
    name = next((field for field in fields if field in record), None)
    if name is None:
        raise RecordInvalid(f"no field {' or '.join(fields)}")
    response = _text_or_none(record[name], name)
    labels = _LABELS.get(task)
    if labels is None:
        return response
    label = (response or (Verdict.UNKNOWN if task == VERDICT else "")).lower().replace("_", " ")
    if label not in labels:
        raise RecordInvalid(f"\"{name}\" is '{response}', it must be one of {', '.join(labels)}")
    return str(label)


def _text_or_none(value: object, name: str) -> str | None:
    """Return a text or a number as text, `None` for null and for nothing but blanks."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise RecordInvalid(f'"{name}" is neither text nor null')
    return str(value).strip() or None


def _number_field(record: Mapping[str, Any], name: str, default: float, most: float | None = 1.0) -> float:
    value = record.get(name, default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not value >= 0 or (most is not None and value > most):
        raise RecordInvalid(f'"{name}" is no number {"from 0 to 1" if most else "of 0 or more"}')
    return float(value)


def _list_field(record: Mapping[str, Any], name: str, kind: type[Any]) -> tuple[Any, ...] | None:
    values = record.get(name)
    if values is None:
        return None
    if not isinstance(values, list) or not all(isinstance(value, kind) and not isinstance(value, bool) for value in values):
        raise RecordInvalid(f'"{name}" is no list of {"texts" if kind is str else "whole numbers"}')
    return tuple(values)
