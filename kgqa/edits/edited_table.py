"""The fact table after the edits of an "if": operations that change rows, and queries over the rows that are left."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, FactEdit
from kgqa.edits.fact_table import Amount, FactRow, fact_rows
from kgqa.edits.value_arithmetic import convert_amount, plain_number_text
from kgqa.quantities.quantity import Quantity
from kgqa.quantities.quantity_changes import MONEY_PATTERN, ChangeKind, QuantityChange
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.quantities.units import unit_of
from kgqa.readers.numeric.passage_tokens import content_word_stems, is_same_name, passage_tokens, stem_overlap

GONE = CUES["gone"]
"""What takes a subject or its event away, besides a negation."""


@dataclass(frozen=True, slots=True)
class EditedTable:
    """Rows of one attribute; `changed` pairs a row with its amount after the edits, `None` for a removed row."""

    rows: tuple[FactRow, ...]
    changed: tuple[tuple[FactRow, Amount | None], ...] = ()
    edits: tuple[FactEdit, ...] = ()

    @property
    def attribute(self) -> str:
        """The attribute of the rows."""
        return self.rows[0].attribute

    def edit(self, operation: EditOperation, row: FactRow, amount: Amount | None, text: str = "") -> EditedTable:
        """Return the table with another amount in a row, or without the row; `text` is what the "if" says of it."""
        edit = FactEdit(operation, f"{row.attribute} of {row.subject.text}", text, row.fact.text)
        return replace(self, changed=(*self.changed, (row, amount)), edits=(*self.edits, edit))

    def ranked(self, descending: bool, before: bool = False) -> list[tuple[Amount, FactRow]]:
        """Return the rows that are left with their amounts, in their order; `before` gives the order before the edits."""
        changed = {} if before else dict(self.changed)
        left = [(amount, row) for row in self.rows if (amount := changed.get(row, row.amount)) is not None]
        return sorted(left, key=lambda pair: pair[0], reverse=descending)

    def nth(self, place: int, descending: bool, before: bool = False) -> FactRow | None:
        """Return the row at a place of the order (1 is the first), `None` for a tie at that place or too few rows.

        `nth(1, True)` is argmax, `nth(1, False)` argmin.
        """
        ranked = self.ranked(descending, before)
        if len(ranked) < place:
            return None
        amount, row = ranked[place - 1]
        return row if all(is_same_name(tied.subject, row.subject) for value, tied in ranked if value == amount) else None

    def consequences(self, descending: bool, most: int) -> str:
        """Return what became of the changed rows and the values of the first others, in a line."""
        parts = [f"{_row_text(row, row.amount)} → {_amount_text(row, amount)}" for row, amount in self.changed]
        changed = dict(self.changed)
        parts += [_row_text(row, amount) for amount, row in self.ranked(descending)[:most] if row not in changed]
        return ", ".join(parts)


def _row_text(row: FactRow, amount: Amount) -> str:
    return f"{row.subject.text} {_amount_text(row, amount)}"


def _amount_text(row: FactRow, amount: Amount | None) -> str:
    if amount is None:
        return "gone"
    value = row.fact.value
    if not isinstance(amount, Fraction) or not isinstance(row.amount, Fraction) or not isinstance(value, Quantity):
        return row.fact.text
    return plain_number_text(amount * value.value / row.amount if row.amount else amount)


def value_tables(problem: EditProblem, stems: Collection[str]) -> Iterator[EditedTable]:
    """Yield the rows of each attribute that two subjects have; of several values of a subject the best fit to the stems."""
    tables: dict[str, list[FactRow]] = {}
    for row in fact_rows(problem.passages):
        rows = tables.setdefault(row.attribute, [])
        known = next((at for at, earlier in enumerate(rows) if is_same_name(row.subject, earlier.subject)), None)
        if known is None:
            rows.append(row)
        elif row.fit(stems) > rows[known].fit(stems):
            rows[known] = row
    yield from (EditedTable(tuple(rows)) for rows in tables.values() if len(rows) > 1)


def edit_by_clause(problem: EditProblem, table: EditedTable) -> EditedTable:
    """Return a table of numbers with what the "if" changes: an amount, a removed subject, or a stated value."""
    conditional, clause = problem.conditional, problem.conditional.clause
    for change in conditional.changes:
        before = max((earlier.end for earlier in conditional.changes if earlier.end <= change.start), default=0)
        row = _row_named_in(table.rows, clause[before : change.start])
        if row is None or not isinstance(row.amount, Fraction):
            continue
        if change.how is ChangeKind.TIMES:
            table = table.edit(EditOperation.SCALE, row, row.amount * change.amount, change.text)
        elif change.how is ChangeKind.MORE and (step := _shift_of_row(row, change, clause)) is not None:
            table = table.edit(EditOperation.SHIFT, row, row.amount + step, change.text)
    row = None if conditional.changes else _row_named_in(table.rows, clause)
    if row is None:
        return table
    if conditional.negated or GONE.search(clause):
        return table.edit(EditOperation.REMOVE, row, None)
    for quantity in parse_quantities(clause):
        if isinstance(quantity, Quantity) and quantity.text not in row.subject.text:
            value: Fraction | None = quantity.value
            if quantity.sort.value != row.attribute:
                value = _in_first_unit(row, quantity.value, quantity.unit, clause[quantity.end : quantity.end + 40])
            if value is not None:
                return table.edit(EditOperation.REPLACE, row, value, quantity.text)
    return table


def _row_named_in(rows: Sequence[FactRow], text: str) -> FactRow | None:
    stems = content_word_stems(text)
    likeliest = max(rows, key=lambda row: (stem_overlap(row.subject.stems, stems), len(row.subject.stems & stems)))
    return likeliest if stem_overlap(likeliest.subject.stems, stems) >= 0.5 else None


def _shift_of_row(row: FactRow, change: QuantityChange, clause: str) -> Fraction | None:
    """Return a change in the first unit of the measure of a row; `None` where the two do not measure the same."""
    value = row.fact.value
    if row.attribute in ("money", "percent") and isinstance(value, Quantity):
        money = MONEY_PATTERN.search(clause) is not None
        return convert_amount(value, change.amount, "" if money else change.unit, money)
    step = _in_first_unit(row, change.amount, change.unit, clause[change.start : change.end + 40])
    slower = row.attribute in ("time", "months") and re.search(r"\b(?:slower|faster)\b", change.text) is not None
    return -step if slower and step is not None else step


def _in_first_unit(row: FactRow, amount: Fraction, unit_name: str, counted: str) -> Fraction | None:
    """Return an amount in the first unit of the measure of a row, or of what the row counts if `counted` names it."""
    if row.attribute.startswith("count"):
        return amount if {word.stem for word in passage_tokens(counted)} & set(row.attribute.split()[1:]) else None
    unit = unit_of(unit_name) or unit_of(unit_name.split()[0]) if unit_name else None
    return amount * unit.factor if unit is not None and unit.measures == row.attribute else None
