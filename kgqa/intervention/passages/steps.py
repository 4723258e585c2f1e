"""Steps of a script: how one change edits a value, and the typed edit that it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.intervention.passages.changes import MONEY, SPANS, Change, is_large
from kgqa.intervention.passages.forms import How
from kgqa.intervention.passages.script import Edit, Operation
from kgqa.intervention.passages.world import amount_in, moved_by
from kgqa.quantities.model import Date, Quantity
from kgqa.quantities.units import unit_of

Value = Quantity | Date


@dataclass(frozen=True, slots=True)
class Step:
    """One edit of a value: `apply` gives the value in the edited world, `None` where the fact does not bear it."""

    operation: Operation
    apply: Callable[[Value], Value | None]
    value: str = ""
    amount: Fraction = Fraction(0)
    unit: str = ""

    def edit(self, target: str, former: str) -> Edit:
        """Return the edit of a fact that stood as `former`."""
        return Edit(self.operation, target, self.value, former, self.amount, self.unit)


def dated(amount: Fraction, unit: str) -> Step:
    """Return the step that moves a date by an amount of a unit of time."""

    def apply(value: Value) -> Value | None:
        return moved_by(value, amount, unit) if isinstance(value, Date) else None

    return Step(Operation.SHIFT, apply, signed(amount, unit), amount, unit)


def counted(change: Change, amount: Fraction) -> Step:
    """Return the step that changes a number, or both ends of a range; one that leaves fewer than none has no result."""
    money = MONEY.search(change.text) is not None

    def apply(value: Value) -> Value | None:
        if not isinstance(value, Quantity):
            return None
        low = _made(change, amount, value.value, value, money)
        if low is None or low < 0 <= value.value:
            return None
        high = None if value.upper is None else _made(change, amount, value.upper, value, money)
        return replace(value, value=low, upper=high)

    said = f"×{float(amount):g}" if change.how is How.TIMES else signed(amount, change.unit)
    return Step(_operation(change, amount, money), apply, said, amount, change.unit)


def former(answer: str = "") -> Step:
    """Return the step that goes back to a value as it was first told."""
    return Step(Operation.REVERT, lambda value: value, answer)


def signed(amount: Fraction, unit: str) -> str:
    """Return an amount with its sign and unit: "+2 year", "−300 m"."""
    number = f"{amount}" if amount.denominator == 1 else f"{float(amount):g}"
    sign = "+" if amount > 0 else ""
    return f"{sign}{number}{f' {unit}' if unit else ''}".replace("-", "−")


def _operation(change: Change, amount: Fraction, money: bool) -> Operation:
    """Return what a change does: members and other things are added or removed, measures shifted or scaled, places ranked."""
    if change.how is How.TIMES:
        return Operation.SCALE
    if change.how is How.PLACES:
        return Operation.RANK
    noun = change.unit.lower().split()[0].rstrip("s") if change.unit else ""
    if change.how is How.LATER or money or not noun or noun in SPANS or unit_of(noun) is not None:
        return Operation.SHIFT
    return Operation.ADD if amount > 0 else Operation.REMOVE


def _made(change: Change, amount: Fraction, number: Fraction, value: Quantity, money: bool) -> Fraction | None:
    """Return a number under a change, in the unit of the quantity that it is an end of."""
    if change.how is How.TIMES:
        return number * amount
    if change.how is How.PLACES:
        return number + amount
    step = amount_in(value, amount, change.unit, money)
    if step is None:
        return None
    if value.scale > 2 and abs(step) * 1000 < abs(value.value) and not change.unit and not is_large(change.text):
        step *= 10**value.scale  # "increased by 1" of "3.5 million"
    return number + step
