"""Edit scripts: what an "if" changes among the facts of a passage, as typed operations that can be shown and applied."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class EditOperation(StrEnum):
    """What is done to a fact."""

    REMOVE = "remove"
    FORCE = "force"
    ADD = "add"
    REPLACE = "replace"
    SHIFT = "shift by"
    SCALE = "scale by"
    SWAP = "swap"
    RANK = "rank"
    REVERT = "revert"


@dataclass(frozen=True, slots=True)
class FactEdit:
    """One operation on one fact: `target` says which, `former` what stood there and `value` what is put there or by how much.

    `amount` is the number that a shift adds, a scale multiplies by or a rank moves by; `unit` is its unit ("year", "m", "").
    """

    operation: EditOperation
    target: str
    value: str = ""
    former: str = ""
    amount: Fraction = Fraction(0)
    unit: str = ""

    def intervention_record(self) -> dict[str, str]:
        """Return the edit as the field `interventions` of an answer has it."""
        return {"operation": self.operation.value, "target": self.target, "value": self.value, "from": self.former}


@dataclass(frozen=True, slots=True)
class EditScript:
    """The edits that an "if" asks for, in the order of application; never none."""

    edits: tuple[FactEdit, ...]

    def intervention_records(self) -> tuple[dict[str, str], ...]:
        """Return the edits as the field `interventions` of an answer has them."""
        return tuple(edit.intervention_record() for edit in self.edits)

    @property
    def kind(self) -> str:
        """The operations in a few words, to group scripts by: "shift by", "swap", "remove, revert"."""
        return ", ".join(dict.fromkeys(edit.operation.value for edit in self.edits))
