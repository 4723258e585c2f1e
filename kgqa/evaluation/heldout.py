"""Items that a reader was not trained on, of a set of which it read some: as the `reader.json` of its model folder says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from kgqa.errors import KgqaError
from kgqa.evaluation.item import DatasetItem

READER_SETTINGS = "reader.json"
HELD_OUT_ARTICLES, HELD_OUT_ROWS = "held_out_articles", "held_out_rows"
"""The fields that name articles, by their titles, and single rows, by their ids."""
HELD_OUT_FIELDS: Mapping[str, str] = {"squad2": HELD_OUT_ARTICLES, "boolq": HELD_OUT_ROWS}
"""The data sets that the two are of: an id of another set says nothing."""


class NothingHeldOut(KgqaError):
    """A model folder does not say what its reader was not trained on, or no item is of that."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"nothing to keep to of what the reader in '{folder}' was not trained on: {why}")


def held_out_items(name: str, items: Sequence[DatasetItem], folder: Path) -> list[DatasetItem]:
    """Return the items of a data set that the reader in a model folder was not trained on: of whole articles, or single rows.

    Raises `NothingHeldOut` where its `reader.json` does not tell, of this set or at all, or tells of other items.
    """
    try:
        reader_settings = json.loads((folder / READER_SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NothingHeldOut(folder, f"cannot read {READER_SETTINGS}: {error}".lower()) from None
    if name not in HELD_OUT_FIELDS:
        raise NothingHeldOut(folder, f"it tells of {' and '.join(HELD_OUT_FIELDS)}, not of {name}")
    listed_names = reader_settings.get(HELD_OUT_FIELDS[name]) if isinstance(reader_settings, dict) else None
    if not isinstance(listed_names, list):
        raise NothingHeldOut(folder, f"{READER_SETTINGS} has no list {HELD_OUT_FIELDS[name]}")
    held_out_names = frozenset(map(str, listed_names))
    remaining = [
        item for item in items if (item.group if HELD_OUT_FIELDS[name] == HELD_OUT_ARTICLES else item.id) in held_out_names
    ]
    if not remaining:
        raise NothingHeldOut(folder, f"none of the {len(items):,} items is among them")
    return remaining
