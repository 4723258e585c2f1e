"""Blind sheets: what raters see of an item, the key that says whose output it is, and a rater's file.

A sheet is a folder with `sheet.json` for `kgqa rate serve`, `sheet.csv` for a spreadsheet and `rubric.md`. Nothing in it names a
system; the key is another file.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from graph.atomic_file import write_atomically
from graph.errors import OutputUnwritable, system_error_text
from graph.model import Claim, Polarity, Relation
from graph.text.formula_cells import escape_formula, unescape_formula
from kgqa.errors import RatingsInvalid
from kgqa.evaluation.metrics.human_ratings import blind_sheet
from kgqa.evaluation.rating.rating_form import RatingForm, rating_forms

SHEET, TABLE, RUBRIC_FILE = "sheet.json", "sheet.csv", "rubric.md"
REMARK = "remark"


class RatedSubject(NamedTuple):
    """What is rated: its heading, notes such as a sentence or the reference, and the texts of the systems by name."""

    id: str
    heading: str
    texts: Mapping[str, str]
    notes: tuple[str, ...] = ()
    claim: Claim | None = None


class SheetItem(NamedTuple):
    """An item of a sheet as raters see it: heading, notes, and the texts by letter."""

    item: str
    heading: str
    notes: tuple[str, ...]
    outputs: Mapping[str, str]


class RatingSheet(NamedTuple):
    """A sheet for raters: its form and its items in order."""

    form: RatingForm
    items: tuple[SheetItem, ...]


class RatingKey(NamedTuple):
    """Whose each output of a sheet is, by item and letter; the ids of the items, and the claims that some of them are."""

    form: RatingForm
    systems: Mapping[tuple[str, str], str]
    ids: Mapping[str, str]
    claims: Mapping[str, Claim]


def make_sheet(form: RatingForm, subjects: Iterable[RatedSubject], number: int, seed: int) -> tuple[RatingSheet, RatingKey]:
    """Return a sheet of at most `number` subjects, drawn by a seed, with its key; the order of the outputs is drawn for each."""
    by_id = {subject.id: subject for subject in subjects}
    chosen = random.Random(seed).sample(sorted(by_id), min(number, len(by_id)))
    drawn = {str(place): by_id[name] for place, name in enumerate(chosen, 1)}
    rows, systems = blind_sheet({item: subject.texts for item, subject in drawn.items()}, seed)
    outputs: dict[str, dict[str, str]] = {}
    for item, letter, text in rows:
        outputs.setdefault(item, {})[letter] = text
    items = tuple(SheetItem(item, subject.heading, subject.notes, outputs[item]) for item, subject in drawn.items())
    claims = {item: subject.claim for item, subject in drawn.items() if subject.claim is not None}
    return RatingSheet(form, items), RatingKey(form, systems, {item: subject.id for item, subject in drawn.items()}, claims)


def write_sheet(folder: Path, key_path: Path, sheet: RatingSheet, key: RatingKey) -> None:
    """Write a sheet into a folder, which may not hold one yet, and its key beside it; raises `OutputUnwritable`."""
    if (folder / SHEET).exists() or key_path.exists():
        raise OutputUnwritable(folder if (folder / SHEET).exists() else key_path, "it is there already, perhaps with ratings")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputUnwritable(folder, system_error_text(error)) from error
    record = {"form": sheet.form.name, "items": [item._asdict() for item in sheet.items]}
    systems: dict[str, dict[str, str]] = {}
    for (item, letter), system in key.systems.items():
        systems.setdefault(item, {})[letter] = system
    keys = [
        {"item": item, "id": name, "outputs": systems[item], **_claim_fields(key.claims.get(item))}
        for item, name in key.ids.items()
    ]
    rows = [
        (item.item, letter, item.heading, " ".join(item.notes), text)
        for item in sheet.items
        for letter, text in item.outputs.items()
    ]
    texts = {
        folder / SHEET: _json_text(record),
        folder / TABLE: sheet_table(rows, sheet.form.aspects),
        folder / RUBRIC_FILE: sheet.form.rubric(),
        key_path: _json_text({"form": key.form.name, "items": keys}),
    }
    for path, text in texts.items():
        with write_atomically(path) as file:
            file.write(text)


def sheet_table(rows: Iterable[tuple[str, str, str, str, str]], aspects: Sequence[str]) -> str:
    """Return a sheet as CSV to fill in: a row for each output, with its item, letter, heading, notes and text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("item", "output", "heading", "notes", "text", "rater", *aspects, REMARK))
    writer.writerows((*map(escape_formula, row), "", *("" for _ in aspects), "") for row in rows)
    return text.getvalue()


def _json_text(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def _claim_fields(claim: Claim | None) -> dict[str, str]:
    if claim is None:
        return {}
    return {"cause": claim.cause, "effect": claim.effect, "relation": claim.relation, "polarity": claim.polarity}


def read_sheet(folder: Path) -> RatingSheet:
    """Return the sheet of a folder; raises `RatingsInvalid`."""
    path = folder / SHEET
    record = _read_json(path)
    try:
        items = tuple(SheetItem(row["item"], row["heading"], tuple(row["notes"]), {**row["outputs"]}) for row in record["items"])
        return RatingSheet(rating_forms()[record["form"]], items)
    except (KeyError, TypeError) as error:
        raise RatingsInvalid(str(path), f"no sheet of kgqa rate: {type(error).__name__.lower()} {error}") from None


def read_key(path: Path) -> RatingKey:
    """Return the key in a file; raises `RatingsInvalid`."""
    record = _read_json(path)
    try:
        rows = record["items"]
        systems = {(row["item"], letter): system for row in rows for letter, system in row["outputs"].items()}
        claims = {
            row["item"]: Claim(row["cause"], row["effect"], Relation(row["relation"]), Polarity(row["polarity"]))
            for row in rows
            if "cause" in row
        }
        return RatingKey(rating_forms()[record["form"]], systems, {row["item"]: row["id"] for row in rows}, claims)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RatingsInvalid(str(path), f"no key of kgqa rate: {type(error).__name__.lower()} {error}") from None


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RatingsInvalid(str(path), f"cannot be read: {getattr(error, 'strerror', None) or error}") from error


@dataclass(frozen=True, slots=True)
class RaterFile:
    """The ratings of one rater of a sheet, in a CSV file beside it that is written whole with each of them."""

    sheet: RatingSheet
    rater: str
    path: Path

    def read(self) -> dict[tuple[str, str], dict[str, str]]:
        """Return what was given to each output, by item and letter: the values of aspects and the remark, as texts."""
        if not self.path.exists():
            return {}
        columns = (*self.sheet.form.aspects, REMARK)
        try:
            with self.path.open(encoding="utf-8", newline="") as lines:
                rows = list(csv.DictReader(lines))
            return {(row["item"], row["output"]): {name: unescape_formula(row[name] or "") for name in columns} for row in rows}
        except (OSError, ValueError, KeyError, csv.Error) as error:
            raise RatingsInvalid(str(self.path), f"cannot be read: {getattr(error, 'strerror', None) or error}") from error

    def write(self, given: Mapping[tuple[str, str], Mapping[str, str]]) -> None:
        """Write all ratings, in the order of the sheet; raises `OutputUnwritable`."""
        columns = (*self.sheet.form.aspects, REMARK)
        with write_atomically(self.path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("item", "output", "rater", *columns))
            for item in self.sheet.items:
                for letter in item.outputs:
                    if values := given.get((item.item, letter)):
                        cells = (escape_formula(values.get(name, "")) for name in columns)
                        writer.writerow((item.item, letter, escape_formula(self.rater), *cells))
