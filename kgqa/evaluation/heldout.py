"""Items that a reader was not trained on, of a set of which it read some: as the `reader.json` of its model folder says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from kgqa.errors import KgqaError
from kgqa.evaluation.item import Item

SETTINGS = "reader.json"
ARTICLES, ROWS = "held_out_articles", "held_out_rows"
"""The fields that name articles, by their titles, and single rows, by their ids."""
OF: Mapping[str, str] = {"squad2": ARTICLES, "boolq": ROWS}
"""The data sets that the two are of: an id of another set says nothing."""


class NothingHeldOut(KgqaError):
    """A model folder does not say what its reader was not trained on, or no item is of that."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"nothing to keep to of what the reader in '{folder}' was not trained on: {why}")


def held_out(name: str, items: Sequence[Item], folder: Path) -> list[Item]:
    """Return the items of a data set that the reader in a model folder was not trained on: of whole articles, or single rows.

    Raises `NothingHeldOut` where its `reader.json` does not tell, of this set or at all, or tells of other items.
    """
    try:
        told = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NothingHeldOut(folder, f"cannot read {SETTINGS}: {error}".lower()) from None
    if name not in OF:
        raise NothingHeldOut(folder, f"it tells of {' and '.join(OF)}, not of {name}")
    named = told.get(OF[name]) if isinstance(told, dict) else None
    if not isinstance(named, list):
        raise NothingHeldOut(folder, f"{SETTINGS} has no list {OF[name]}")
    kept_back = frozenset(map(str, named))
    kept = [item for item in items if (item.group if OF[name] == ARTICLES else item.id) in kept_back]
    if not kept:
        raise NothingHeldOut(folder, f"none of the {len(items):,} items is among them")
    return kept
