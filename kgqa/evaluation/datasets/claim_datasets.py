"""Readers of CREAK and FEVER: data sets of claims that are true or false, or that no evidence decides."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from graph.sources.jsonl import Record, RecordInvalid, text_field
from kgqa.evaluation.dataset_item import FALSE_CLAIM, HELD_OUT, LEARNT, TRUE_CLAIM, UNDECIDED_CLAIM, DatasetItem
from kgqa.evaluation.datasets.dataset_rows import place_number, required_text

CREAK_FOLDS, FEVER_FOLDS = 5, 8
MEASURED_FOLDS = {CREAK_FOLDS: (0,), FEVER_FOLDS: (0, 2)}
"""The folds of entities, and of articles, that the evidence model is measured on: it learns and is calibrated on others."""
CALIBRATED_FOLD = 1
"""The fold that the evidence model is calibrated on."""
_FEVER_LABELS = {"SUPPORTS": TRUE_CLAIM, "REFUTES": FALSE_CLAIM, "NOT ENOUGH INFO": UNDECIDED_CLAIM}
_ESCAPES = {"_": " ", "-LRB-": "(", "-RRB-": ")", "-COLON-": ":"}


def group_fold(group: str, count: int) -> int:
    """Return the fold of a group, from 0 to below `count`, the same in every run."""
    return zlib.crc32(group.encode()) % count


def _part(group: str, count: int) -> str:
    return HELD_OUT if group_fold(group, count) in MEASURED_FOLDS[count] else LEARNT


def creak_item(record: Record, place: str) -> DatasetItem:
    """Return a claim about an entity; the comment is its explanation."""
    label = record.get("label")
    if label not in ("true", "false"):
        raise RecordInvalid("'label' is neither true nor false")
    entity = text_field(record, "entity")
    gold = (TRUE_CLAIM if label == "true" else FALSE_CLAIM,)
    name = text_field(record, "ex_id") or place_number(place)
    return DatasetItem(
        name,
        required_text(record, "sentence"),
        gold,
        type=_part(entity, CREAK_FOLDS),
        group=entity,
        comment=text_field(record, "explanation"),
    )


def fever_item(record: Record, place: str) -> DatasetItem:
    """Return a claim; `links` are the pages of its evidence, and `group` its page, which a file may name in "page"."""
    label = _FEVER_LABELS.get(str(record.get("label")))
    if label is None:
        raise RecordInvalid(f"'label' is none of {', '.join(_FEVER_LABELS)}")
    pages = tuple(dict.fromkeys(evidence_pages(record)))
    page = text_field(record, "page") or next(iter(pages), "")
    name = text_field(record, "id") or place_number(place)
    return DatasetItem(name, required_text(record, "claim"), (label,), type=_part(page, FEVER_FOLDS), group=page, links=pages)


def evidence_places(record: Record) -> list[tuple[str, int]]:
    """Return the pages of FEVER's evidence, by their titles in Wikipedia, each with the place of its sentence."""
    evidence = record.get("evidence")
    parts = [part for group in evidence if isinstance(group, list) for part in group] if isinstance(evidence, list) else []
    places = [part[2:4] for part in parts if isinstance(part, list) and len(part) > 2 and isinstance(part[2], str)]
    return [(_unescaped(name), next((number for number in rest if isinstance(number, int)), 0)) for name, *rest in places]


def evidence_pages(record: Record) -> list[str]:
    """Return the titles of the pages of FEVER's evidence, as they are written in Wikipedia."""
    return [page for page, _ in evidence_places(record)]


_MOST_TITLE_WORDS = 6


def claim_page(record: Record, titles: Mapping[str, str]) -> str | None:
    """Return the article of a claim of FEVER among `titles`, which are by their lower case; `None` where it is not there.

    It is the first page of its evidence, or, of a claim without evidence, the longest title that the claim begins with.
    """
    pages = evidence_pages(record)
    if pages:
        return next((page for page in pages if titles.get(page.lower()) == page), None)
    words = text_field(record, "claim").rstrip(".").split()
    starts = (" ".join(words[:count]).lower().removeprefix("the ") for count in range(min(_MOST_TITLE_WORDS, len(words)), 0, -1))
    return next((titles[start] for start in starts if start in titles), None)


def _unescaped(name: str) -> str:
    for escape, text in _ESCAPES.items():
        name = name.replace(escape, text)
    return name
