"""Items that a reader was not trained on, of a set of which it read some: as the `reader.json` of its model folder says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from kgqa.errors import KgqaError
from kgqa.evaluation.item import Item

SETTINGS = "reader.json"
ARTICLES, ROWS = "held_out_articles", "held_out_rows"
"""The fields that name articles, by their titles, and single rows, by their ids."""


class NothingHeldOut(KgqaError):
    """A model folder does not say what its reader was not trained on, or no item is of that."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"nothing to keep to of what the reader in '{folder}' was not trained on: {why}")


def held_out(items: Sequence[Item], folder: Path) -> list[Item]:
    """Return the items of articles, or of rows, that the reader in a model folder was not trained on.

    Raises `NothingHeldOut` where its `reader.json` does not tell, or tells of other items.
    """
    try:
        told = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NothingHeldOut(folder, f"cannot read {SETTINGS}: {error}".lower()) from None
    named = told if isinstance(told, dict) else {}
    lists = (named.get(key) for key in (ARTICLES, ROWS))
    articles, rows = (frozenset(map(str, one)) if isinstance(one, list) else None for one in lists)
    if articles is None and rows is None:
        raise NothingHeldOut(folder, f"{SETTINGS} has neither {ARTICLES} nor {ROWS}")
    kept = [item for item in items if (item.group in (articles or ()) if item.group else item.id in (rows or ()))]
    if not kept:
        raise NothingHeldOut(folder, f"none of the {len(items):,} items is among them")
    return kept
