"""Steps of a script: how one change edits a value, and the typed edit that it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.intervention.passages.changes import MONEY_PATTERN, TIME_UNITS, QuantityChange, is_large_amount
from kgqa.intervention.passages.forms import ChangeKind
from kgqa.intervention.passages.script import EditOperation, FactEdit
from kgqa.intervention.passages.world import convert_amount, shift_date_by_unit
from kgqa.quantities.model import Date, Quantity
from kgqa.quantities.units import unit_of

FactValue = Quantity | Date


@dataclass(frozen=True, slots=True)
class EditStep:
    """One edit of a value: `apply` gives the value in the edited world, `None` where the fact does not bear it."""

    operation: EditOperation
    apply: Callable[[FactValue], FactValue | None]
    value: str = ""
    amount: Fraction = Fraction(0)
    unit: str = ""

    def edit(self, target: str, former: str) -> FactEdit:
        """Return the edit of a fact that stood as `former`."""
        return FactEdit(self.operation, target, self.value, former, self.amount, self.unit)


def shift_date_step(amount: Fraction, unit: str) -> EditStep:
    """Return the step that moves a date by an amount of a unit of time."""

    def apply(value: FactValue) -> FactValue | None:
        return shift_date_by_unit(value, amount, unit) if isinstance(value, Date) else None

    return EditStep(EditOperation.SHIFT, apply, signed_amount_text(amount, unit), amount, unit)


def change_number_step(change: QuantityChange, amount: Fraction) -> EditStep:
    """Return the step that changes a number, or both ends of a range; one that leaves fewer than none has no result."""
    money = MONEY_PATTERN.search(change.text) is not None

    def apply(value: FactValue) -> FactValue | None:
        if not isinstance(value, Quantity):
            return None
        low = _changed_number(change, amount, value.value, value, money)
        if low is None or low < 0 <= value.value:
            return None
        high = None if value.upper is None else _changed_number(change, amount, value.upper, value, money)
        return replace(value, value=low, upper=high)

    amount_text = f"×{float(amount):g}" if change.how is ChangeKind.TIMES else signed_amount_text(amount, change.unit)
    return EditStep(_operation_of_change(change, amount, money), apply, amount_text, amount, change.unit)


def revert_step(answer: str = "") -> EditStep:
    """Return the step that goes back to a value as it was first told."""
    return EditStep(EditOperation.REVERT, lambda value: value, answer)


def signed_amount_text(amount: Fraction, unit: str) -> str:
    """Return an amount with its sign and unit: "+2 year", "−300 m"."""
    number = f"{amount}" if amount.denominator == 1 else f"{float(amount):g}"
    sign = "+" if amount > 0 else ""
    return f"{sign}{number}{f' {unit}' if unit else ''}".replace("-", "−")


def _operation_of_change(change: QuantityChange, amount: Fraction, money: bool) -> EditOperation:
    """Return what a change does: members and other things are added or removed, measures shifted or scaled, places ranked."""
    if change.how is ChangeKind.TIMES:
        return EditOperation.SCALE
    if change.how is ChangeKind.PLACES:
        return EditOperation.RANK
    noun = change.unit.lower().split()[0].rstrip("s") if change.unit else ""
    if change.how is ChangeKind.LATER or money or not noun or noun in TIME_UNITS or unit_of(noun) is not None:
        return EditOperation.SHIFT
    return EditOperation.ADD if amount > 0 else EditOperation.REMOVE


def _changed_number(change: QuantityChange, amount: Fraction, number: Fraction, value: Quantity, money: bool) -> Fraction | None:
    """Return a number under a change, in the unit of the quantity that it is an end of."""
    if change.how is ChangeKind.TIMES:
        return number * amount
    if change.how is ChangeKind.PLACES:
        return number + amount
    step = convert_amount(value, amount, change.unit, money)
    if step is None:
        return None
    if value.scale > 2 and abs(step) * 1000 < abs(value.value) and not change.unit and not is_large_amount(change.text):
        step *= 10**value.scale  # "increased by 1" of "3.5 million"
    return number + step
