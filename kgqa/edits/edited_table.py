"""The fact table after the edits of an "if": operations that change rows, and queries over the rows that are left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.edits.edit_script import EditOperation, FactEdit
from kgqa.edits.edited_values import plain_number_text
from kgqa.edits.fact_table import FactRow, is_same_name

Amount = Fraction | tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class EditedTable:
    """Rows of one attribute; `changed` pairs a row with its amount after the edits, `None` for a removed row."""

    rows: tuple[FactRow, ...]
    changed: tuple[tuple[FactRow, Amount | None], ...] = ()
    edits: tuple[FactEdit, ...] = ()

    def shift(self, row: FactRow, amount: Fraction, text: str, unit: str) -> EditedTable:
        """Return the table with an amount, in the first unit of the measure, added to the value of a row."""
        return self._with(
            row, _number(row) + amount, FactEdit(EditOperation.SHIFT, _target(row), text, row.fact.text, amount, unit)
        )

    def scale(self, row: FactRow, factor: Fraction, text: str) -> EditedTable:
        """Return the table with the value of a row multiplied by a factor."""
        return self._with(row, _number(row) * factor, FactEdit(EditOperation.SCALE, _target(row), text, row.fact.text, factor))

    def set_value(self, row: FactRow, amount: Amount, text: str) -> EditedTable:
        """Return the table with another value in a row."""
        return self._with(row, amount, FactEdit(EditOperation.REPLACE, _target(row), text, row.fact.text))

    def remove(self, row: FactRow) -> EditedTable:
        """Return the table without a row."""
        return self._with(row, None, FactEdit(EditOperation.REMOVE, _target(row), "", row.fact.text))

    def nth(self, place: int, descending: bool, before: bool = False) -> FactRow | None:
        """Return the row at a place of the order (1 is the first), `None` for a tie at that place or too few rows.

        `before` asks for the order before the edits. `nth(1, True)` is argmax, `nth(1, False)` argmin.
        """
        ranked = self.ranked(descending, before)
        if len(ranked) < place:
            return None
        amount, row = ranked[place - 1]
        ties = [tied for value, tied in ranked if value == amount and not is_same_name(tied.subject, row.subject)]
        return None if ties else row

    def ranked(self, descending: bool, before: bool = False) -> list[tuple[Amount, FactRow]]:
        """Return the rows that are left with their amounts, in their order."""
        changed = {} if before else dict(self.changed)
        left = [(amount, row) for row in self.rows if (amount := changed.get(row, row.amount)) is not None]
        return sorted(left, key=lambda pair: pair[0], reverse=descending)

    def consequences(self, descending: bool, most: int) -> str:
        """Return what became of the changed rows and the values of the first others, in a line."""
        parts = [f"{row.subject.text} {_text(row, row.amount)} → {_text(row, amount)}" for row, amount in self.changed]
        changed = dict(self.changed)
        parts += [
            f"{row.subject.text} {_text(row, amount)}" for amount, row in self.ranked(descending)[:most] if row not in changed
        ]
        return ", ".join(parts)

    def _with(self, row: FactRow, amount: Amount | None, edit: FactEdit) -> EditedTable:
        return replace(self, changed=(*self.changed, (row, amount)), edits=(*self.edits, edit))


def _number(row: FactRow) -> Fraction:
    return row.amount if isinstance(row.amount, Fraction) else Fraction(row.amount[0])


def _target(row: FactRow) -> str:
    return f"{row.attribute} of {row.subject.text}"


def _text(row: FactRow, amount: Amount | None) -> str:
    if amount is None:
        return "gone"
    return plain_number_text(amount / row.factor) if isinstance(amount, Fraction) else row.fact.text
